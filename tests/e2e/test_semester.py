"""A semester in some minutes: a course behind one address plays on while its server is kept running by an operator.

60 people and 120 bots play at three tables each, through haproxy where it is installed. Meanwhile the server is
upgraded from the last release, its log is rotated, it is killed, its data are restored from a backup, and its disk is
full for a while. Nobody is turned away, every match goes on, and the log says nothing but what happened.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import trio

from bots.random import RandomBot
from bots.sdk.link import Heard, Identity, Link, LinkRestored, Refused, open_link
from bots.sdk.runner import FinishedMatch, Runner
from games.registry import all_games
from protocol import messages as m
from server.store.reading import FILE
from tests.e2e.test_hosting_page import quiet_port
from tests.e2e.test_proxies import haproxy

PEOPLE, BOTS, TABLES = 60, 120, 3
GAME = "mages-110m"
ROUND = 3 * (PEOPLE + BOTS)  # matches that have to end before the next thing happens
ROOT = Path(__file__).parents[2]
DISK_MIB = 256
OLDEST = ROOT / "tests/server/store/version-4.db"  # came with the layout that the first release has
CAMPUS = "127.0.0.77"  # the one address of everybody who plays


class Player(Runner):
    """Plays at any number of tables, each against a house bot, and knows which of them are not over."""

    def __init__(self, report: Callable[[str], None], note: Callable[[FinishedMatch], None]) -> None:
        def on_finish(done: FinishedMatch) -> None:
            self._awaited.discard(done.table)
            note(done)

        super().__init__(RandomBot, all_games(), 1, report=report, on_finish=on_finish)
        self._awaited: set[str] = set()
        self._opened: set[str] = set()

    def opened(self, table: str) -> None:
        """A table against the house bot that was added there. If the server loses the bot, it is added again."""
        self.keep_bots_seated(table, ["random"])
        self._awaited.add(table)
        self._opened.add(table)

    def plays(self) -> int:
        """At how many tables there is a match to play."""
        return len(self._awaited - self.lapsed)

    def on_message(self, link: Link, message: Heard) -> None:
        super().on_message(link, message)
        if isinstance(message, LinkRestored):  # matches that were over may go on, after a restore
            listed = {info.table: info.state for info in link.welcome.seats}
            self._awaited |= {
                table
                for table, state in listed.items()
                if state == "playing" or (state == "open" and table in self._opened)
            }


class Course:
    """Everybody who plays, and what they were told."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.ends = False
        self.finished: Counter[str] = Counter()  # matches, by how they ended
        self.refused: Counter[str] = Counter()  # requests, by code
        self.rewound = 0

    async def play(self, name: str, *, bot: bool) -> None:
        """Opens tables against a house bot, and plays there, until the semester ends."""
        runner = Player(self._hear, self._note)
        async with open_link(self._dial, Identity(name, bot=bot), hearer=runner, give_up=600.0) as link:
            link.asks_again = True  # these people are programs too
            while not self.ends or runner.plays():
                await trio.sleep(0.05)
                if not self.ends and runner.plays() < TABLES:
                    try:
                        runner.opened(await open_table(link))
                    except Refused as error:  # while the disk is full, or of a table that was opened after the backup
                        self.refused[error.error.code] += 1
                        await trio.sleep(1)

    async def more(self, matches: int = ROUND) -> None:
        """Waits until that many matches more are over."""
        wanted = self.finished.total() + matches
        with trio.fail_after(900):
            while self.finished.total() < wanted:  # noqa: ASYNC110
                await trio.sleep(0.1)

    async def _dial(self) -> trio.SocketStream:
        return await trio.open_tcp_stream("127.0.0.1", self.port, local_address=CAMPUS)

    def _note(self, done: Any) -> None:
        self.finished[done.how] += 1

    def _hear(self, text: str) -> None:
        self.rewound += "lost the latest moves" in text


async def open_table(link: Link) -> str:
    """Opens a table against a house bot, which starts once the bot sits there. Raises Refused; then it is left."""
    table = (await link.ask(m.Open(id=1, game=GAME, seats=2), m.TableReply)).info.table
    try:
        await link.ask(m.Add(id=1, table=table, bot="random"), m.TableReply)
    except Refused:
        await leave(link, table)
        raise
    return table


async def leave(link: Link, table: str) -> None:
    """Leaves a table, as soon as the disk has room for that."""
    while True:
        try:
            await link.ask(m.Leave(id=1, table=table), m.Left)
            return
        except Refused as error:
            if error.error.code != "storage":
                return
            await trio.sleep(1)


class Machine:
    """The server's machine: its data, its log, and the process that serves."""

    def __init__(self, disk: Path, log: Path) -> None:
        self.data, self.log = disk / "data", log
        self.port = quiet_port()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, code: Path = ROOT) -> None:
        """Starts the server of that checkout, and waits until it listens."""
        run = f"import sys; sys.path.insert(0, {str(code)!r}); from magehall.__main__ import main; main()"
        words = ["serve", "--port", str(self.port), "--data", str(self.data), "--log-json", "--proxy-from", "127.0.0.1"]
        words += ["--log-file", str(self.log)] if code == ROOT else []
        with self.log.with_name("stderr").open("ab") as told:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", run, *words], stdin=subprocess.DEVNULL, stderr=told
            )
        end = time.monotonic() + 60
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            assert time.monotonic() < end, "no server"
            assert self._process.poll() is None, self.log.with_name("stderr").read_text()[-2_000:]
            time.sleep(0.05)

    def stop(self, number: signal.Signals) -> int:
        assert self._process is not None
        self._process.send_signal(number)
        return self._process.wait(60)

    def hang_up(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)

    def restore(self, backup: Path) -> None:
        for file in self.data.glob(f"{FILE}*"):
            file.unlink()
        shutil.copy(backup, self.data / FILE)
        (self.data / FILE).chmod(0o600)

    def told(self) -> list[dict[str, Any]]:
        """Every line of the logs, all of which are JSON."""
        files = sorted(self.log.parent.glob("log*"))
        return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def command(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "magehall", *words], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """Mounts a small file system there; False where that is not allowed."""
    folder.mkdir(mode=0o700)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m,mode=0700", "tmpfs", str(folder)]
    mounted = (
        shutil.which("mount") is not None and subprocess.run(mount, capture_output=True, check=False).returncode == 0
    )
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(file: Path) -> None:
    """Takes all room that is left beside that file."""
    with suppress(OSError), file.open("wb", buffering=0) as out:
        while out.write(bytes(1 << 16)):
            pass
        while out.write(bytes(1)):
            pass


