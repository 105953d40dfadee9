"""How a seat is taken: at the named table, at one that is open, or at a new one, which starts once it is full."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
import trio

from bots.sdk.link import Heard, Identity, Link, Refused, open_link
from bots.sdk.seat import R, all_tables, join_first, take_seat
from games.chance import Chance
from games.registry import get_game
from matches.seat import JoinedTable, start_request_if_full
from protocol import messages as m
from protocol.connection import UndecodedTurn
from tests.helpers.hall import Hall
from tests.helpers.scissors import dial_to


def table(name: str, *people: str, seats: int = 2, state: str = "open", game: str = "toy") -> m.TableInfo:
    """A table of the first of these people."""
    taken = tuple(m.SeatInfo(number, person, "person") for number, person in enumerate(people, 1))
    empty = tuple(m.SeatInfo(number) for number in range(len(people) + 1, seats + 1))
    return m.TableInfo(
        table=name,
        game=game,
        state=state,
        owner=people[0],
        seats=taken + empty,
        clock=m.ClockRule(),
        options={},
        commitment="",
    )


@dataclass
class Crowded:
    """A player at a server with these tables, where somebody else takes the seats of some."""

    tables: tuple[m.TableInfo, ...]
    taken: tuple[str, ...] = ()
    asked: list[m.Request] = field(default_factory=list)

    async def ask(self, request: m.Request, answer: type[R]) -> R:
        reply = self._answer(request)
        assert isinstance(reply, answer)
        return reply

    def _answer(self, request: m.Request) -> m.Reply:
        self.asked.append(request)
        if isinstance(request, m.Tables):
            return m.TableList(tables=self.tables)
        if isinstance(request, m.Join) and request.table in self.taken:
            raise Refused(m.Error(code="table_full", text="Every seat is taken."))
        named = request.table if isinstance(request, m.Join) else "new"
        return m.TableReply(info=table(named, "bob", "ann"), seat=2)


async def test_a_seat_at_the_named_table(hall: Hall) -> None:
    there = hall.lobby.open_table("toy", 2, "", {}, m.ClockRule())
    async with open_link(dial_to(hall), Identity("ann")) as link:
        taken = await take_seat(link, table=there.id, nonce="abc")
        assert (taken.info.table, taken.seat) == (there.id, 1)
        assert there.seating.seat_states[0].nonce == "abc"


async def test_a_new_table_with_bots_beside(hall: Hall) -> None:
    async with open_link(dial_to(hall), Identity("ann")) as link:
        clock = m.ClockRule(main=7.0)
        opened = await take_seat(link, "toy", seats=4, bots=("first", "first"), options={"rounds": 1}, clock=clock)
        info = hall.lobby.tables[opened.info.table].table_info()
    assert [seat.kind for seat in info.seats] == ["person", "house", "house", "empty"]
    assert (info.clock, info.options) == (clock, {"rounds": 1})


async def joined(player: Crowded, game: str = "toy") -> str:
    """The table where a seat was taken; "" for none."""
    taken = await join_first(player, await all_tables(player), game)
    return taken.info.table if taken is not None else ""


async def test_the_first_open_table_with_room_is_joined() -> None:
    tables = (
        table("t1", "bob", "cid"),
        table("t2", "bob", state="playing"),
        table("t3", "bob", game="chess"),
        table("t4", "bob"),
    )
    player = Crowded(tables)
    assert await joined(player) == "t4"
    assert [type(request) for request in player.asked] == [m.Tables, m.Join]


async def test_who_wants_any_game_joins_the_table_that_waits_whatever_is_played_there() -> None:
    tables = (table("t1", "bob", state="playing"), table("t2", "bob", game="chess"))
    assert await joined(Crowded(tables), "") == "t2"
    assert await joined(Crowded(tables)) == ""


async def test_where_somebody_else_was_quicker_the_next_table_is_tried_and_then_none() -> None:
    tables = (table("t1", "bob"), table("t2", "bob"))
    assert await joined(Crowded(tables, ("t1",))) == "t2"
    assert await joined(Crowded(tables, ("t1", "t2"))) == ""


async def test_a_table_where_spectators_see_all_hands_is_passed_over() -> None:
    assert await joined(Crowded((msgspec.structs.replace(table("t1", "bob"), delay=60), table("t2", "bob")))) == "t2"


async def test_who_wants_a_table_of_their_own_joins_none() -> None:
    player = Crowded((table("t1", "bob"),))
    assert (await take_seat(player, "toy", seats=3)).info.table == "new"


def test_only_a_full_open_table_of_ones_own_is_started() -> None:
    start = start_request_if_full(table("t1", "ann", "bob"), "ann", "abc")
    assert start == m.Start(id=1, table="t1", nonce="abc")
    assert start_request_if_full(table("t1", "ann"), "ann") is None
    assert start_request_if_full(table("t1", "ann", "bob"), "bob") is None
    assert start_request_if_full(table("t1", "ann", "bob", state="playing"), "ann") is None


def test_a_seat_that_is_only_held_for_somebody_starts_no_match() -> None:
    full = table("t1", "ann", "bob")
    away = msgspec.structs.replace(full.seats[1], here=False)
    assert start_request_if_full(msgspec.structs.replace(full, seats=(full.seats[0], away)), "ann") is None


@pytest.mark.parametrize("name", ["ikasamage", "cheaty-mages", "magecraft", "mages-110m"])
def test_a_turn_is_read_alike_from_msgpack_and_from_plain_maps(name: str) -> None:
    game = get_game(name)
    state, _told = game.start(3, game.options_type(), Chance.of_number(1))
    seat = min(state.to_move())
    joined = JoinedTable("t1", game, seat, 3, {})
    parts: dict[str, Any] = {
        "view": state.view(seat),
        "legal": state.legal_actions(seat),
        "knowledge": state.knowledge(seat),
    }
    for names in [("view", "legal", "knowledge"), ("view",), ("legal",), ()]:
        told = m.TurnUpdate(table="t1", n=1, turn=1, left=9.0, main=9.0, **{name: parts[name] for name in names})
        message = msgspec.msgpack.encode(told)
        turn = joined.parse_turn(msgspec.msgpack.decode(message, type=UndecodedTurn))
        assert turn == joined.parse_turn(msgspec.msgpack.decode(message, type=m.TurnUpdate))
        assert turn.view == (parts["view"] if "view" in names else None)
        assert turn.legal == (list(parts["legal"]) if "legal" in names else [])
        assert turn.knowledge == (parts["knowledge"] if "knowledge" in names else None)


@pytest.mark.parametrize("reads", [False, True])
async def test_a_hearer_is_told_turns_unread_only_if_it_reads_them(hall: Hall, reads: bool) -> None:
    class Ear:
        """Remembers turns."""

        reads_turns = reads

        def on_message(self, link: Link, message: Heard) -> None:
            told.append(message)

        def on_caught_up(self, link: Link) -> None:
            came.set()

    told, came = list[Heard](), trio.Event()
    async with open_link(dial_to(hall), Identity("ann"), hearer=Ear()) as link:
        table = (await link.ask(m.Open(id=1, game="toy", seats=2), m.TableReply)).info.table
        await link.ask(m.Add(id=1, table=table, bot="first"), m.TableReply)
        await link.ask(m.Start(id=1, table=table), m.TableReply)
        while not any(isinstance(one, m.TurnUpdate) for one in told):
            came = trio.Event()
            await came.wait()
    (turn,) = [one for one in told if isinstance(one, m.TurnUpdate)]
    assert isinstance(turn, UndecodedTurn) == reads
    assert isinstance(turn.view, dict) != reads
