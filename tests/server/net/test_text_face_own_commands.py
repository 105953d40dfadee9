"""A person on a telnet line plays again, steps through a match, turns to the next one, and says yes first."""

from __future__ import annotations

import re

import pytest
import trio

from client.house import BotHouse
from games.registry import all_games
from people.confirming import NOTHING_WAITS
from people.lessons import load_course
from server.config import Config
from tests.helpers.hall import Hall, seated
from tests.helpers.peer import Typist


async def over(hall: Hall, *more: str) -> Typist:
    """Ann, whose match against a house bot is over."""
    ann = await seated(hall, *more)
    assert "The match is over." in await ann.types("?", "1", "?", "1", "?", "1")
    return ann


async def test_a_decision_waits_for_a_yes_once_confirm_is_on(hall: Hall) -> None:
    ann = await seated(hall)
    assert await ann.types("confirm on") == "Each decision waits until you type yes; undo takes it back.\n"
    held = await ann.types("?", "1")
    assert re.fullmatch(r"play \d is not sent yet\.\nyes sends it, undo takes it back\.\n", held)
    assert hall.done(seat=1) == []
    assert await ann.types("undo") == "Taken back; it was not sent.\n"
    assert await ann.types("yes") == f"! {NOTHING_WAITS}\n"
    await ann.types("?", "1")
    assert "* ann has chosen." in await ann.types("y")
    assert len(hall.done(seat=1)) == 1
    assert "first decided last; only the latest decision can be taken back." in await ann.types("undo")
    await ann.types("confirm off")
    assert "* ann has chosen." in await ann.types("?", "1")


async def test_a_yes_to_a_turn_that_is_over_sends_nothing(hall: Hall) -> None:
    ann = await seated(hall, "confirm on")
    await ann.types("?", "1", "resign", "resign")
    assert await ann.types("yes") == f"! {NOTHING_WAITS}\n"


async def test_rematch_opens_a_table_like_the_last_with_its_bots_each_a_seat_further(hall: Hall) -> None:
    ann = await over(hall)
    shown = await ann.types("rematch")
    assert "t2   toy, open: 1 first, 2 ann" in shown
    assert "Nobody else hears you." not in shown
    assert "The match begins: 1 first, 2 ann." in await ann.types("start")


async def test_whoever_types_rematch_second_joins_the_first(hall: Hall) -> None:
    ann, bob = await hall.typist(), await hall.typist()
    await ann.types("hello ann", "open toy 2")
    await bob.types("hello bob", "join t1")
    await ann.types("start")
    for who in (ann, bob) * 3:
        await who.types("?", "1")
    await ann.types("rematch")
    assert "ann: Rematch? Type rematch.\nann: The rematch is at t2." in await bob.heard()
    assert "t2   toy, open: 1 bob, 2 ann" in await bob.types("rematch")


async def test_a_rematch_that_cannot_be_opened_adds_no_bot_to_a_later_table(hall: Hall) -> None:
    ann = await over(hall)
    hall.lobby.service.set_admission(everybody=False)
    assert (await ann.types("rematch")).startswith("! ")
    hall.lobby.service.set_admission(everybody=True)
    assert "1 ann, 2 (empty)" in await ann.types("open toy 2")


async def test_rematch_is_for_those_who_have_played_to_the_end(hall: Hall) -> None:
    for where in ([], ["hello bob"], ["open toy 2"]):
        bob = await hall.typist()
        assert "! A rematch is for those who have played a match to its end." in await bob.types(*where, "rematch")


async def test_next_watches_the_next_running_match_instead_of_the_one_before(hall: Hall) -> None:
    await hall.table_of("ann", "bob")
    cid = await hall.typist()
    assert "! No other match is running." in await cid.types("hello cid", "watch t1", "next")
    dan = await hall.typist()
    await dan.types("hello dan", "open toy 2", "add first", "start")
    shown = await cid.types("next")
    assert "You watch t2." in shown
    assert "You left t1." in shown
    assert "You watch t1." in await cid.types("suivant")


async def test_review_steps_through_the_match_with_everything_open(hall: Hall) -> None:
    ann = await seated(hall)
    assert "! There is no finished match to step through yet." in await ann.types("review")
    await ann.types("?", "1", "?", "1", "?", "1")
    assert "Before decision 1 of 6: n, p, a number, q" in await ann.types("review")
    assert "Only ann sees:" in await ann.types("n")
    assert "The end of 6" in await ann.types("99")
    assert "Before decision 6 of 6" in await ann.types("p")
    assert await ann.types("q") == ""
    assert (await ann.types("n")).startswith("! ")
    assert "Goodbye" in await ann.types("q")


