"""Open hands in the client: agreed to before one sits down, looked at in the board's place, newer each second."""

from __future__ import annotations

from typing import cast

import msgspec

from bots.sdk.link import Link
from client.screen.screen import InputLine
from client.session import ClientSession
from games.api import to_map
from people.frame import build_frame
from people.open_hands import SECONDS
from people.person import Person
from people.render import plain_text
from people.typed import handle_line
from protocol import messages as m
from tests.helpers.paper import PaperScreen, PatientLink, new_person
from tests.helpers.toy import ToyView
from tests.people.at_a_table import asked, open_table, said, seated


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def told(at: float, *hands: tuple[int, ...]) -> m.OpenHands:
    views = tuple(to_map(ToyView(seat, (0, 0), (), hand)) for seat, hand in enumerate(hands, 1))
    return m.OpenHands(table="t1", at=at, view=to_map(ToyView(0, (0, 0), ())), views=views)


def spectator(clock: Clock) -> Person:
    person = new_person(now=clock)
    person.settings.pinned = True
    people = (m.SeatInfo(1, "ann", "person"), m.SeatInfo(2, "bob", "person"))
    info = msgspec.structs.replace(open_table("toy"), state="playing", seats=people, delay=60)
    person.on_message(m.Watching(table="t1", n=1, info=info, view=to_map(ToyView(0, (0, 0), ()))))
    return person


def board(person: Person) -> str:
    return "\n".join(plain_text(line) for line in build_frame(person, 80, 24).board)


def test_all_hands_stand_in_the_boards_place_until_something_else_is_typed() -> None:
    person = spectator(Clock())
    assert asked(person, "hands") == (m.Hands, {"table": "t1"})
    assert person.on_message(told(61.0, (1, 2), (3, 4))).lines == []
    assert board(person).startswith("All hands at t1, as they were 1:01 after the beginning:")
    assert "Only ann sees:\n  Hand: 1 2\nOnly bob sees:\n  Hand: 3 4" in board(person)
    for word in ("hands", "mains"):
        assert said(person, word) == ""
        assert "Only ann" not in board(person)
        assert asked(person, word) == (m.Hands, {"table": "t1"})
        person.on_message(told(62.0, (1, 2), (3, 4)))


def test_they_are_looked_at_again_each_second_while_they_are_shown_and_no_longer() -> None:
    clock = Clock()
    person = spectator(clock)
    handle_line(person, "hands")
    person.on_message(told(61.0, (1,), (3,)))

    def asks() -> list[m.Hands]:
        return [ask for ask in person.poll_effects().asks if ask.kind is m.Hands]  # type: ignore[misc]

    (ask,) = asks()
    clock.now += 5
    assert asks() == []  # not before the answer
    person.on_answer(ask, told(62.0, (2,), (3,)))  # type: ignore[arg-type]
    assert "Hand: 2" in board(person)
    clock.now += SECONDS
    (ask,) = asks()
    handle_line(person, "clock")
    assert person.on_answer(ask, told(63.0, (4,), (3,))).lines == []  # type: ignore[arg-type]
    assert "Only ann" not in board(person)
    clock.now += SECONDS
    assert asks() == []


def test_those_of_the_table_that_is_shown_are_looked_at_wherever_one_turns() -> None:
    clock = Clock()
    person = spectator(clock)
    handle_line(person, "hands")
    person.on_message(told(61.0, (1,), (3,)))
    person.on_message(m.TableReply(info=msgspec.structs.replace(open_table("toy"), table="t2"), seat=1))
    clock.now += SECONDS
    assert person.seats.here is not None
    assert person.seats.here.id == "t2"
    assert [ask.fields for ask in person.poll_effects().asks if ask.kind is m.Hands] == [{"table": "t1"}]


def test_a_refusal_is_said_once_and_puts_them_away() -> None:
    clock = Clock()
    person = spectator(clock)
    handle_line(person, "hands")
    person.on_message(told(61.0, (1,), (3,)))
    (ask,) = [one for one in person.poll_effects().asks if one.kind is m.Hands]
    (line,) = person.on_answer(ask, m.Error(code="not_at_table", text="You are not at that table.")).lines
    assert plain_text(line) == "! You are not at that table."
    assert "Only ann" not in board(person)
    clock.now += SECONDS
    assert [one for one in person.poll_effects().asks if one.kind is m.Hands] == []


