"""Bots that misbehave in one way each, and a good one. `ends` is how their seat has to end.

A class acts when it is asked for its turn; that it is there does nothing.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

import trio

from bots.sdk import Bot, Turn
from bots.sdk.link import Link
from bots.sdk.runner import Runner
from bots.sdk.sockets import DirectStream
from games.api import Action, Event, Outcome
from protocol import messages as m

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)", "left-behind"]


class Animal(Bot):
    """Does the first thing that is legal, and then the wrong one."""

    ends: ClassVar[str] = "played"

    def choose(self, turn: Turn) -> Action:
        self.misbehave(turn)
        return turn.legal[0]

    def misbehave(self, turn: Turn) -> None:
        """At each turn."""


class Good(Animal):
    """Chance of its own, and nothing else."""

    def choose(self, turn: Turn) -> Action:
        return self.rng.choice(turn.legal)


class Asleep(Animal):
    ends = "late"

    def misbehave(self, turn: Turn) -> None:
        time.sleep(600)


class Tardy(Animal):
    ends = "late"

    def misbehave(self, turn: Turn) -> None:
        time.sleep(turn.clock + 0.05)


class Looping(Animal):
    ends = "late"

    def misbehave(self, turn: Turn) -> None:
        while True:
            pass


class Illegal(Animal):
    ends = "illegal"

    def choose(self, turn: Turn) -> Action:
        return turn.game.words.parse_actions("bet 1 1 1 1 1", turn.view, turn.legal)[0]


class SometimesIllegal(Animal):
    """Asked again, it does better."""

    asked = 0

    def choose(self, turn: Turn) -> Action:
        self.asked += 1
        if self.asked in (2, 5):
            return turn.game.words.parse_actions("bet 1 1 1 1 1", turn.view, turn.legal)[0]
        return turn.legal[0]


class Raising(Animal):
    ends = "crashed"

    def misbehave(self, turn: Turn) -> None:
        raise ZeroDivisionError("planted")


class RaisingWhenMade(Animal):
    ends = "never came"

    def __init__(self, seed: int) -> None:
        raise ZeroDivisionError("planted")


class RaisingWhenItHears(Animal):
    ends = "crashed"

    def hear(self, event: Event) -> None:
        raise ZeroDivisionError("planted")


class RaisingAtTheEnd(Animal):
    def end(self, outcome: Outcome) -> None:
        raise ZeroDivisionError("planted")


class NoAction(Animal):
    ends = "crashed"

    def choose(self, turn: Turn) -> Action:
        return "pass"  # type: ignore[return-value]  # that is what it does


class Vanishing(Animal):
    ends = "crashed"

    def misbehave(self, turn: Turn) -> None:
        if turn.number == 2:
            os._exit(0)


class Exiting(Animal):
    ends = "crashed"

    def misbehave(self, turn: Turn) -> None:
        sys.exit("enough")


class Suicidal(Animal):
    ends = "crashed"

    def misbehave(self, turn: Turn) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Hoarding(Animal):
    """Takes memory until there is no more."""

    ends = "crashed"

    def misbehave(self, turn: Turn) -> None:
        held = []
        while True:
            held.append(bytearray(64 << 20))


class OpeningFiles(Animal):
    ends = "crashed"

    def misbehave(self, turn: Turn) -> None:
        held = []
        while True:
            held.append(open(os.devnull))  # noqa: SIM115


class FillingTheDisk(Animal):
    ends = "crashed"

    def misbehave(self, turn: Turn) -> None:
        for number in range(10_000):
            Path(f"{turn.number}-{number}").write_bytes(bytes(4 << 20))


class FloodingStdout(Animal):
    def misbehave(self, turn: Turn) -> None:
        os.write(1, b"\xff" * 300_000)
        print('{"table": "t1", "game": "forged", "seat": 1, "how": "crashed"}' * 100)


class FloodingStderr(Animal):
    def misbehave(self, turn: Turn) -> None:
        for _ in range(8):
            os.write(2, b"\xff\x1b[31m flood\n" * 4_096)


class Breeding(Animal):
    """Its children stay, in sessions of their own, when their parents have ended."""

    def misbehave(self, turn: Turn) -> None:
        if turn.number == 1:
            subprocess.Popen(SLEEPER)
            subprocess.Popen(SLEEPER, start_new_session=True)
            subprocess.run(["sh", "-c", "sleep 601 & exit"], check=True)


class BreedingOn(Animal):
    """More and more of them."""

    ends = "crashed"

    def misbehave(self, turn: Turn) -> None:
        while True:
            subprocess.Popen(["sleep", "602"])
            time.sleep(0.002)


class Clinging(Animal):
    """Hears no signal that can be ignored, and never answers."""

    ends = "late"

    def misbehave(self, turn: Turn) -> None:
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            with suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_IGN)
        while True:
            time.sleep(60)


class ChangingHandlers(Animal):
    """Hears none either, but plays."""

    def misbehave(self, turn: Turn) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_IGN)


class Threading(Animal):
    """Leaves threads behind that do nothing but keep busy for a while."""

    def misbehave(self, turn: Turn) -> None:
        if turn.number == 1:
            for _ in range(4):
                threading.Thread(target=time.sleep, args=(600,), daemon=False).start()


class Murderous(Animal):
    """Signals who started it, and the whole group of that. Only where it is confined: it would succeed."""

    def misbehave(self, turn: Turn) -> None:
        for pid in (os.getppid(),):
            if b"fork-server" in parent_of(pid):
                with suppress(PermissionError):
                    os.killpg(os.getpgid(pid), signal.SIGKILL)
                with suppress(PermissionError):
                    os.kill(pid, signal.SIGKILL)


class WritingNotes(Animal):
    """Keeps its opponents' cards for its next match, wherever it can. Only where it is confined."""

    def misbehave(self, turn: Turn) -> None:
        for place in (Path("/var/tmp/zoo-notes"), Path("/usr/zoo-notes"), Path(__file__).with_name("zoo-notes")):
            try:
                place.write_text(repr(turn.view))
            except OSError:
                continue
            raise AssertionError(f"written to {place}")


