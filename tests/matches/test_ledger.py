"""Where the time of a decision went: thinking, our own fault, and what is left."""

from __future__ import annotations

import trio
import trio.testing

from matches.ledger import DecisionTime, compute_ledger
from matches.record import Record
from protocol.messages import ClockRule
from server.config import Config
from tests.helpers.hall import Hall
from tests.helpers.toy import TOY


async def test_what_a_stall_takes_is_ours_and_charged_to_nobody(autojump_clock: trio.testing.MockClock) -> None:
    async with trio.open_nursery() as nursery:
        hall = Hall(nursery, Config(port=0, clock=ClockRule(10.0, 1.0)))
        ann, bob = await hall.table_of("ann", "bob")
        await trio.sleep(3.0)
        hall.lobby.tables["t1"].compensate_stall(40.0)  # it did not run: nobody's clock did
        await trio.sleep(42.0)
        for peer in (ann, bob):
            turn = await peer.next("turn")
            await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
        table = hall.lobby.tables["t1"]
        record = Record(TOY, table.require_live_match().match.header, tuple(table.entries))
        spent = list(compute_ledger(record))
        nursery.cancel_scope.cancel()
    assert spent[0] == DecisionTime(1, 1, at=45.0, thinking=5.0, ours=40.0, bank=6.0)
    assert [(one.seat, one.ours) for one in spent][:2] == [(1, 40.0), (2, 40.0)]
