"""Key to screen: the real client in a pseudo-terminal, where keys are typed while its match goes on.

Twice: at one's own turn, where the others talk, and as a spectator of a table where they decide and talk. What is said
must be drawn, or the round fails.
"""

from __future__ import annotations

import math
import os
import pty
import random
import select
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

from benchmarks.child import ServerProcess, connect, server
from benchmarks.figure import Figure
from benchmarks.load import SEATS, Player, Told
from benchmarks.reference import loop_rate
from benchmarks.run import Run

GAME = "magecraft"
ROUNDS, WARM_UP, KEYS = 5, 12, 144
GAP_SECONDS = 0.08  # at most, from an echo to the next key
EVENTS = 20  # a second
TALK = 4  # one event of so many is a word; all are while nobody but the person may decide
TARGET = 50.0  # milliseconds
DEADLINE = 30.0
CLEAR = "\x15"  # Ctrl-U empties the line
LETTERS = "αβγδεζηθικλμνξοπρστυφχψω"  # one a key: nothing else on the screen has them
LINE = len(LETTERS) // 2  # keys after which the line is emptied; the next ones differ from those that stood there
WORDS = [8 * letter for letter in "абвгдежзиклмнопрстуфхцчшщэюя"]  # two that follow each other share no letter
THOUSAND = 1_000


def figures() -> Iterator[Figure]:
    """Median and p99, at one's turn and watching."""
    for name, seated in (("at one's turn", True), ("watching", False)):
        runs, loops = [], []
        with server("hall") as process:
            for number in range(ROUNDS):
                before = loop_rate()
                runs.append(typed(process, number, seated=seated))
                loops.append(2e3 * THOUSAND / (before + loop_rate()))
        for part, target in ((0.5, None), (0.99, TARGET)):
            took = [run.quantile(part) * 1e3 for run in runs]
            title = f"key to screen, {EVENTS} events/s, {name}: p{100 * part:g}"
            yield Figure(title, "ms", took, "less", "loops", loops, target, wall=True)


def typed(process: ServerProcess, number: int, *, seated: bool, keys: int = KEYS) -> Run:
    """A round of a match and a client of its own: so many keys, each with its latency. Raises RuntimeError."""
    chance, run = random.Random(number), Run()
    with ExitStack() as stack:
        evening = Evening(stack, process, number, seated=seated)
        for at in range(WARM_UP + keys):
            if at % LINE == 0:
                evening.terminal.type(CLEAR)
            evening.go_on(chance.uniform(0, GAP_SECONDS))
            took = evening.key(LETTERS[at % len(LETTERS)])
            if at >= WARM_UP:
                run.latencies.append(took)
        evening.check_drawn()
    return run


class Program(Player):
    """Somebody at the table, who decides or talks when told to."""

    table = ""
    turn: Told | None = None

    def _take(self, told: Told) -> None:
        if told.type == "turn":
            self.turn = told
        elif told.type == "table":
            self.table = self._info(told.info).table
        elif told.type == "table_changed":
            self.ask("start", table=self.table)  # refused while a seat is free, and to all but the owner

    def decide(self, turn: Told) -> None:
        """Does something legal."""
        self.turn = None
        self.ask("act", table=turn.table, turn=turn.turn, action=turn.legal[self._chance() % len(turn.legal)])


