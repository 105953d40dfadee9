"""A match goes on at the moment at which its server was lost, whatever was between."""

from __future__ import annotations

import pytest
import trio

from server.config import Config
from tests.helpers.disk import Disk
from tests.helpers.restarts import resume, running


async def test_f01_the_time_of_being_down_is_charged_to_nobody() -> None:
    disk = Disk()
    config = Config(port=0, grace=30.0)
    async with running(disk, config) as hall:
        ann, bob = await hall.table_of("ann", "bob", clock={"main": 60, "increment": 10})
        turn = await ann.next("turn")
        await trio.sleep(15)
        await ann.ask("act", table="t1", turn=1, action=turn["legal"][0])
    await trio.sleep(50_000)
    async with running(disk, config) as hall:
        await trio.sleep(20)
        ann, bob = await resume(hall, ann, "ann"), await resume(hall, bob, "bob")
        clocks = (await ann.ask("clock", table="t1"))["clocks"]
        assert clocks[0]["main"] == 55.0
        assert clocks[1]["left"] == pytest.approx(70 - 15 - 20, abs=0.1), (
            "thought since the deal, without the down time"
        )
        table = hall.lobby.tables["t1"]
        assert table.seating.seat_state(1).grace == pytest.approx(10, abs=0.1)
        await bob.cut()
        await trio.sleep(9)
        assert table.seating.seat_state(2).house is None
        await trio.sleep(2)
        assert table.seating.seat_state(2).house is not None


async def test_the_log_of_a_match_goes_on_no_earlier_than_it_was() -> None:
    """Seconds are no exact numbers: the moment of a restart, taken apart and put together, may come out smaller."""
    disk = Disk()
    async with running(disk) as hall:
        _ann, bob = await hall.table_of("ann", "bob")
        await trio.sleep(0.1)
        await bob.cut()
    await trio.sleep(1_000 / 7)
    async with running(disk) as hall:
        moments = [entry.at for entry in hall.lobby.tables["t1"].entries]
        assert len(moments) == 2
        assert moments == sorted(moments)


async def test_g09_a_lateness_is_told_after_a_restart_as_it_was_before() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, _bob = await hall.table_of("ann", "bob", clock={"main": 0, "increment": 10})
        await trio.sleep(11)
        live = await ann.next("late")
    async with running(disk) as hall:
        ann = await resume(hall, ann, "ann")
        assert await ann.next("late") == live


async def test_grace_that_was_used_before_a_restart_stays_used() -> None:
    disk = Disk()
    config = Config(port=0, grace=30.0)
    async with running(disk, config) as hall:
        ann, _bob = await hall.table_of("ann", "bob")
        await ann.cut()
        await trio.sleep(12)
        ann = await resume(hall, ann, "ann")
        await trio.sleep(1)
    async with running(disk, config) as hall:
        assert hall.lobby.tables["t1"].seating.seat_state(1).grace == pytest.approx(18, abs=0.1)