@contextmanager
def last_release(folder: Path) -> Iterator[Path | None]:
    """A checkout of the last release, or of the oldest commit whose data are read where no release has a tag. None
    without a history."""
    git = ["git", "-C", str(ROOT)]
    tags = ["describe", "--tags", "--abbrev=0", "--match", "v*"]
    for words in (tags, ["log", "--format=%H", "--diff-filter=A", "--", str(OLDEST)]):
        found = subprocess.run([*git, *words], capture_output=True, text=True, check=False).stdout.split()
        if found:
            break
    else:
        print("There is no history here, so no release is upgraded.")
        yield None
        return
    checkout = str(folder / "release")
    subprocess.run([*git, "worktree", "add", "--detach", checkout, found[-1]], check=True, capture_output=True)
    try:
        print(f"upgraded from {found[-1]}")
        yield folder / "release"
    finally:
        subprocess.run([*git, "worktree", "remove", "--force", checkout], check=True, capture_output=True)


@contextmanager
def proxy(folder: Path, port: int) -> Iterator[int]:
    """The port at which a proxy passes connections on, with a header of version 2; the server's own without haproxy."""
    if shutil.which("haproxy") is None:
        print("haproxy is not installed, so nobody comes through a proxy.")
        yield port
        return
    with haproxy(folder, port, "send-proxy-v2") as front:
        yield front


@pytest.mark.soak
async def test_a_course_plays_on_through_everything_that_happens_to_its_server(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with small_disk(disk) as mounted:
        machine = Machine(disk, tmp_path / "log")
        try:
            with last_release(tmp_path) as release, proxy(tmp_path, machine.port) as port:
                course = Course(port)
                async with trio.open_nursery() as playing:
                    await _semester(machine, course, playing, release, disk if mounted else None)
        finally:
            code = machine.stop(signal.SIGTERM)
        assert code == 0
        print(f"matches: {dict(course.finished)}; refused: {dict(course.refused)}; rewound: {course.rewound}")
        assert course.rewound > 0, "the restore took nothing away"
        assert set(course.finished) <= {"played", "gone"}
        assert set(course.refused) <= {"no_such_table", "not_owner", "already_started", "storage", "too_many_tables"}
        assert {line["address"] for line in machine.told() if line["event"] == "session_began"} == {CAMPUS}
        events = Counter(line["event"] for line in machine.told())
        print(f"log: {dict(events)}")
        assert not {"failure", "wrong_proof", "refused"} & set(events), [
            line for line in machine.told() if line["event"] in ("failure", "wrong_proof", "refused")
        ][:5]
        assert command("data", "check", "--data", str(machine.data)).endswith("damaged: 0.\n")


async def _semester(
    machine: Machine, course: Course, playing: trio.Nursery, release: Path | None, disk: Path | None
) -> None:
    """Everything that happens, while everybody plays."""
    machine.start(release or ROOT)
    for number in range(PEOPLE + BOTS):
        playing.start_soon(_play, course, number)
    await course.more()
    if release is not None:
        assert machine.stop(signal.SIGTERM) == 0
        machine.start()
        await course.more()
    await _rotate(machine)
    await course.more()
    await _restore(machine, machine.log.parent)
    await course.more()
    if disk is not None:
        await _fill(machine, disk)
        await course.more()
    else:
        print("No file system could be mounted, so no disk was full.")
    machine.stop(signal.SIGKILL)
    machine.start()
    await course.more()
    course.ends = True


async def _play(course: Course, number: int) -> None:
    await course.play(f"person{number}" if number < PEOPLE else f"bot-{number}", bot=number >= PEOPLE)


async def _rotate(machine: Machine) -> None:
    machine.log.rename(machine.log.with_name("log.1"))
    machine.hang_up()
    with trio.fail_after(30):
        while not machine.log.exists():  # noqa: ASYNC110
            await trio.sleep(0.05)


async def _restore(machine: Machine, folder: Path) -> None:
    """The data of some seconds ago, after a kill."""
    backup = folder / "backup.db"
    await trio.to_thread.run_sync(command, "data", "backup", str(backup), "--data", str(machine.data))
    await trio.sleep(4)
    machine.stop(signal.SIGKILL)
    machine.restore(backup)
    await trio.to_thread.run_sync(machine.start)


async def _fill(machine: Machine, disk: Path) -> None:
    """A full disk for some seconds."""
    await trio.to_thread.run_sync(fill, disk / "filler")
    with trio.fail_after(60):
        while not any(line["event"] == "store_failing" for line in machine.told()):  # noqa: ASYNC110
            await trio.sleep(0.2)
    await trio.sleep(3)
    os.unlink(disk / "filler")
