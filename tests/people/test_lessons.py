"""The guided first matches: every lesson comes, in order, and who does something else is answered and plays on."""

from __future__ import annotations

import re

import msgspec
import pytest
import trio

from bots.sdk.link import Identity, open_link
from client.cli.play import NO_HURRY
from client.house import BotHouse
from client.session import ClientSession
from client.stand_in import LocalStandIns
from games.api import Game, to_map
from games.chance import numbered_seed
from games.registry import all_games
from people.frame import build_frame
from people.lessons import Course, Lesson, NoLessons, Tutor, load_course
from people.person import Person
from people.render import plain_text, wrap_rows
from people.settings import PersonSettings
from people.text.typing_context import RequestDraft
from people.typed import handle_line
from protocol import messages as m
from server.config import Config
from tests.helpers.hall import Hall
from tests.helpers.paper import PaperScreen
from tests.helpers.scissors import dial_to
from tests.helpers.toy import TOY, Play, ToyView
from tests.helpers.variants import OURS
from tests.people.at_a_table import open_table, said, seated

TAUGHT = [
    game for game in all_games().values() if game in OURS or game.rules.with_name(f"lessons-{game.id}.toml").exists()
]
GAMES = pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.id)


async def learn(game: Game, lines: list[str], nursery: trio.Nursery) -> str:
    """A guided match in memory; all that was shown."""
    course = load_course(game)
    hall = Hall(nursery, Config(house_seconds=0.0), {game.id: game}, BotHouse())
    person = Person(
        "Ada", {game.id: game}, PersonSettings(now=trio.current_time, width=lambda: 80, stand_ins=LocalStandIns(0))
    )
    person.guided.begin_match("", Tutor(course, person.settings.stand_ins.suggest_action))
    person.settings.starts_when_full = True
    screen = PaperScreen(lines)
    visit = ClientSession(person, screen)
    visit.ends_with_match = True
    async with open_link(dial_to(hall), Identity("Ada"), hearer=visit) as link:
        visit.attach_link(link)
        seed = numbered_seed(course.seed)
        hall.lobby.open_table(game.id, len(course.bots) + 1, "Ada", course.options, NO_HURRY, seed)
        await visit.request(m.Join, {"table": "t1"})
        for bot in course.bots:
            await visit.request(m.Add, {"table": "t1", "bot": bot})
        assert await visit.run() == 0
    return "\n".join(screen.shown)


