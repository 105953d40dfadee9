"""A match against house bots is kept however its terminal ends, gone on with by `magehall`, and counted in `stats`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.terminal import Terminal, Terminals, needs_tmux, terminals

__all__ = ["terminals"]

ROOT = Path(__file__).parents[2]
MAGEHALL = f"{sys.executable} -m magehall"
pytestmark = [needs_tmux, pytest.mark.timeout(180)]
KEPT = "Ctrl-C leaves the match; magehall goes on with it. Press it again to leave."


class Alone:
    """A person who plays in one terminal after the other."""

    def __init__(self, terminals: Terminals, folder: Path) -> None:
        self._terminals, self._folder, self._count = terminals, folder, 0

    def types(self, words: str) -> Terminal:
        """A `magehall` command in a new terminal."""
        self._count += 1
        pid = self._folder / f"pid{self._count}"
        command = f"sh -c 'echo $$ > {pid}; exec {MAGEHALL} {words}'"
        return self._terminals.open(f"one{self._count}", command, cwd=ROOT)

    def begins(self, words: str = "play ikasamage --seed 7") -> Terminal:
        """A match that has come to its second decision."""
        terminal = self.types(words)
        terminal.wait(lambda seen: "your turn>" in seen)
        terminal.type("b 1 2")
        terminal.wait(lambda seen: "et: 1 2." in seen)
        return terminal

    def signals(self, how: signal.Signals) -> None:
        """Ends the latest program."""
        pid = int((self._folder / f"pid{self._count}").read_text())
        os.kill(pid, how)
        until = time.monotonic() + 20
        while Path(f"/proc/{pid}").exists() and time.monotonic() < until:
            time.sleep(0.05)


@pytest.fixture
def alone(terminals: Terminals, tmp_path: Path) -> Alone:
    return Alone(terminals, tmp_path)


def q(_alone: Alone, terminal: Terminal) -> None:
    terminal.type("q")
    terminal.wait_for("Type q again to leave.")
    terminal.type("q")
    terminal.wait_for("Goodbye. The match is kept; magehall alone goes on with it.")
    terminal.wait_for("ended=0")


def ctrl_c(_alone: Alone, terminal: Terminal) -> None:
    terminal.press("C-c")
    terminal.wait(lambda seen: KEPT in " ".join(seen.split()))
    terminal.press("C-c")
    terminal.wait_for("ended=130")


def killed(alone: Alone, _terminal: Terminal) -> None:
    time.sleep(0.5)  # what was told is on disk soon after
    alone.signals(signal.SIGKILL)


@pytest.mark.parametrize("ends", [ctrl_c, killed], ids=lambda end: end.__name__)
def test_a_match_alone_goes_on_by_magehall_however_it_was_left(
    alone: Alone, ends: Callable[[Alone, Terminal], None]
) -> None:
    ends(alone, alone.begins())
    again = alone.types("")
    again.wait_for("Go on with it? Enter")
    assert "Your match of ikasamage against greedy, greedy-2, greedy-3 is not finished." in again.history()
    again.press("Enter")
    again.wait(lambda seen: "et: 1 2." in seen)
    again.press("C-d", "C-d")
    again.wait_for("The match is over.")
    again.wait_for("ended=0")
    after = alone.types("")
    after.wait_for("Usage: ")
    stats = alone.types("stats")
    stats.wait_for(": 1 match, ")


def test_matches_alone_are_kept_beside_each_other_and_given_up_when_asked_to(alone: Alone) -> None:
    first = alone.begins()
    second = alone.begins("play ikasamage --seed 8")  # while the first is played
    third = alone.types("")
    third.wait_for("Usage: ")
    for terminal in (first, second):
        q(alone, terminal)
    third = alone.types("")
    third.wait_for("give 2 up: ")
    third.type("x 1")
    third.wait_for("Go on with it? Enter")
    third.type("x")
    third.wait_for("Looking for servers in this network")
    third.wait_for("q or an address: ")
    third.press("C-d")
    third.wait_for("ended=0")


def test_a_match_in_a_pipe_is_not_kept(tmp_path: Path) -> None:
    state = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    command = [*MAGEHALL.split(), "play", "--seed", "3"]
    done = subprocess.run(
        command, input="q\n", capture_output=True, text=True, cwd=ROOT, env=state, timeout=60, check=True
    )
    assert "Goodbye." in done.stdout
    assert not (tmp_path / "magehall" / "alone").exists()