async def test_what_they_have_become_meanwhile_does_not_take_an_answer_away_that_is_read() -> None:
    clock, link = Clock(), PatientLink()
    person = spectator(clock)
    visit = ClientSession(person, PaperScreen())
    person.settings.pinned = True
    visit._link = cast(Link, link)
    await visit._carry_out(InputLine("hands"))
    link.asked[m.Hands](told(61.0, (1,), (3,)))
    clock.now += SECONDS
    visit._follow(person.poll_effects())
    await visit._carry_out(InputLine("who"))
    link.asked[m.Who](m.Players(players=(m.PlayerInfo("bob", "person"),)))
    read = list(person.page.answer)
    link.asked[m.Hands](told(62.0, (2,), (3,)))
    assert person.page.answer == read != []


def test_plain_lines_show_them_once() -> None:
    person = spectator(Clock())
    person.settings.pinned = False
    handle_line(person, "hands")
    lines = [plain_text(line) for line in person.on_message(told(61.0, (1, 2), (3, 4))).lines]
    assert lines[0] == "All hands at t1, as they were 1:01 after the beginning:"
    assert lines.count("  Hand: 1 2") == 1
    handle_line(person, "hands")
    (line,) = person.on_message(m.OpenHands(table="t1", at=-5.0)).lines
    assert plain_text(line) == "All hands are shown with a delay here; the first ones in 0:05."


def test_who_joins_is_told_first_and_agrees_by_joining_once_more() -> None:
    person = new_person("cy", now=Clock())

    table = msgspec.structs.replace(open_table("toy"), table="t200", delay=180)
    (joins,) = handle_line(person, "join t200 2").asks
    looks = person.on_answer(joins, m.Error(code="not_agreed", text="Join with the table's `delay`."))
    assert (looks.lines, [(ask.kind, ask.fields) for ask in looks.asks]) == ([], [(m.Tables, {"after": "t199"})])
    again = person.on_answer(looks.asks[0], m.TableList(tables=(table,))).again
    assert said(person, again) == (
        "Spectators of t200 see all hands, 3:00 later, and not before each player has made 12 more decisions. "
        "Join once more to agree."
    )
    assert asked(person, "join t200 2") == (m.Join, {"table": "t200", "seat": 2, "nonce": "", "delay": 180})


def test_join_alone_says_it_too() -> None:
    person = new_person("cy", now=Clock())
    (lists,) = handle_line(person, "join").asks
    table = msgspec.structs.replace(open_table("toy"), delay=180)
    assert said(person, person.on_answer(lists, m.TableList(tables=(table,))).again).startswith(
        "Spectators of t1 see all"
    )


def test_who_sits_there_already_is_not_asked_once_more() -> None:
    person = new_person("bob", now=Clock())
    people = (m.SeatInfo(1, "ann", "person"), m.SeatInfo(2, "bob", "person"))
    person.seats.listed = (msgspec.structs.replace(open_table("toy"), seats=people, delay=180),)
    assert asked(person, "join t1") == (m.Join, {"table": "t1", "seat": 0, "nonce": "", "delay": 0})


def test_a_rematch_keeps_the_delay_to_which_all_agreed() -> None:
    person = seated(1, 2)
    assert person.seats.here is not None
    assert person.seats.here.known is not None
    person.seats.here.known, person.seats.here.state = (
        msgspec.structs.replace(person.seats.here.known, delay=60),
        "over",
    )
    opens, _says = person.rematch.rematch_requests(person.seats, person.name, person.settings.nonce)
    assert (opens.fields["delay"], opens.fields["seat"]) == (60, 2)
    person.seats.listed = (msgspec.structs.replace(open_table("toy"), owner="bob", delay=60),)
    (joins,) = person.rematch.rematch_requests(person.seats, person.name, person.settings.nonce)
    assert (joins.kind, joins.fields["delay"]) == (m.Join, 60)
