"""Real servers are killed again and again while clients play: nothing that was acknowledged is lost or doubled."""

from __future__ import annotations

import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio

from bots.sdk.link import Identity, Link, Refused, TableLeft, open_link, tcp
from bots.sdk.seat import take_seat
from games.api import action_from
from games.registry import all_games
from matches.fold import fold
from protocol import messages as m
from protocol.entries import ActionTaken, ChatSent
from server.store.sqlite import open_store
from server.table.records import read_match

GAMES = ("magecraft", "ikasamage", "mages-110m")
ACTS = 2  # acknowledged in a cycle before the kill, where there is time for them
CYCLE_SECONDS = 4.0  # after which it is killed all the same
PROMISE = 40.0  # seconds: within them every client plays on after the last kill


class Server:
    """A server on one port and one folder, however often it is killed: `magehall`, or another program like it."""

    def __init__(self, folder: Path, program: str = "magehall") -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.folder, self._program = folder, program
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", self._program, "serve", "--port", str(self.port), "--data", str(self.folder)]
        log = (self.folder.parent / "log").open("ab")
        with log:
            return subprocess.Popen(command, stderr=log)

    def kill(self) -> None:
        """kill -9, and started again."""
        self.process.kill()
        self.process.wait()
        self.process = self._start()

    def wait(self) -> None:
        """Returns once it listens."""
        end = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
            except OSError:
                assert time.monotonic() < end, "no server"
                time.sleep(0.02)
            else:
                return

    def stop(self) -> int:
        """SIGTERM; returns the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)


@contextmanager
def serving(folder: Path, program: str = "magehall") -> Iterator[Server]:
    server = Server(folder, program)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.wait()


class Client:
    """Plays one match after the other against a house bot, and notes what was acknowledged."""

    def __init__(self, name: str, game: str) -> None:
        self.name, self.game = name, game
        self.tables: list[str] = []
        self.acts: list[tuple[str, int, dict[str, object]]] = []
        self.said: list[tuple[str, str]] = []
        self.rng = random.Random(name)

    async def run(self, port: int, *, task_status: trio.TaskStatus[None]) -> None:
        """Starts once it has a name. Never ends by itself, and is never helped."""
        async with open_link(tcp("127.0.0.1", port), Identity(self.name, bot=True), face="json") as link:
            task_status.started()
            while True:
                seats = all_games()[self.game].min_seats
                taken = await take_seat(link, self.game, seats=seats, bots=["random"] * (seats - 1))
                self.tables.append(taken.info.table)
                await link.ask(m.Start(id=1, table=taken.info.table), m.TableReply)
                await self._play(link, taken.info.table)

    async def _play(self, link: Link, table: str) -> None:
        async for message in link:
            match message:
                case m.TurnUpdate() if message.table == table:
                    await self._decide(link, message)
                case m.Over() if message.table == table:
                    return
                case TableLeft():
                    raise AssertionError(f"table {message.table} is gone")

    async def _decide(self, link: Link, turn: m.TurnUpdate) -> None:
        if turn.turn % 5 == 0:
            text = f"line {len(self.said)} of {self.name}"
            try:
                await link.ask(m.Say(id=1, table=turn.table, text=text), m.Said)
            except Refused as error:
                if error.error.code != "talk_too_fast":
                    raise
            else:
                self.said.append((turn.table, text))
        action = self.rng.choice(turn.legal)
        try:
            await link.ask(m.Act(id=1, table=turn.table, turn=turn.turn, action=action), m.Accepted)
        except Refused as error:
            if error.error.code != "stale_turn":
                raise
        else:
            self.acts.append((turn.table, turn.turn, action))


@dataclass
class Count:
    """What came of some cycles."""

    cycles: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    helped: int = 0  # clients that did not go on by themselves

    def __str__(self) -> str:
        return "\n".join(
            f"{name:<28} {value:>8}"
            for name, value in (
                ("kill -9 cycles", self.cycles),
                ("acknowledged actions", self.acknowledged),
                ("of them lost", self.lost),
                ("of them doubled", self.doubled),
                ("clients that needed help", self.helped),
            )
        )


def check(folder: Path, clients: list[Client], count: Count) -> None:
    """Counts what each client was told to be done, and what of it is not there once."""
    store = open_store(folder)
    for client in clients:
        game, tables = all_games()[client.game], client.tables
        count.acknowledged += len(client.acts) + len(client.said) + len(tables)
        count.doubled += len(tables) - len(set(tables))  # an id came again
        for table in set(tables):
            acts = [(turn, action) for one, turn, action in client.acts if one == table]
            said = [text for one, text in client.said if one == table]
            try:
                header, entries = read_match(game, store.read(table))
                fold(game, header, entries, {})
                seat = next(info.seat for info in header.seats if info.name == client.name)
            except (KeyError, StopIteration):
                count.lost += len(acts) + len(said) + (table != tables[-1])  # the last may not have begun
                continue
            done = [entry for entry in entries if isinstance(entry, ActionTaken) and entry.seat == seat]
            for turn, action in acts:
                there = done[turn - 1 : turn]
                count.lost += [(one.why, one.action) for one in there] != [("", action_from(game, action))]
            spoken = [entry.text for entry in entries if isinstance(entry, ChatSent)]
            count.lost += len(set(said) - set(spoken))
            count.doubled += len(spoken) - len(set(spoken))
    store.close()


async def killed(server: Server, clients: list[Client], cycles: int, seed: int) -> None:
    """The server dies so often while the clients play, each time at another moment."""
    rng = random.Random(seed)
    for _ in range(cycles):
        await trio.to_thread.run_sync(server.wait)
        await played(clients, ACTS, CYCLE_SECONDS)
        await trio.sleep(rng.uniform(0.0, 0.3))
        await trio.to_thread.run_sync(server.kill)
    await trio.to_thread.run_sync(server.wait)


async def played(clients: list[Client], acts: int, seconds: float) -> bool:
    """Waits until so many decisions were acknowledged; False where that took too long."""
    before = sum(len(client.acts) for client in clients)
    with trio.move_on_after(seconds):
        while sum(len(client.acts) for client in clients) < before + acts:  # noqa: ASYNC110  (they know nothing of this)
            await trio.sleep(0.01)
        return True
    return False


@pytest.mark.parametrize(
    ("servers", "cycles"), [(1, 4), pytest.param(4, 250, marks=[pytest.mark.soak, pytest.mark.timeout(1_800)])]
)
async def test_f01_e04_killed_at_any_moment_nothing_acknowledged_is_lost_or_doubled(
    tmp_path: Path, servers: int, cycles: int
) -> None:
    count, letters = Count(servers * cycles), "ab" if servers == 1 else "a"

    async def one(server: Server, clients: list[Client], seed: int) -> None:
        async with trio.open_nursery() as nursery:
            await trio.to_thread.run_sync(server.wait)
            for client in clients:
                await nursery.start(client.run, server.port)
            await killed(server, clients, cycles, seed)
            async with trio.open_nursery() as waiting:
                for client in clients:
                    waiting.start_soon(plays_on, client)
            nursery.cancel_scope.cancel()
        assert server.stop() == 0
        check(server.folder, clients, count)

    async def plays_on(client: Client) -> None:
        count.helped += not await played([client], 2, PROMISE)

    with ExitStack() as stack:
        async with trio.open_nursery() as nursery:
            for number in range(servers):
                (tmp_path / str(number)).mkdir()
                server = stack.enter_context(serving(tmp_path / str(number) / "data"))
                clients = [Client(f"{letter}-{game[-5:]}", game) for game in GAMES for letter in letters]
                nursery.start_soon(one, server, clients, number)
    print(f"\n{count}")
    for number in range(servers):
        log = (tmp_path / str(number) / "log").read_text()
        assert "Traceback" not in log
        assert "cannot be read" not in log
    assert (count.lost, count.doubled, count.helped) == (0, 0, 0)
    assert count.acknowledged > ACTS * cycles * servers


async def test_f03_a_server_that_acknowledges_first_is_seen_to_lose(tmp_path: Path) -> None:
    count = Count(2)
    clients = [Client(f"a-{game[-5:]}", game) for game in GAMES]

    async def play(client: Client, *, task_status: trio.TaskStatus[None]) -> None:
        with suppress(Exception):  # such a server forgets tables and names
            await client.run(server.port, task_status=task_status)

    with serving(tmp_path / "data", "tests.e2e.acknowledges_first") as server:
        await trio.to_thread.run_sync(server.wait)
        async with trio.open_nursery() as nursery:
            for client in clients:
                await nursery.start(play, client)
            await killed(server, clients, count.cycles, 1)
            nursery.cancel_scope.cancel()
        server.stop()
    check(tmp_path / "data", clients, count)
    print(f"\nnegative control, a server that acknowledges first:\n{count}")
    assert count.lost


async def test_f07_a_second_server_on_the_same_data_exits_at_once(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        await trio.to_thread.run_sync(server.wait)
        command = [sys.executable, "-m", "magehall", "serve", "--port", "0", "--data", str(tmp_path / "data")]
        second = await trio.run_process(command, check=False, capture_stderr=True)
        assert second.returncode == 1
        assert b"Another server uses the data" in second.stderr
        assert b"Traceback" not in second.stderr
        assert server.stop() == 0
