"""A terminal for tests: tmux with a server of its own, keys in, screen out."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HAS_TMUX = shutil.which("tmux") is not None
needs_tmux = pytest.mark.skipif(not HAS_TMUX and os.environ.get("CI") != "true", reason="tmux is not installed")
DEADLINE = 60.0  # seconds; ten times what a busy machine takes


class Terminals:
    """A tmux server with one pane for each name."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._socket = str(folder / "tmux")
        self._environment = {**environment, "TERM": "screen-256color", "PS1": "$ ", "LC_ALL": "C.UTF-8"}
        (folder / "tmux.conf").write_text("set -g history-limit 20000\nset -g escape-time 0\n")
        self._config = str(folder / "tmux.conf")

    def tmux(self, *words: str) -> str:
        """What one tmux command prints."""
        command = ["tmux", "-S", self._socket, "-f", self._config, *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, env=self._environment, check=True)
        return done.stdout

    def open(self, name: str, command: str, *, columns: int = 80, rows: int = 24, cwd: Path) -> Terminal:
        """A new terminal that runs a shell command line, and stays open after it."""
        shell = f"trap : INT; {command}; echo ended=$?; exec sh"
        size = ("-x", str(columns), "-y", str(rows))
        self.tmux("new-session", "-d", "-s", name, *size, "-c", str(cwd), "sh", "-c", shell)
        return Terminal(self, f"={name}:")

    def close(self) -> None:
        """Ends everything that runs in the terminals."""
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], capture_output=True, timeout=20, check=False)


class Terminal:
    """One pane."""

    def __init__(self, terminals: Terminals, target: str) -> None:
        self._terminals, self._target = terminals, target

    def type(self, line: str) -> None:
        """Types a line and Enter."""
        self._terminals.tmux("send-keys", "-t", self._target, "-l", line)
        self.press("Enter")

    def press(self, *keys: str) -> None:
        """Presses keys by tmux's names for them."""
        self._terminals.tmux("send-keys", "-t", self._target, *keys)

    def screen(self) -> str:
        """What is to be seen now."""
        return self._terminals.tmux("capture-pane", "-p", "-t", self._target)

    def history(self) -> str:
        """All that was ever to be seen, long rows joined."""
        return self._terminals.tmux("capture-pane", "-p", "-J", "-S", "-", "-t", self._target)

    def wait(self, wanted: Callable[[str], bool]) -> str:
        """The history once it is as wanted. Fails after DEADLINE."""
        deadline = time.monotonic() + DEADLINE
        while time.monotonic() < deadline:
            seen = self.history()
            if wanted(seen):
                return seen
            time.sleep(0.03)  # each look starts a program; what is waited for needs the processor more
        raise AssertionError(f"not seen in time; the history:\n{self.history()}")

    def wait_for(self, text: str) -> str:
        """The history once it holds the text."""
        return self.wait(lambda seen: text in seen)


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Terminals]:
    opened = Terminals(tmp_path, {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")})
    try:
        yield opened
    finally:
        opened.close()
