"""The server's data are restored from a backup while its players are connected: the match goes on for all of them."""

from __future__ import annotations

from copy import deepcopy

import trio
from trio.testing import MockClock

from bots.random import RandomBot
from bots.sdk.link import Dial, Identity, open_link
from bots.sdk.runner import Runner
from bots.sdk.seat import take_seat
from games.registry import all_games
from server.config import Config
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.restarts import running

CONFIG = Config(port=0, house_seconds=0.0)
GAME = "mages-110m"


class Machine:
    """A server at one address whose data can be saved, and restored to what was saved."""

    def __init__(self) -> None:
        self.disk = Disk(delay=0.01)
        self.hall: Hall | None = None
        self._saved: dict[str, dict[int, bytes]] = {}

    def save(self) -> None:
        self._saved = deepcopy(self.disk.rows)

    def restore(self) -> None:
        self.disk.rows = deepcopy(self._saved)

    async def serve(self, until: trio.Event) -> None:
        """One life of the server."""
        async with running(self.disk, CONFIG, all_games()) as self.hall:
            await until.wait()
        self.hall = None

    def dial(self) -> Dial:
        async def dial() -> trio.abc.Stream:
            if self.hall is None:
                raise ConnectionRefusedError(111, "Connection refused")
            return self.hall.dial()

        return dial

    def decisions(self) -> int:
        there = self.hall is not None and "t1" in self.hall.lobby.tables
        return len(self.hall.done()) if there and self.hall is not None else 0


async def lives(machine: Machine, before: int, lost: int) -> None:
    """A backup after so many decisions, a kill after `lost` more, the restore, and another start."""
    died, ends = trio.Event(), trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(machine.serve, died)
        while machine.decisions() < before:  # noqa: ASYNC110
            await trio.sleep(0.001)
        machine.save()
        while machine.decisions() < before + lost:  # noqa: ASYNC110
            await trio.sleep(0.001)
        died.set()
    await trio.sleep(0.5)
    machine.restore()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(machine.serve, ends)
        await trio.sleep_forever()


async def test_bots_play_on_after_a_restore_and_say_what_was_lost(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    machine = Machine()
    reports: dict[str, list[str]] = {"ann": [], "bob": []}
    runners = {name: Runner(RandomBot, all_games(), 7, report=reports[name].append) for name in reports}

    async def play(name: str) -> None:
        while machine.hall is None:  # noqa: ASYNC110
            await trio.sleep(0.001)
        async with open_link(machine.dial(), Identity(name, bot=True), hearer=runners[name]) as link:
            await take_seat(link, GAME, seats=2) if name == "ann" else await take_seat(link, table="t1")
            await runners[name].wait_until_finished(1)

    nursery.start_soon(lives, machine, 5, 12)
    async with trio.open_nursery() as playing:
        playing.start_soon(play, "ann")
        await trio.sleep(0.3)
        playing.start_soon(play, "bob")
    for name, runner in runners.items():
        assert runner.finished[0].how == "played", reports[name]
        assert "table t1: the server lost the latest moves" in "\n".join(reports[name])
        assert not any("is gone" in text for text in reports[name])
    nursery.cancel_scope.cancel()
