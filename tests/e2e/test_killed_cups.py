"""Real servers that hold a cup are killed again and again: it ends with the table of one that nobody disturbed."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import trio
from typer.testing import CliRunner

from bots.sdk.link import Identity, Link, LinkFailed, LinkRestored, open_link, tcp
from bots.sdk.registry import all_bots
from bots.sdk.runner import Runner
from client.cli.app import app as commands
from games.registry import all_games
from protocol import messages as m
from server.cups.kept_cups import read_stored_cup
from tests.e2e.known_chance import NONCE
from tests.e2e.test_kill import serving
from tournaments.bundle import cup_standings
from tournaments.cup import Cup

CUP, GAME, SEATS = "friday", "ikasamage", 3
BOTS = {"e0": "greedy", "e1": "random", "e2": "greedy", "e3": "random"}
PROCESSES = ("e0", "e1")  # whose bots are processes; the others are clients that come back by themselves
PROGRAM = "tests.e2e.known_chance"
PLAYING = 0.1  # seconds after a result, at most, until the server is killed: about two matches
STARTING = 0.25  # the share of the kills that come while the server starts
CYCLE_SECONDS = 15.0  # after which a server is killed even if there was no result
PATIENCE = 120.0  # seconds, for the cup to go on after the last kill

Result: TypeAlias = tuple[tuple[m.SeatResult, ...], str]  # and the table


@dataclass
class Organiser:
    """Opens a cup, has everybody enter, starts it, and notes what it was told."""

    link: Link
    port: int
    rounds: int
    started: list[subprocess.Popen[bytes]]
    told: dict[int, Result] = field(default_factory=dict)
    changed: int = 0  # results that were told again as others
    over: trio.Event = field(default_factory=trio.Event)

    async def hold(self, nursery: trio.Nursery) -> None:
        """Returns when the cup is over."""
        nursery.start_soon(self._listen)
        opening = m.CupOpen(id=1, cup=CUP, game=GAME, seats=SEATS, rounds=self.rounds)
        await self.link.ask(opening, m.CupReply)
        await self._follow()
        for name in BOTS:
            await self._bring(name, nursery)
        await self.link.ask(m.CupStart(id=1, cup=CUP), m.CupReply)
        await self.over.wait()

    async def hears_more(self, seconds: float) -> None:
        """Returns when it is told another result, or after so long."""
        before = len(self.told)
        with trio.move_on_after(seconds):
            while len(self.told) == before:  # noqa: ASYNC110 (what it listens to has no event)
                await trio.sleep(0.01)

    async def _follow(self) -> None:
        info = (await self.link.ask(m.Follow(id=1, cup=CUP), m.CupReply)).info
        if info.state == "finished":
            self.over.set()

    async def _bring(self, name: str, nursery: trio.Nursery) -> None:
        """Returns once that entrant stands in the cup; a process that found no server is started again."""
        process: subprocess.Popen[bytes] | None = None
        if name not in PROCESSES:
            await nursery.start(self._play, name)
        while name not in {one.entrant for one in (await self._info()).entrants}:
            if name in PROCESSES and (process is None or process.poll() is not None):
                process = self._start(name)
            await trio.sleep(0.05)

    def _start(self, name: str) -> subprocess.Popen[bytes]:
        words = ("bot", "run", BOTS[name], "--name", name, "--seed", name[1:], "--cup", CUP, "--tables", "2")
        command = [sys.executable, "-m", PROGRAM, *words, "--port", str(self.port)]
        self.started.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return self.started[-1]

    async def _info(self) -> m.CupInfo:
        return (await self.link.ask(m.CupRequest(id=1, cup=CUP), m.CupReply)).info

    async def _play(self, name: str, *, task_status: trio.TaskStatus[None]) -> None:
        runner = Runner(all_bots()[BOTS[name]], all_games(), int(name[1:]), report=lambda _text: None)
        dial, me = tcp("127.0.0.1", self.port), Identity(name, bot=True)
        while True:
            with suppress(LinkFailed):  # its first connection may find no server
                async with open_link(dial, me, hearer=runner) as link:
                    await link.ask(m.CupEnter(id=1, cup=CUP, tables=2, nonce=NONCE), m.CupReply)
                    task_status.started()
                    await link.closed.wait()
            await trio.sleep(0.05)

    async def _listen(self) -> None:
        async for message in self.link:
            match message:
                case m.Result(match=number, table=table, results=results):
                    self.changed += self.told.setdefault(number, (results, table)) != (results, table)
                case m.CupChanged(info=info) if info.state == "finished":
                    self.over.set()
                case LinkRestored():
                    await self._follow()


@dataclass
class Held:
    """What is kept of a cup that is over, and what its organiser was told."""

    cup: Cup
    told: dict[int, Result]
    changed: int
    kills: list[int]  # of how many results it had been told at each of them
    log: str

    def table(self) -> list[Any]:
        """All that came out, without where it was played."""
        results = [(one.pairing, one.results) for one in self.cup.finished_matches()]
        return [cup_standings(self.cup), results]

    def lost(self) -> int:
        """Results that were told and are not there, or are others."""
        kept = {number: (one.results, one.table) for number, one in self.cup.results.items()}
        return sum(kept.get(number) != result for number, result in self.told.items())


@contextmanager
def ended_at_last(started: list[subprocess.Popen[bytes]]) -> Iterator[None]:
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


async def held(folder: Path, rounds: int, kills: int = 0) -> Held:
    """A cup to its end, whose server is killed so often: at random moments while it starts, or while matches go on."""
    chance, done = random.Random(kills), list[int]()
    started: list[subprocess.Popen[bytes]] = []

    with serving(folder / "data", PROGRAM) as server, ended_at_last(started):
        await trio.to_thread.run_sync(server.wait)
        async with open_link(tcp("127.0.0.1", server.port), Identity("ann", bot=True)) as link:
            organiser = Organiser(link, server.port, rounds, started)
            async with trio.open_nursery() as nursery:
                holding = await nursery.start(_in_background, organiser, nursery)
                for _ in range(kills):
                    if chance.random() < STARTING:
                        await trio.sleep(chance.uniform(0.0, 1.0))
                    else:
                        await organiser.hears_more(CYCLE_SECONDS)
                        await trio.sleep(chance.uniform(0.0, PLAYING))
                    await trio.to_thread.run_sync(server.kill)
                    done.append(len(organiser.told))
                assert not kills or not organiser.over.is_set(), "the cup was over before the last kill"
                with trio.fail_after(PATIENCE):
                    await holding.wait()
                nursery.cancel_scope.cancel()
        await trio.to_thread.run_sync(server.wait)
        assert server.stop() == 0
    cup = read_stored_cup(folder / "data", CUP)
    return Held(cup, organiser.told, organiser.changed, done, (folder / "log").read_text())


async def _in_background(
    organiser: Organiser, nursery: trio.Nursery, *, task_status: trio.TaskStatus[trio.Event]
) -> None:
    task_status.started(organiser.over)
    await organiser.hold(nursery)


def exported(folder: Path) -> str:
    """What the audit says of the cup that is kept there."""
    bundle = str(folder / "cup.zip")
    said = ""
    for words in (("export", CUP, bundle, "--data", str(folder / "data")), ("audit", bundle)):
        done = CliRunner().invoke(commands, ["tournament", *words])
        assert done.exit_code == 0, done.output
        said = done.stdout
    return said


@pytest.mark.parametrize(
    ("kills", "rounds"),
    [(2, 2), pytest.param(50, 100, marks=[pytest.mark.soak, pytest.mark.timeout(1_800)])],
)
async def test_f01_a_cup_whose_server_is_killed_at_random_moments_ends_as_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kills: int, rounds: int
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for folder in ("cut", "whole"):
        (tmp_path / folder).mkdir()
    begun = trio.current_time()
    cut = await held(tmp_path / "cut", rounds, kills)
    print(f"\n{len(cut.kills)} kills, after so many results: {cut.kills}; {trio.current_time() - begun:.0f} s")
    print(f"{len(cut.cup.results)} results, {len(cut.told)} of them told; {cut.lost()} lost, {cut.changed} changed")
    whole = await held(tmp_path / "whole", rounds)
    assert "Traceback" not in cut.log
    assert (cut.lost(), cut.changed) == (0, 0)
    assert sum(results > 0 for results in cut.kills) > kills / 2, "most kills came while matches went on"
    tables = [one.table for one in cut.cup.finished_matches()]
    assert len(set(tables)) == len(tables) == rounds * len(BOTS) == len(cut.cup.tables)
    assert cut.table() == whole.table()
    assert f"is valid. {CUP}, {len(tables)} matches" in exported(tmp_path / "cut")
