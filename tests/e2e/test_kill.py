"""A real server is killed again and again while clients play: nothing that was acknowledged is lost or doubled."""

from __future__ import annotations

import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trio

from bots.sdk.link import Gone, Identity, Link, Refused, open_link, tcp
from bots.sdk.seat import take_seat
from games.api import action_from
from games.registry import all_games
from matches.fold import Did, Spoke, fold
from protocol import messages as m
from server.store.sqlite import open_store
from server.table.records import read_match

GAMES = ("magecraft", "ikasamage", "mages-110m")


class Server:
    """`magehall serve` on one port and one folder, however often it is killed."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.folder = folder
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "magehall", "serve", "--port", str(self.port), "--data", str(self.folder)]
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
def serving(folder: Path) -> Iterator[Server]:
    server = Server(folder)
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
                case m.Turn() if message.table == table:
                    await self._decide(link, message)
                case m.Over() if message.table == table:
                    return
                case Gone():
                    raise AssertionError(f"table {message.table} is gone")

    async def _decide(self, link: Link, turn: m.Turn) -> None:
        if turn.turn % 5 == 0:
            text = f"line {len(self.said)} of {self.name}"
            await link.ask(m.Say(id=1, table=turn.table, text=text), m.Said)
            self.said.append((turn.table, text))
        action = self.rng.choice(turn.legal)
        try:
            await link.ask(m.Act(id=1, table=turn.table, turn=turn.turn, action=action), m.Accepted)
        except Refused as error:
            if error.error.code != "stale_turn":
                raise
        else:
            self.acts.append((turn.table, turn.turn, action))


def check(folder: Path, client: Client) -> None:
    """Everything that the client was told to be done is there, once."""
    assert len(set(client.tables)) == len(client.tables), "an id came again"
    game, store = all_games()[client.game], open_store(folder)
    for table in client.tables[:-1]:
        header, entries = read_match(game, store.read(table))
        fold(game, header, entries, {})
        seat = next(info.seat for info in header.seats if info.name == client.name)
        done = [entry for entry in entries if isinstance(entry, Did) and entry.seat == seat]
        for one, turn, action in client.acts:
            if one == table:
                assert (done[turn - 1].why, done[turn - 1].action) == ("", action_from(game, action)), (table, turn)
        spoken = [entry.text for entry in entries if isinstance(entry, Spoke)]
        assert len(set(spoken)) == len(spoken), "said twice"
        assert {text for one, text in client.said if one == table} <= set(spoken)
    store.close()


@pytest.mark.parametrize("cycles", [4, pytest.param(1_000, marks=pytest.mark.soak)])
async def test_f01_e04_killed_at_any_moment_nothing_acknowledged_is_lost_or_doubled(
    tmp_path: Path, cycles: int
) -> None:
    rng = random.Random(cycles)
    clients = [Client(f"{letter}-{game[-5:]}", game) for game in GAMES for letter in ("a", "b")]
    with serving(tmp_path / "data") as server:
        await trio.to_thread.run_sync(server.wait)
        async with trio.open_nursery() as nursery:
            for client in clients:
                await nursery.start(client.run, server.port)
            for _ in range(cycles):
                await trio.to_thread.run_sync(server.wait)
                await trio.sleep(rng.uniform(0.1, 0.8))
                await trio.to_thread.run_sync(server.kill)
            await trio.to_thread.run_sync(server.wait)
            done = [len(client.acts) for client in clients]
            with trio.fail_after(40):
                for client, before in zip(clients, done, strict=True):
                    while len(client.acts) <= before + 5:  # noqa: ASYNC110  (they know nothing of this test)
                        await trio.sleep(0.1)
            nursery.cancel_scope.cancel()
        assert server.stop() == 0
    for client in clients:
        check(tmp_path / "data", client)
    log = (tmp_path / "log").read_text()
    assert "Traceback" not in log
    assert "cannot be read" not in log
    print(f"{cycles} kills, {sum(len(client.acts) for client in clients)} acts acknowledged")
    assert sum(len(client.acts) for client in clients) > 20 * cycles


async def test_f07_a_second_server_on_the_same_data_exits_at_once(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        await trio.to_thread.run_sync(server.wait)
        command = [sys.executable, "-m", "magehall", "serve", "--port", "0", "--data", str(tmp_path / "data")]
        second = await trio.run_process(command, check=False, capture_stderr=True)
        assert second.returncode == 1
        assert b"Another server uses the data" in second.stderr
        assert b"Traceback" not in second.stderr
        assert server.stop() == 0
