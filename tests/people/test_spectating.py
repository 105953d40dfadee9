"""A spectator turns from one running match to the next, and back to the first; what they leave they hear no more."""

from __future__ import annotations

import trio
import trio.testing

from bots.sdk.link import Identity, open_link
from client.screen.screen import InputLine
from client.session import ClientSession
from people.person import Person
from people.typed import handle_line
from protocol import messages as m
from tests.helpers.hall import Hall
from tests.helpers.paper import PaperScreen, new_person
from tests.helpers.scissors import dial_to
from tests.people.at_a_table import seated


def info(table: str, state: str = "playing") -> m.TableInfo:
    seats = (m.SeatInfo(1, "ann", "person"), m.SeatInfo(2, "bob", "person"))
    return m.TableInfo(
        table=table, game="toy", state=state, owner="ann", seats=seats, clock=m.ClockRule(), options={}, commitment="c0"
    )


def turned(person: Person, *tables: m.TableInfo) -> list[tuple[str, str]]:
    """What `next` asks for with those tables: kinds and tables; its refusal as ("", sentence)."""
    (asked,) = handle_line(person, "next").asks
    again = person.on_answer(asked, m.TableList(re=1, tables=tables)).again
    effects = handle_line(person, again)
    person.seats.is_fresh = False
    if not effects.asks:
        return [("", "".join(text for _style, text in line)) for line in effects.lines]
    (watch,) = effects.asks
    table = watch.fields["table"]
    heard = person.on_message(m.Watching(re=1, table=table, n=0, info=info(table), view=None))
    return [(ask.kind.__name__, ask.fields["table"]) for ask in (watch, *heard.asks)]


def refused(person: Person, *tables: m.TableInfo) -> str:
    """The table that `next` asks for, which may not be watched."""
    (asked,) = handle_line(person, "next").asks
    (watch,) = handle_line(person, person.on_answer(asked, m.TableList(re=1, tables=tables)).again).asks
    person.seats.is_fresh = False
    assert not person.on_answer(watch, m.Error(code="not_over", text="Not yet.", re=1)).asks
    table: str = watch.fields["table"]
    return table


def watching(table: str) -> Person:
    person = new_person(now=float)
    person.on_message(m.Watching(re=1, table=table, n=0, info=info(table), view=None))
    return person


def test_the_next_running_match_is_watched_and_the_other_left_and_after_the_last_comes_the_first() -> None:
    tables = (info("t1"), info("t2", "open"), info("t3"), info("t4", "over"))
    assert turned(watching("t1"), *tables) == [("Watch", "t3"), ("Leave", "t1")]
    assert turned(watching("t3"), *tables) == [("Watch", "t1"), ("Leave", "t3")]
    assert turned(watching("t4"), *tables) == [("Watch", "t1"), ("Leave", "t4")]
    assert turned(new_person(now=float), *tables) == [("Watch", "t1")]


def test_who_plays_keeps_the_seat_and_where_nothing_else_runs_nothing_happens() -> None:
    assert turned(seated(3), info("t1"), info("t2")) == [("Watch", "t2")]
    assert turned(watching("t1"), info("t1")) == [("", "! No other match is running.")]


def test_a_match_that_may_not_be_watched_is_passed_over_and_nothing_is_left_for_it() -> None:
    person, tables = watching("t1"), (info("t1"), info("t2"), info("t3"), info("t4"))
    assert [refused(person, *tables) for _ in range(4)] == ["t2", "t3", "t4", "t2"]
    assert person.seats.here is not None
    assert person.seats.here.id == "t1"
    assert turned(person, *tables) == [("Watch", "t3"), ("Leave", "t1")]


async def test_a_spectator_sees_one_match_after_the_other(hall: Hall) -> None:
    await hall.table_of("ann", "bob")
    cid = await hall.player("cid")
    await cid.ask("open", game="toy", seats=2)
    await cid.ask("add", table="t2", bot="first")
    await cid.ask("start", table="t2")
    screen = PaperScreen(open_end=True)
    visit = ClientSession(new_person("eve"), screen)
    async with trio.open_nursery() as nursery, open_link(dial_to(hall), Identity("eve"), hearer=visit) as link:
        visit.attach_link(link)
        nursery.start_soon(visit.run)
        for line in ("watch t1", "next", "next"):
            await visit._carry_out(InputLine(line))
            await trio.testing.wait_all_tasks_blocked()
        seats = [hall.lobby.tables[table].seating for table in ("t1", "t2")]
        assert [len(seating.spectators) for seating in seats] == [1, 0]
        nursery.cancel_scope.cancel()
    watched = [line for line in screen.shown if line.startswith("You watch") or "You left" in line]
    assert watched == ["You watch t1.", "You watch t2.", "You left t1.", "You watch t1.", "You left t2."]
