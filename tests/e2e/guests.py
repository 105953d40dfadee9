"""An evening for tests: people in terminals at one server, and what each of them is to see, named and printed."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.helpers.terminal import Terminal, Terminals

ROOT = Path(__file__).parents[2]
MAGEHALL = f"{sys.executable} -m magehall"
PATIENCE = 40.0  # seconds for what one waits to see


class House:
    """A server as a command, which is killed and started again on the same data, at the same port."""

    def __init__(self, data: Path) -> None:
        self._data, self.port = data, "0"

    def open(self) -> None:
        command = [sys.executable, "-m", "magehall", "serve", "--data", str(self._data), "--port", self.port]
        said = self._data.with_suffix(".log")
        with said.open("w") as log:
            self._process = subprocess.Popen(command, stderr=log, cwd=ROOT)
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(r"Serving at \S+, port (\d+)", said.read_text())):
            assert time.monotonic() < deadline, said.read_text()
            time.sleep(0.05)
        self.port = found[1]

    def close(self, how: signal.Signals = signal.SIGKILL) -> None:
        self._process.send_signal(how)
        self._process.wait()


@dataclass
class Guest:
    """Somebody at a terminal. `kind`: screen, plain or telnet."""

    name: str
    terminal: Terminal
    kind: str = "screen"
    decided: int = 0

    def is_asked(self) -> bool:
        """Whether a decision is awaited that was not made yet."""
        if self.kind == "screen":
            return bool(re.search("^(your turn|yes or undo)> *$", self.terminal.screen(), re.MULTILINE))
        sign = "Your turn: " if self.kind == "plain" else "\n> "
        return self.terminal.history().count(sign) > self.decided

    def decide(self) -> None:
        """Does the first thing that is legal, or says yes to it."""
        if self.kind != "screen":
            self.decided = self.terminal.history().count("Your turn: " if self.kind == "plain" else "\n> ")
        self.terminal.type("yes" if "yes or undo>" in self.terminal.screen() else "1")
        until = time.monotonic() + 0.5
        while self.kind == "screen" and self.is_asked() and time.monotonic() < until:
            time.sleep(0.02)


@dataclass
class Evening:
    """What is to be seen, in order. Nothing that is missing ends the evening."""

    terminals: Terminals
    house: House
    guests: dict[str, Guest] = field(default_factory=dict)
    rows: list[tuple[bool, str]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def comes(self, name: str, how: str, *, kind: str = "screen", columns: int = 80, rows: int = 24) -> Terminal:
        """Opens a terminal in which that command is typed into a shell, so that Ctrl-Z has somewhere to go."""
        terminal = self.terminals.open(name, "sh -i", columns=columns, rows=rows, cwd=ROOT)
        terminal.type(how)
        self.guests[name] = Guest(name, terminal, kind)
        return terminal

    def __getitem__(self, name: str) -> Terminal:
        return self.guests[name].terminal

    def expect(self, what: str, terminal: Terminal, wanted: str | Callable[[str], bool], since: str = "") -> str:
        """Waits until the terminal has shown that text, or what fits, after the last place where `since` stands."""

        def after(seen: str) -> str:
            return seen[seen.rindex(since) :] if since and since in seen else "" if since else seen

        deadline, seen = time.monotonic() + PATIENCE, ""
        while True:
            seen = after(terminal.history())
            if wanted in seen if isinstance(wanted, str) else wanted(seen):
                return self.note(what, True, seen)
            if time.monotonic() > deadline:
                return self.note(what, False, terminal.history())
            time.sleep(0.05)

    def expect_now(self, what: str, terminal: Terminal, wanted: Callable[[str], bool]) -> str:
        """The same for what stands on the screen."""
        deadline = time.monotonic() + PATIENCE
        while not wanted(seen := terminal.screen()):
            if time.monotonic() > deadline:
                return self.note(what, False, seen)
            time.sleep(0.05)
        return self.note(what, True, seen)

    def note(self, what: str, held: bool, seen: str = "") -> str:
        """Prints the row."""
        self.rows.append((held, what))
        print(f"{len(self.rows):>3} {'ok  ' if held else 'MISS'} {what}", flush=True)
        if not held:
            self.missing.append(f"{what}; the last of it:\n{seen.rstrip()[-2_500:]}")
            print(seen.rstrip()[-1_500:], flush=True)
        return seen

    def play(self, people: list[str], done: Callable[[], bool], seconds: float = 240.0) -> bool:
        """Everybody does the first legal thing until that is so; False where it takes too long."""
        deadline = time.monotonic() + seconds
        while not done():
            for name in people:
                if self.guests[name].is_asked():
                    self.guests[name].decide()
            if time.monotonic() > deadline:
                return False
        return True

    def asked(self, people: list[str]) -> str:
        """The first of them who has something to decide; waits for that."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for name in people:
                if self.guests[name].is_asked():
                    return name
            time.sleep(0.1)
        return people[0]