class Terminal:
    """The client in a terminal of 80 columns and 24 rows; all that it has written is in `shown`."""

    def __init__(self, home: str, *arguments: str) -> None:
        self.fd, inner = pty.openpty()
        termios.tcsetwinsize(inner, (24, 80))
        environment = {**os.environ, "XDG_STATE_HOME": home, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        command = [sys.executable, "-m", "magehall", *arguments]
        self._child = subprocess.Popen(
            command, stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True
        )
        os.close(inner)
        self.shown = bytearray()

    def type(self, keys: str) -> None:
        """Presses keys."""
        os.write(self.fd, keys.encode())

    def read(self) -> None:
        """Takes what has been written."""
        self.shown += os.read(self.fd, 262_144)

    def close(self) -> None:
        """Ends the client."""
        self._child.kill()
        self._child.wait()
        os.close(self.fd)


class Evening:
    """A match of programs, and a person's terminal: with the last seat at it, or as a spectator."""

    def __init__(self, stack: ExitStack, process: ServerProcess, number: int, *, seated: bool) -> None:
        self._stack, self._poll = stack, select.poll()
        self._reads: dict[int, Callable[[], None]] = {}
        self._due, self._events, self._said = math.inf, 0, 0
        self._programs = [self._program(process, f"b{number}{letter}") for letter in "abcd"[: SEATS - seated]]
        owner = self._programs[0]
        owner.ask("open", game=GAME, seats=SEATS, clock={"main": 3600.0, "increment": 60.0})
        self._wait(lambda: bool(owner.table))
        for program in self._programs[1:]:
            program.ask("join", table=owner.table)
        if not seated:
            self._wait(lambda: any(program.turn for program in self._programs))
        how = ("play", "--table") if seated else ("watch",)
        there = ("--host", "127.0.0.1", "--port", str(process.port), "--name", f"p{number}")
        home = stack.enter_context(tempfile.TemporaryDirectory())
        self.terminal = stack.enter_context(closing(Terminal(home, *how, owner.table, *there)))
        self._listen(self.terminal.fd, self.terminal.read)
        self._wait(lambda: b"seat 4" in self.terminal.shown or b"watching" in self.terminal.shown)
        self._due = time.perf_counter()
        self._wait(lambda: not seated or b"your turn>" in self.terminal.shown)

    def _program(self, process: ServerProcess, name: str) -> Program:
        program = Program(connect(process.port), "json", name, GAME, lambda _player, _table: None)
        self._stack.enter_context(closing(program.sock))
        self._listen(program.sock.fileno(), program.read)
        program.ask("hello", name=name, bot=True, session="keys")
        return program

    def _listen(self, fd: int, read: Callable[[], None]) -> None:
        self._poll.register(fd, select.POLLIN)
        self._reads[fd] = read

    def go_on(self, seconds: float) -> None:
        """Lets that time pass."""
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            self._step(until)

    def key(self, letter: str) -> float:
        """Seconds from a key to its letter on the screen."""
        before, pressed = len(self.terminal.shown), time.perf_counter()
        self.terminal.type(letter)
        self._seen(letter.encode(), before)
        return time.perf_counter() - pressed

    def _seen(self, text: bytes, start: int) -> int:
        """Where the text stands in what was shown from there on, once it does."""
        shown = self.terminal.shown
        self._wait(lambda: shown.find(text, start) >= 0)
        return shown.index(text, start)

    def _wait(self, done: Callable[[], bool]) -> None:
        deadline = time.perf_counter() + DEADLINE
        while not done():
            if time.perf_counter() > deadline:
                raise RuntimeError(f"nothing came in time; the screen: {bytes(self.terminal.shown[-1500:])!r}")
            self._step(deadline)

    def _step(self, until: float) -> None:
        """Makes the event that is due, and hears what comes, or waits for it until then."""
        if (now := time.perf_counter()) >= self._due:
            self._due += 1 / EVENTS
            self._event()
        for fd, _ in self._poll.poll(max(0.0, min(self._due, until) - now) * 1e3):
            self._reads[fd]()

    def _event(self) -> None:
        self._events += 1
        for program in self._programs:
            if program.turn is not None and self._events % TALK:
                program.decide(program.turn)
                return
        speaker = self._programs[self._said % len(self._programs)]
        speaker.ask("say", table=speaker.table, text=WORDS[self._said % len(WORDS)])
        self._said += 1

    def check_drawn(self) -> None:
        """Raises RuntimeError if a word was said and did not come to stand on the screen."""
        at = 0
        for number in range(self._said):
            word = WORDS[number % len(WORDS)].encode()
            at = self._seen(word, at)
