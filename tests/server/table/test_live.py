"""A match while it is played: its time, which can stand still, and its task, which ends with it."""

from __future__ import annotations

import re

import pytest
import trio
import trio.testing

from protocol.messages import ClockRule
from tests.helpers.hall import Hall


@pytest.mark.parametrize("config", [{"clock": ClockRule(10.0, 1.0)}], indirect=True)
async def test_the_time_of_a_match_stands_still_and_goes_on_from_there(hall: Hall) -> None:
    await hall.table_of("ann", "bob")
    live = hall.lobby.tables["t1"].require_live_match()
    await trio.sleep(2.0)
    assert live.match_time() == 2.0
    live.resume_clock()  # it did not stand still
    live.stop_clock()
    await trio.sleep(100.0)
    assert (live.match_time(), hall.done()) == (2.0, [])
    live.compensate_disk_wait(50.0)
    assert live.entries == [], "its time has stood still for that already"
    live.resume_clock()
    await trio.sleep(8.5)
    assert (live.match_time(), hall.done()) == (10.5, [])
    await trio.sleep(1.0)
    assert [(done.at, done.why) for done in hall.done()] == [(11.0, "time")] * 2


@pytest.mark.parametrize("config", [{"clock": ClockRule(10.0, 1.0)}], indirect=True)
@pytest.mark.parametrize(("given_back", "decided_at"), [(0.0, 15.5), (10.0, 21.0)])
async def test_a_deadline_that_passed_while_the_server_stood_still_counts_when_time_was_given_back(
    hall: Hall, given_back: float, decided_at: float
) -> None:
    await hall.table_of("ann", "bob")
    await trio.sleep(5.0)
    clock = trio.lowlevel.current_clock()
    assert isinstance(clock, trio.testing.MockClock)
    clock.jump(10.0)
    await trio.sleep(0.3)
    hall.lobby.tables["t1"].compensate_stall(given_back)
    await trio.sleep(7.0)
    assert [done.at for done in hall.done()][:2] == [decided_at] * 2


@pytest.mark.parametrize("config", [{"grace": 3.0}], indirect=True)
async def test_a_grace_that_passed_while_the_server_stood_still_does_not_cost_the_seat(hall: Hall) -> None:
    _ann, bob = await hall.table_of("ann", "bob")
    await trio.sleep(1.0)
    await bob.cut()
    clock = trio.lowlevel.current_clock()
    assert isinstance(clock, trio.testing.MockClock)
    clock.jump(10.0)
    await trio.sleep(0.3)
    table = hall.lobby.tables["t1"]
    table.compensate_stall(10.0)
    await trio.sleep(1.0)
    assert table.seating.seat_state(2).house is None
    await trio.sleep(3.0)
    assert table.seating.seat_state(2).house is not None


async def test_a_match_whose_log_cannot_be_gone_through_again_is_aborted_as_it_is(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    hall.toy().hands[0][0] = 13

    def fail(*_: object) -> None:
        raise LookupError("planted")

    monkeypatch.setattr("server.table.live.fold", fail)
    await ann.ask("act", table="t1", turn=1, action={"do": "play", "card": 13})
    over = await bob.next("over")
    assert re.fullmatch(r"The server erred \(incident [0-9a-f]{8}\).*", over["text"])
    assert over["aborted"]
    assert "table t1 cannot be folded again" in caplog.text
