"""After a match: what nobody could see is said, and one steps through it without leaving the client."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest

from bots.sdk.link import Link
from client.session import ClientSession
from client.stand_in import LocalStandIns
from games.registry import all_games
from people.frame import build_frame, turn_page
from people.pages import MOMENTS_A_PART
from people.person import Person
from people.render import plain_text
from people.settings import PersonSettings
from people.typed import handle_line
from protocol import messages as m
from tests.helpers.paper import PaperScreen, PatientLink
from tests.helpers.toy import TOY
from tests.matches.golden import FOLDER, replay
from tests.people.at_a_table import asked, said, seated, stands_on

GAMES = {**all_games(), TOY.id: TOY}


def reader(game: str = "ikasamage", *, pinned: bool = False) -> Person:
    """Somebody whose match has just ended."""
    person = Person("ann", GAMES, PersonSettings(now=float, width=lambda: 80, stand_ins=LocalStandIns(0)))
    person.settings.pinned = pinned
    texts = [plain_text(line) for line in person.on_replay(replay(GAMES[game])).lines]
    assert sum(text.startswith("Only ") for text in texts) >= 2
    return person


@pytest.mark.parametrize("game", all_games())
def test_one_steps_through_the_last_match_with_everything_open(game: str) -> None:
    person = reader(game)
    assert person.review.match is not None
    count = person.review.match.last - 1
    first = said(person, "review")
    assert f"Before decision 1 of {count}: n, p, a number, q" in first
    assert " alone) " in first
    assert f"Before decision 2 of {count}" in said(person, "n")
    assert f"The end of {count}" in said(person, "99999")
    assert f"Before decision {count} of" in said(person, "p")
    assert "Before decision 3 of" in said(person, "3")
    assert "Before decision 1 of" in said(person, "0")
    assert "Before decision 1 of" in said(person, "p")
    assert said(person, "q") == ""
    assert said(person, "n").startswith("! ")  # no longer a step


def test_a_pinned_board_makes_way_for_the_moment_until_something_else_is_typed() -> None:
    person = reader(pinned=True)
    said(person, "review")
    for columns, rows in ((80, 24), (120, 40), (40, 20)):
        shown = [plain_text(row) for row in build_frame(person, columns, rows).board]
        assert shown[0].startswith("Before decision 1 of")
        assert shown[1].startswith("> ") or columns == 40
        assert len(shown) <= rows - 3
    said(person, "help")
    assert build_frame(person, 80, 24).board == []
    assert said(person, "2").startswith("! ")


def hand_of(view: Any) -> Sequence[str]:
    hand: Sequence[str] = view.you.hand if hasattr(view, "you") else view.hand
    return hand


@pytest.mark.parametrize("game", all_games())
def test_on_the_smallest_screen_every_hand_is_reached_by_turning_the_page(game: str) -> None:
    person = reader(game, pinned=True)
    said(person, "review")
    assert person.review.match is not None
    number = min(20, person.review.match.last - 2)
    said(person, str(number))
    views = [
        person.review.match.current_moment().match.state.view(seat)
        for seat in range(1, len(person.review.match.people) + 1)
    ]
    seen = list[str]()
    for _ in range(40):
        shown = build_frame(person, 40, 20)
        rows = [plain_text(row) for row in shown.board]
        assert len(rows) <= 15
        seen += [row for row in rows if row not in seen]
        if "more rows" not in rows[-1]:
            break
        turn_page(person, 5, shown)
    text = " ".join(seen)
    assert "more rows" not in rows[-1]
    for name, view in zip(person.review.match.people, views, strict=True):
        assert f"Only {name} sees:" in seen
        if game != "magecraft":  # which says what is in a hand in letters
            assert [card for card in hand_of(view) if not stands_on(text, card, GAMES[game])] == []
    said(person, "n")
    assert plain_text(build_frame(person, 40, 20).board[0]).startswith(f"Before decision {number + 1}")


def test_the_steps_are_no_decisions_and_decisions_no_steps() -> None:
    person = reader()
    said(person, "review")
    seated(3, 5, person=person)
    handle_line(person, "?")
    kind, fields = asked(person, "1")
    assert (kind, fields["action"]) == (m.Act, {"do": "play", "card": 3})


def test_without_a_finished_match_there_is_nothing_to_step_through() -> None:
    assert said(seated(3), "review") == "! There is no finished match to step through yet."


def test_who_asks_before_the_match_has_come_steps_through_it_once_it_is_there() -> None:
    person = Person("ann", GAMES, PersonSettings(now=float, width=lambda: 80, stand_ins=LocalStandIns(0)))
    person.review.comes = True
    assert said(person, "review").startswith("The match is on its way from the server")
    shown = person.on_replay((FOLDER / "ikasamage.jsonl").read_bytes()).lines
    assert any("Before decision 1 of" in plain_text(line) for line in shown)
    assert "Before decision 2 of" in said(person, "n")


def test_a_match_that_ends_is_the_last_one() -> None:
    person = reader()
    seated(3, 5, person=person)
    person.on_message(m.Over(table="t1", n=3, reason="rules", text="", results=(), seed="", salt=""))
    assert said(person, "review") == "! There is no finished match to step through yet."


async def test_a_replay_that_comes_when_another_match_is_over_is_kept_and_not_stepped_through() -> None:
    person = reader()
    screen, link = PaperScreen(), PatientLink()
    screen.interactive = True
    visit = ClientSession(person, screen)
    visit._link, visit.keep = cast(Link, link), lambda _data: "ab12"
    lines = (FOLDER / "ikasamage.jsonl").read_text(encoding="utf-8").splitlines()

    def comes(table: str) -> None:
        visit._fetch(table)
        link.asked[m.Replay](m.ReplayLines(table=table, after=0, lines=tuple(lines)))

    seated(3, 5, person=person)
    person.on_message(m.Over(table="t1", n=3, reason="rules", text="", results=(), seed="", salt=""))
    comes("t0")
    assert screen.shown == ["The match is kept; magehall replay ab12 shows it."]
    assert person.review.match is None
    comes("t1")
    assert screen.shown[-1] == "The match is kept; magehall replay ab12 shows it; F2 or review steps through it here."
    assert "Before decision 1 of" in said(person, "review")


def test_a_replay_that_does_not_hold_is_not_shown() -> None:
    person = Person("ann", GAMES, PersonSettings(now=float, width=lambda: 80, stand_ins=LocalStandIns(0)))
    data = (FOLDER / "ikasamage.jsonl").read_bytes()
    (line,) = person.on_replay(data.replace(b"fireball", b"blizzard", 1)).lines
    assert plain_text(line).startswith("The replay that the server gave does not hold: line ")
    assert person.review.match is None
    assert handle_line(person, "review").asks == []


@pytest.mark.parametrize("game", all_games())
def test_a_moment_is_sought_in_short_parts(game: str) -> None:
    match = reader(game).review.match
    assert match is not None
    for number in (1, match.last // 2, match.last):
        match.number = number
        *parts, moment = match.find_moment()
        assert parts == [None] * ((match.number - 1) // MOMENTS_A_PART)
        assert moment is not None
        assert (moment.number, moment.view()) == (match.number, match.current_moment().view())
