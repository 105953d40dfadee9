"""A table without a connection: who sits down, stands up, is away, and what is kept of it."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from protocol import messages as m
from protocol.entries import ActionTaken, PresenceChanged
from protocol.errors import Refusal
from server.common import Common
from server.config import Config
from server.player import Player
from server.table.records import read_table
from server.table.table import Table
from tests.helpers.hall import TOYS
from tests.helpers.house import FirstHouse
from tests.helpers.toy import TOY
from tests.server.table.test_referee import Brooders
from tests.server.table.test_seating import Ear
from tests.server.test_player import Rows

CONFIG = Config(grace=30.0, house_seconds=0.0)


def table_of(*names: str, house: Any = None, **fields: Any) -> tuple[Table, list[Player], Rows]:
    """An open table for two, with these players, who are connected, and the rows that are kept of it."""
    journal = Rows()
    common = Common(CONFIG, TOYS, house or FirstHouse("first"), journal)
    table = Table("t1", TOY, 2, common, owner="ann", options={"rounds": 1}, clock=m.ClockRule(60, 5), **fields)
    players = [Player(name, journal) for name in names]
    for player in players:
        player.listener = Ear()
        table.sit(player)
    return table, players, journal


async def started(*names: str) -> tuple[Table, list[Player], Rows]:
    table, players, journal = table_of(*names)
    for _ in table.seating.chairs[len(names) :]:
        table.add_house("first")
    table.start(lambda: None)
    return table, players, journal


def told(player: Player) -> list[m.Message]:
    """What the player was told since the last time."""
    assert isinstance(player.listener, Ear)
    heard, player.listener.heard = player.listener.heard, []
    return heard


def refused(call: Any, *arguments: Any, **more: Any) -> str:
    with pytest.raises(Refusal) as refusal:
        call(*arguments, **more)
    return refusal.value.code.name


async def test_who_sits_down_gets_the_first_empty_seat_and_the_table_is_kept_and_told() -> None:
    table, (ann,), journal = table_of("ann")
    told(ann)
    bob = Player("bob", journal)
    bob.listener = Ear()
    assert table.sit(bob, nonce="moth").number == 2
    assert table.info().delay == 0
    assert told(ann) == [m.TableChanged(info=table.info())]
    assert told(bob) == [], "the answer shows it"
    assert [*bob.tables] == ["t1"]
    row = read_table(journal.rows["t1"])
    assert [(chair.name, chair.nonce, chair.seated, chair.listed) for chair in row.chairs] == [
        ("ann", "", True, True),
        ("bob", "moth", True, True),
    ]
    assert refused(table.sit, bob) == "already_seated"
    assert refused(table.sit, Player("cleo")) == "table_full"


async def test_house_bots_sit_down_as_players_do_and_those_that_think_where_they_may() -> None:
    table, (ann,), journal = table_of("ann")
    table.add_house("first")
    assert [chair.info().name for chair in table.seating.chairs] == ["ann", "first"]
    assert [chair.house for chair in read_table(journal.rows["t1"]).chairs] == ["", "first"]
    assert len(told(ann)) == 1
    thinking, _players, _journal = table_of("ann", house=Brooders("brooder"))
    assert refused(thinking.add_house, "brooder", may_think=False) == "no_such_bot"
    thinking.add_house("brooder")
    assert thinking.seating.chair(2).house_name == "brooder"


async def test_at_an_open_table_a_seat_waits_for_who_is_away_and_is_free_when_its_player_left() -> None:
    table, (ann, bob), journal = table_of("ann", "bob")
    told(ann)
    table.away(bob)
    table.away(Player("eve"))  # who has no seat
    assert table.seating.chair(2).name == "bob"
    assert told(ann) == [m.TableChanged(info=table.info())]
    again = Ear()
    table.back(bob, again)
    assert (table.seating.chair(2).listener, len(told(ann))) == (again, 1)
    table.back(bob, again)
    assert told(ann) == [], "nothing has changed"
    table.away(bob, "left")
    assert (table.seating.chair(2).name, [*bob.tables], len(told(ann))) == ("", [], 1)
    assert [chair.name for chair in read_table(journal.rows["t1"]).chairs] == ["ann", ""]


async def test_a_table_belongs_to_the_next_player_when_its_owner_leaves() -> None:
    table, (ann, bob), journal = table_of("ann", "bob")
    assert refused(table.stand_up, Player("eve")) == "not_seated"
    assert table.stand_up(ann) == 0.0
    assert (table.owner, read_table(journal.rows["t1"]).owner) == ("bob", "bob")
    told(bob)
    table.sit(ann)
    told(ann)
    told(bob)
    table.belong_to(ann)
    assert (table.owner, told(bob), told(ann)) == ("ann", [m.TableChanged(info=table.info())], [])
    for player in (ann, bob):
        table.stand_up(player)
    assert table.owner == ""


async def test_with_the_deal_all_have_played_and_who_is_not_here_is_away() -> None:
    table, (ann, bob), _journal = table_of("ann", "bob")
    table.seating.unplug(bob)
    table.start(lambda: None)
    assert (ann.played, bob.played) == (True, True)
    assert [entry.how for entry in table.entries if isinstance(entry, PresenceChanged)] == ["away"]
    assert [chair.away for chair in table.seating.chairs] == [None, 0.0]
    table.away(bob)
    assert len(table.entries) == 1, "as before"
    table.back(bob, Ear())
    assert [entry.how for entry in table.entries if isinstance(entry, PresenceChanged)] == ["away", "back"]
    table.back(bob, Ear())
    assert len(table.entries) == 2


async def test_who_leaves_a_match_has_the_seat_held_for_as_long_as_the_grace_lasts() -> None:
    table, (ann, bob), _journal = await started("ann", "bob")
    assert table.keeps(bob)
    assert table.plays(bob)
    assert table.stand_up(bob) == 30.0
    assert table.keeps(bob)
    table.dismiss(Player("eve"), "left")
    assert [entry.how for entry in table.entries if isinstance(entry, PresenceChanged)] == ["left"]
    table.dismiss(bob, "kicked")
    table.dismiss(bob, "kicked")
    assert [entry.how for entry in table.entries if isinstance(entry, PresenceChanged)] == ["left", "kicked"]
    assert (table.keeps(bob), table.plays(bob), table.keeps(ann)) == (False, False, True)
    assert table.stand_up(bob) == 0.0
    assert (table.seating.chair(2).name, [*bob.tables]) == ("bob", []), "it is bob's seat for ever"
    assert refused(table.check_resign, Player("eve")) == "not_seated"
    assert refused(table.check_resign, bob) == "game_over"
    assert table.check_resign(ann) is table.seating.chair(1)


async def test_whose_decision_is_awaited() -> None:
    table, (ann,), _journal = await started("ann")
    assert (table.awaited(ann), table.awaited(Player("eve"))) == (1, 0)
    legal = table.running().state.legal_actions(1)
    table.live().record(ActionTaken(1.0, 1, legal[0]))
    assert table.awaited(ann) == 0
    opened, (bob,), _rows = table_of("bob")
    assert opened.awaited(bob) == 0
    opened.dismiss(bob, "left")
    assert opened.seating.chair(1).name == "bob"


async def test_a_match_that_is_over_is_kept_as_such_and_its_table_rests_from_then_on(nursery: trio.Nursery) -> None:
    table, (ann,), journal = await started("ann")
    assert table.touched == trio.current_time()
    nursery.start_soon(table.run)
    await trio.sleep(5.0)
    (legal, *_rest) = table.running().state.legal_actions(1)
    assert not read_table(journal.rows["t1"]).over
    table.live().record(ActionTaken(5.0, 1, legal))
    with trio.fail_after(1.0):
        await table.done.wait()
    assert (table.state, read_table(journal.rows["t1"]).over) == ("over", True)
    assert table.touched == trio.current_time()
    assert table.stand_up(ann) == 0.0
    chair = table.seating.chair(1)
    assert (chair.name, chair.listener, [*ann.tables]) == ("ann", None, [])
    assert refused(table.sit, Player("eve")) == "already_started"


async def test_a_table_is_touched_whenever_somebody_wants_to_change_it() -> None:
    table, _players, _journal = table_of("ann")
    await trio.sleep(7.0)
    table.sit(Player("bob"), 2)
    assert table.touched == trio.current_time()


async def test_a_turn_has_what_its_player_wants_as_of_now() -> None:
    table, (ann,), _journal = await started("ann")
    ann.says_what_it_hears("live", ("view",))
    turn = table.turn(1)
    assert turn is not None
    assert (turn.legal, turn.view) == ((), table.running().state.view(1))
