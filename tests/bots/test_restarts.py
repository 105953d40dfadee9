"""Bots play on by themselves when their server is restarted, or its disk is full for a while."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock

from bots.sdk import Bot, Turn
from bots.sdk.link import Dial, Identity, open_link
from bots.sdk.runner import Runner
from bots.sdk.seat import take_seat
from games.api import Action
from protocol import messages as m
from server.config import Config
from tests.helpers.disk import Disk
from tests.helpers.hall import TOYS, Hall

CONFIG = Config(port=0, house_seconds=0.0)


class First(Bot):
    """Does what comes first."""

    def choose(self, turn: Turn) -> Action:
        return turn.legal[0]


class Machine:
    """A server that can be killed and started again, at one address."""

    def __init__(self, nursery: trio.Nursery, disk: Disk, config: Config = CONFIG) -> None:
        self._nursery, self.disk, self._config = nursery, disk, config
        self.hall: Hall
        self.kills = 0

    async def run(self, *, task_status: trio.TaskStatus[None]) -> None:
        """One life after the other."""
        while True:
            async with trio.open_nursery() as nursery:
                self.hall = Hall(nursery, self._config, store=self.disk)
                self._life = nursery.cancel_scope
                if not self.kills:
                    task_status.started()
            self.kills += 1
            self.disk.dead = False

    def kill(self) -> None:
        """Nothing is said, and nothing more is written."""
        self.disk.dead = True
        self._life.cancel()

    def dial(self) -> Dial:
        """To whatever server is there."""

        async def dial() -> trio.abc.Stream:
            return self.hall.dial()

        return dial


async def test_a_bot_plays_to_the_end_over_any_number_of_restarts(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    machine = Machine(nursery, Disk(delay=0.05))
    await nursery.start(machine.run)
    reports: list[str] = []
    runners = [Runner(First, TOYS, seat, report=reports.append) for seat in (1, 2)]

    async def play(runner: Runner, name: str) -> None:
        async with open_link(machine.dial(), Identity(name, bot=True), hearer=runner) as link:
            if name == "ann":
                await take_seat(link, "toy", seats=2)
            else:
                await trio.sleep(0.5)
                await take_seat(link, table="t1")
            await runner.wait_until_finished(1)

    async with trio.open_nursery() as playing:
        playing.start_soon(play, runners[0], "ann")
        playing.start_soon(play, runners[1], "bob")
        await trio.sleep(0.62)
        for _ in range(40):
            machine.kill()
            await trio.sleep(0.31)
    assert [runner.finished[0].how for runner in runners] == ["played", "played"], reports
    assert machine.kills > 3, "each time with both connected"
    over = machine.hall.lobby.tables["t1"].require_match()
    assert [over.how[seat] for seat in (1, 2)] == ["played", "played"]
    assert len(machine.hall.done()) == 6
    nursery.cancel_scope.cancel()


async def _restored(machine: Machine, rows: dict[str, dict[int, bytes]]) -> None:
    """The data are those of a backup when the server runs again."""
    machine.kill()
    machine.disk.rows = rows
    await trio.sleep(1)


@pytest.mark.parametrize("when", ["playing", "over"])
async def test_a_bot_adds_house_bots_again_that_a_restored_table_lacks(
    nursery: trio.Nursery, autojump_clock: MockClock, when: str
) -> None:
    machine = Machine(nursery, Disk(delay=0.01))
    await nursery.start(machine.run)
    reports: list[str] = []
    runner = Runner(First, TOYS, 7, report=reports.append)
    async with open_link(machine.dial(), Identity("ann", bot=True), hearer=runner) as link:
        await take_seat(link, "toy", seats=2)
        backup = deepcopy(machine.disk.rows)
        await link.ask(m.Add(id=1, table="t1", bot="first"), m.TableReply)
        runner.keep_bots_seated("t1", ["first"])
        if when == "over":
            await runner.wait_until_finished(1)
            await trio.sleep(1)
        await _restored(machine, backup)
        with trio.fail_after(60):
            await runner.wait_until_finished(1)
    assert [(done.table, done.how) for done in runner.finished] == [("t1", "played")], reports
    assert any("added again" in text for text in reports), reports
    nursery.cancel_scope.cancel()


async def test_a_bot_plays_a_match_on_that_was_over_before_a_restore(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    machine = Machine(nursery, Disk(delay=0.01), replace(CONFIG, house_seconds=1.0))
    await nursery.start(machine.run)
    reports: list[str] = []
    runner = Runner(First, TOYS, 7, report=reports.append)
    async with open_link(machine.dial(), Identity("ann", bot=True), hearer=runner) as link:
        await take_seat(link, "toy", seats=2, bots=["first"])
        await trio.sleep(0.5)
        backup = deepcopy(machine.disk.rows)
        await runner.wait_until_finished(1)
        await trio.sleep(1)
        await _restored(machine, backup)
        assert "lost the latest moves" in "".join(reports), reports
        with trio.fail_after(60):
            await runner.wait_until_finished(1)
        await trio.sleep(1)
    match = machine.hall.lobby.tables["t1"].require_match()
    assert match.over is not None, reports
    assert match.how[1] == "played"
    nursery.cancel_scope.cancel()


async def test_a_table_that_filled_while_its_owner_was_cut_off_is_started_all_the_same(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    machine = Machine(nursery, Disk())
    await nursery.start(machine.run)
    ann, bob = (Runner(First, TOYS, seat, report=print) for seat in (1, 2))
    async with open_link(machine.dial(), Identity("ann", bot=True), hearer=ann) as link:
        await take_seat(link, "toy", seats=2)
        machine.kill()
        await trio.sleep(0.01)
        async with open_link(machine.dial(), Identity("bob", bot=True), hearer=bob) as other:
            await take_seat(other, table="t1")
            assert machine.hall.lobby.people.find_player("ann").listener is None  # type: ignore[union-attr]
            with trio.fail_after(60):
                await bob.wait_until_finished(1)
    nursery.cancel_scope.cancel()


async def test_a_bot_repeats_what_a_full_disk_refused(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    disk = Disk(delay=0.01)
    hall = Hall(nursery, CONFIG, store=disk)
    runner = Runner(First, TOYS, 7, report=print)

    async def dial() -> trio.abc.Stream:
        return hall.dial()

    async with open_link(dial, Identity("ann", bot=True), hearer=runner) as link:
        await take_seat(link, "toy", seats=2)
        disk.full = True
        hall.lobby.add_bot(hall.lobby.tables["t1"], "first")
        await trio.sleep(30)
        assert not runner.finished
        disk.full = False
        await trio.sleep(3)
        if hall.lobby.tables["t1"].state == "open":
            hall.lobby.add_bot(hall.lobby.tables["t1"], "first")
        await trio.sleep(0.015)
        disk.full = True
        await trio.sleep(30)
        disk.full = False
        await runner.wait_until_finished(1)
    assert runner.finished[0].how == "played"
    nursery.cancel_scope.cancel()