def parent_of(pid: int) -> bytes:
    """Its command line; a confined bot may not read it, and then it is confined."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b"fork-server"


# -- over the bot's own connection ------------------------------------------------------------------------------------


def link() -> Link:
    """The link that the runner plays over."""
    return next(one for one in gc.get_objects() if isinstance(one, Link))


def table() -> str:
    """Where it plays."""
    return next(iter(next(one for one in gc.get_objects() if isinstance(one, Runner))._tables))


def ignore(_reply: m.Reply) -> None:
    pass


def hang_up(own: Link) -> None:
    connection = own._connection
    if connection is not None:
        stream = connection._stream
        assert isinstance(stream, DirectStream)
        stream._stream.socket._sock.shutdown(2)  # type: ignore[attr-defined]


class Caller(Animal):
    """Misbehaves towards the server."""


class FloodingRequests(Caller):
    """More than is allowed, so that its actions come late behind them."""

    ends = "late"

    def misbehave(self, turn: Turn) -> None:
        for _ in range(2_000):
            link().post(m.Ping(id=1), ignore)


class Chattering(Caller):
    """The same with talk."""

    ends = "late"

    def misbehave(self, turn: Turn) -> None:
        for _ in range(200):
            link().post(m.Say(id=1, text="x" * 200), ignore)


class HangingUpOnce(Caller):
    """Closes its connection, and comes back."""

    def misbehave(self, turn: Turn) -> None:
        if turn.number == 2:
            hang_up(link())


class HangingUp(Caller):
    """Closes its connection at each turn, until its time for that is used up."""

    ends = "left"

    def misbehave(self, turn: Turn) -> None:
        hang_up(link())


class Reconnecting(Caller):
    """Connects for ever, and hangs up each time before it says who it is."""

    ends = "left"

    def misbehave(self, turn: Turn) -> None:
        own = link()
        dial = own._dial

        async def dial_and_hang_up() -> trio.abc.Stream:
            stream = await dial()
            await stream.aclose()
            own._attempts = 0  # it does not wait longer and longer
            return stream

        own._dial = dial_and_hang_up
        hang_up(own)


class Resigning(Caller):
    ends = "resigned"

    def misbehave(self, turn: Turn) -> None:
        link().post(m.Resign(id=1, table=table()), ignore)


class LeavingAndJoining(Caller):
    ends = "left"

    def misbehave(self, turn: Turn) -> None:
        here = table()
        link().post(m.Leave(id=1, table=here), ignore)
        link().post(m.Join(id=1, table=here), ignore)


class PlayingOthers(Caller):
    """Answers turns that are not its own, at its table and at the next."""

    def misbehave(self, turn: Turn) -> None:
        for other in (table(), "t1", "t2"):
            for number in range(10_000, 10_008):
                link().post(m.Act(id=1, table=other, turn=number, action={"do": "pass"}), ignore)


class SendingJunk(Caller):
    """Bytes that are no message, each time that it is asked."""

    ends = "left"

    def misbehave(self, turn: Turn) -> None:
        connection = link()._connection
        if connection is not None:
            connection._outbox += b"\xff\x00\x13junk" * 100


ANIMALS = [kind for kind in (*Animal.__subclasses__(), *Caller.__subclasses__()) if kind not in (Good, Caller)]
ONLY_CONFINED = (Murderous, WritingNotes)