async def test_review_ends_with_any_other_line_and_never_takes_a_decision(hall: Hall) -> None:
    ann = await over(hall)
    await ann.types("review", "aim")
    assert (await ann.types("n")).startswith("! ")
    await ann.types("review", "rematch", "start")
    assert "* ann has chosen." in await ann.types("?", "1")


@pytest.mark.parametrize("game", all_games())
async def test_review_shows_the_end_of_a_match_of_every_game(hall: Hall, game: str) -> None:
    hall.lobby.games = all_games()
    ann = await hall.typist()
    await ann.types("hello ann", f"open {game}")
    for _ in range(all_games()[game].min_seats - 1):
        await ann.types("add first")
    shown = await ann.types("start", "leave", "join t1")
    while "The match is over." not in shown:
        await trio.sleep(0.1)
        shown = await ann.types("?", "1")
    assert re.search(r"^Before decision 1 of \d+: n, p, a number, q$", await ann.types("review"), re.MULTILINE)
    assert re.search(r"^The end of \d+: n, p, a number, q$", await ann.types("9999"), re.MULTILINE)
    assert not re.search("^(>|! )", await ann.types("p"), re.MULTILINE)


def school(nursery: trio.Nursery) -> Hall:
    """A server with the games that have lessons, and the bots that these need."""
    return Hall(nursery, Config(house_seconds=0.0), all_games(), BotHouse())


async def learning(hall: Hall, game: str) -> tuple[Typist, str]:
    """Ann in the guided match of that game, and what she reads first."""
    ann = await hall.typist()
    await ann.types("hello ann")
    return ann, await ann.types(f"lessons {game}")


@pytest.mark.parametrize("game", all_games())
async def test_lessons_tells_one_before_a_decision_and_what_follows_after_it(nursery: trio.Nursery, game: str) -> None:
    ann, shown = await learning(school(nursery), game)
    course, done = load_course(all_games()[game]), 0
    while done < 3:
        proposed = re.findall(r"^Type: (.*)$", shown, re.MULTILINE)[-1:] or ["?", "1"]
        number = re.findall(rf"^Lesson (\d+) of {len(course.lesson)}: ", shown, re.MULTILINE)
        await trio.sleep(0.1)
        shown = await ann.types(*proposed)
        assert not re.search("^! ", shown, re.MULTILINE)
        if number and not course.lesson[int(number[-1]) - 1].then:
            assert course.lesson[int(number[-1]) - 1].after in shown.replace("\n  ", " ")
            done += 1


async def test_a_guided_match_is_for_one_person_and_counts_in_no_statistics(nursery: trio.Nursery) -> None:
    hall = school(nursery)
    ann, shown = await learning(hall, "ikasamage")
    assert re.search(r"^Lesson 1 of \d+: a secret bet$", shown, re.MULTILINE)
    assert "Type: bet 5\n> Place your bet" in shown
    assert "Type: bet 5" in await ann.types("bet 9"), "again"
    assert "! " in await (await hall.typist()).types("hello bob", "join t1")
    shown = await ann.types("leave", "join t1", "resign", "resign")
    while "The match is over." not in shown:
        await trio.sleep(0.1)
        shown += await ann.heard()
    assert "ikasamage" not in await ann.types("stats")


async def test_at_an_open_guided_table_nobody_else_sits_down(nursery: trio.Nursery) -> None:
    hall = school(nursery)
    ann, bob = await hall.player("ann"), await hall.player("bob")
    opened = await ann.ask("open", game="ikasamage", guided=True)
    assert [seat["name"] for seat in opened["info"]["seats"]] == ["ann", "greedy", "greedy-2"]
    await ann.ask("leave", table="t1")
    assert (await bob.ask("join", table="t1"))["code"] == "table_full"


async def test_a_game_without_lessons_and_one_that_is_not_named_are_refused(hall: Hall, nursery: trio.Nursery) -> None:
    ann, bob = await hall.typist(), await school(nursery).typist()
    assert (await ann.types("hello ann", "lessons toy")).endswith(" has no lessons.\n")
    assert "! Say which game: " in await bob.types("hello bob", "lessons")


async def test_a_match_whose_end_could_not_be_kept_is_not_opened_by_a_review(hall: Hall) -> None:
    ann = await over(hall)
    await ann.types("review")
    hall.lobby.tables["t1"].records.retired = True
    shown = await ann.types("n")
    assert shown.startswith("! ")
    assert "Only " not in shown
