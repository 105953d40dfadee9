"""Where the time of a decision went: thinking, our own fault, and what is left."""

from __future__ import annotations

import msgspec
import trio
import trio.testing

from matches.fold import Match
from matches.ledger import Ledger, Spent, ledger
from matches.record import Record
from protocol.entries import ActionTaken, ServerStalled
from protocol.messages import ClockRule
from server.config import Config
from tests.helpers.hall import Hall
from tests.helpers.toy import TOY, Play
from tests.matches.test_fold import HEADER


async def test_what_a_stall_takes_is_ours_and_charged_to_nobody(autojump_clock: trio.testing.MockClock) -> None:
    async with trio.open_nursery() as nursery:
        hall = Hall(nursery, Config(port=0, clock=ClockRule(10.0, 1.0)))
        ann, bob = await hall.table_of("ann", "bob")
        await trio.sleep(3.0)
        hall.lobby.tables["t1"].stalled(40.0)  # it did not run: nobody's clock did
        await trio.sleep(42.0)
        for peer in (ann, bob):
            turn = await peer.next("turn")
            await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
        table = hall.lobby.tables["t1"]
        record = Record(TOY, table.live().match.header, tuple(table.entries))
        spent = list(ledger(record))
        nursery.cancel_scope.cancel()
    assert spent[0] == Spent(1, 1, at=45.0, thinking=5.0, ours=40.0, bank=6.0)
    assert [(one.seat, one.ours) for one in spent][:2] == [(1, 40.0), (2, 40.0)]


def test_each_decision_has_its_own_time_and_what_was_given_back_for_it() -> None:
    header = msgspec.structs.replace(HEADER, options={"rounds": 2})
    match, made = Match(TOY, header), Ledger()
    match.begin({})
    for entry in (
        ActionTaken(6.0004, 1, Play(0)),
        ServerStalled(7.0, {1: 9.0, 2: 1.5, 3: 0.5}),  # seat 1 is not asked
        ServerStalled(8.0, {2: 0.5}),
        ActionTaken(20.0, 2, Play(0)),
        ActionTaken(65.5, 3, Play(0), "time"),
        ActionTaken(65.5, 1, Play(0)),
        ActionTaken(68.0, 2, Play(0)),
    ):
        if isinstance(entry, ActionTaken):
            entry = msgspec.structs.replace(entry, action=match.state.legal_actions(entry.seat)[0])
        made.apply(match, entry, {})
    assert made.spent == [
        Spent(1, 1, at=6.0, thinking=6.0, ours=0.0, bank=59.0),
        Spent(2, 1, at=20.0, thinking=18.0, ours=2.0, bank=47.0),
        Spent(3, 1, at=65.5, thinking=65.0, ours=0.5, bank=0.0, why="time"),
        Spent(1, 2, at=65.5, thinking=0.0, ours=0.0, bank=59.0),
        Spent(2, 2, at=68.0, thinking=2.5, ours=0.0, bank=47.0),
    ]