@GAMES
async def test_who_does_what_is_proposed_is_told_every_lesson_in_order(
    game: Game, nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    course = load_course(game)
    shown = await learn(game, [], nursery)
    place = 0
    for number, lesson in enumerate(course.lesson, 1):
        for text in (f"Lesson {number} of {len(course.lesson)}: {lesson.title}", lesson.before, lesson.here):
            place = found(shown, text, place)
        for do in (lesson.do, *lesson.then):
            place = found(shown, f"Type: {do}\n", place)
        place = found(shown, lesson.after, place)
    assert shown.count(course.end) == 1
    assert "The match is over." in shown[place:]


def found(shown: str, text: str, place: int) -> int:
    """Where the text stands next."""
    assert text in shown[place:], f"{text!r} is not told where it belongs, which is in:\n{shown[place : place + 600]}"
    return shown.index(text, place)


@GAMES
async def test_who_does_something_else_is_answered_and_the_match_goes_on(
    game: Game, nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    shown = await learn(game, ["1"] * 30, nursery)
    others = [lesson.other for lesson in load_course(game).lesson]
    assert sum(shown.count(text) for text in set(others)) >= 2
    assert "The match is over." in shown


@GAMES
def test_a_lesson_fits_a_narrow_screen(game: Game) -> None:
    for lesson in load_course(game).lesson:
        told = [f"Lesson 10 of 10: {lesson.title}", f"{lesson.before} {lesson.here}", f"Type: {lesson.do}"]
        assert len(list(wrap_rows([[("", text)] for text in told], 40))) <= 10, lesson.title
        assert all(len(text) <= 130 for text in (lesson.after, lesson.other)), lesson.title


COURSE = Course(
    seed=1,
    bots=("first",),
    end="That was all.",
    lesson=(
        Lesson(
            title="one", when="play *", do="play 3", before="Play.", here="The 3.", after="Good.", other="So be it."
        ),
        Lesson(title="two", when="play *", do="play 5", before="Again.", here="The 5.", after="Well.", other="Fine."),
    ),
)


def learner(course: Course = COURSE) -> Person:
    person = seated(3, 5)
    person.guided.begin_match("", Tutor(course, lambda turn: turn.legal[-1]))
    assert person.seats.here is not None
    person.seats.here.fresh = True
    return person


def texts(person: Person) -> str:
    return "\n".join(plain_text(line) for line in person.ask_for_decisions().lines)


def test_what_cannot_be_understood_or_done_is_answered_with_the_proposal() -> None:
    person = learner()
    assert "Lesson 1 of 2: one\nPlay. The 3.\nType: play 3" in texts(person)
    assert said(person, "plai 3").endswith("Type: play 3")
    (ask,) = handle_line(person, "play 99").asks
    refused = person.on_answer(ask, m.Error(re=1, code="illegal_action", text="You do not have that card."))
    assert [plain_text(line) for line in refused.lines] == ["! You do not have that card.", "Type: play 3"]


def test_the_lesson_stands_where_the_question_stands_and_its_end_in_the_log() -> None:
    person = learner()
    person.settings.pinned = True
    assert "Lesson" not in texts(person)
    assert [plain_text(line) for line in build_frame(person, 40, 20).question] == [
        "Lesson 1 of 2: one",
        "Play. The 3.",
        "Type: play 3",
    ]
    (ask,) = handle_line(person, "play 3").asks
    assert [plain_text(line) for line in person.on_answer(ask, m.Accepted(re=1, table="t1", turn=1)).lines] == ["Good."]
    assert build_frame(person, 40, 20).question == []


def test_a_lesson_that_would_cover_some_of_the_board_stands_in_its_place_until_something_is_typed() -> None:
    person = learner()
    texts(person)
    tutor = person.guided.tutor_at("t1")
    assert tutor is not None
    lesson = tutor.lines
    lesson[1] = [("", "Play. " * 50)]
    shown = build_frame(person, 40, 16)
    assert [plain_text(line) for line in shown.board] == [plain_text(line) for line in wrap_rows(lesson, 40)]
    assert shown.question == []
    handle_line(person, "")
    shown = build_frame(person, 40, 16)
    assert [plain_text(line).strip() for line in shown.board] == ["ann: 0", "bob: 0", "Hand: 3 5"]
    assert [plain_text(line) for line in shown.question] == ["Lesson 1 of 2: one", "Type: play 3"]


def test_who_did_something_else_is_not_told_of_cards_that_may_not_be_there() -> None:
    person = learner()
    texts(person)
    (ask,) = handle_line(person, "play 5").asks
    assert [plain_text(line) for line in person.on_answer(ask, m.Accepted(re=1, table="t1", turn=1)).lines] == [
        "So be it."
    ]
    view, legal = to_map(ToyView(2, (0, 1), (), (3, 5))), [to_map(Play(card)) for card in (3, 5)]
    person.on_message(m.TurnUpdate(table="t1", n=3, turn=2, view=view, legal=legal, left=330.0, main=300.0))
    assert "Lesson 2 of 2: two\nAgain.\nType: play 5" in texts(person)


def test_what_cannot_be_done_is_not_proposed_and_a_lesson_that_fits_nothing_waits() -> None:
    first, second = COURSE.lesson
    person = learner(msgspec.structs.replace(COURSE, lesson=(msgspec.structs.replace(first, do="play 9"), second)))
    assert "Lesson 1 of 2: one\nPlay.\nType: play 5" in texts(person)
    person = learner(msgspec.structs.replace(COURSE, lesson=(msgspec.structs.replace(first, when="pass"), second)))
    assert "Lesson 2 of 2: two\nAgain. The 5.\nType: play 5" in texts(person)


def test_a_game_without_lessons_says_so() -> None:
    with pytest.raises(NoLessons, match=re.escape("Toy has no lessons.")):
        load_course(TOY)


def test_lessons_opens_the_guided_match_at_a_server_and_tells_its_lessons_there_alone() -> None:
    game = all_games()["ikasamage"]
    person = Person("ann", {game.id: game}, PersonSettings(now=float, width=lambda: 80, stand_ins=LocalStandIns(0)))
    (opens,) = handle_line(person, "lessons").asks
    assert (opens.kind, opens.fields) == (m.Open, {"game": "ikasamage", "guided": True})
    info = open_table("ikasamage")
    (starts,) = person.on_answer(opens, m.TableReply(info=info, seat=1)).asks
    assert (starts.kind, starts.fields) == (m.Start, {"table": "t1"})
    assert person.guided.tutor_at("t1") is not None
    assert person.guided.tutor_at("t2") is None
    over = m.Over(table="t1", n=9, results=(), reason="aborted", text="Over.", seed="", salt="", aborted=True)
    person.on_message(over)
    assert person.guided.tutor_at("t1") is None


def test_a_guided_match_that_cannot_be_opened_guides_no_later_one() -> None:
    game = all_games()["ikasamage"]
    person = Person("ann", {game.id: game}, PersonSettings(now=float, width=lambda: 80, stand_ins=LocalStandIns(0)))
    (opens,) = handle_line(person, "lessons ikasamage").asks
    person.on_answer(opens, m.Error(code="no_such_bot", text="No."))
    assert person.on_answer(RequestDraft(m.Open, {}), m.TableReply(info=open_table("ikasamage"), seat=1)).asks == []
    assert person.guided.tutor_at("t1") is None


def test_a_game_without_lessons_cannot_be_learnt() -> None:
    person = Person("ann", {TOY.id: TOY}, PersonSettings(now=float, width=lambda: 80, stand_ins=LocalStandIns(0)))
    assert said(person, "lessons") == f"! {TOY.title} has no lessons."
