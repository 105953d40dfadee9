"""Programs at a terminal of their own, with a person's hands at its keys."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

import trio

_ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][A-Z0-9]|[=>78])")


class Terminal:
    """A program in a terminal of so many columns."""

    def __init__(self, command: Sequence[str], columns: int, environment: Mapping[str, str]) -> None:
        self._ours, theirs = pty.openpty()
        self.shown = ""
        self._set_columns(columns)
        self._process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**os.environ, "TERM": "vt100", **environment},
        )
        os.close(theirs)
        os.set_blocking(self._ours, False)

    def resize(self, columns: int) -> None:
        """As if somebody pulled at the window's corner."""
        self._set_columns(columns)
        self._process.send_signal(signal.SIGWINCH)

    def _set_columns(self, columns: int) -> None:
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def signal(self, number: signal.Signals) -> None:
        """Sends the program a signal."""
        self._process.send_signal(number)

    async def types(self, line: str) -> None:
        """Types a line and Return."""
        os.write(self._ours, line.encode() + b"\r")
        await trio.lowlevel.checkpoint()

    async def sees(self, pattern: str, seconds: float = 10.0) -> str:
        """Reads on until the pattern stands in what is new; returns the new text."""
        fresh = ""
        with trio.fail_after(seconds):
            while not re.search(pattern, fresh):
                fresh += await self._some()
        return fresh

    async def rests(self, seconds: float) -> str:
        """All that comes in that time."""
        fresh = ""
        with trio.move_on_after(seconds):
            while True:
                fresh += await self._some()
        return fresh

    async def _some(self) -> str:
        await trio.lowlevel.wait_readable(self._ours)
        try:
            data = os.read(self._ours, 65_536)
        except OSError:  # the program has ended
            data = b""
        assert data, f"ended; it showed {self.shown[-500:]!r}"
        text = _ESCAPES.sub("", data.decode("utf-8", "replace")).replace("\r", "")
        self.shown += text
        return text

    def close(self) -> None:
        """Ends the program."""
        with suppress(ProcessLookupError):
            self._process.kill()
        self._process.wait()
        os.close(self._ours)


@contextmanager
def terminal(command: Sequence[str], columns: int = 80, **environment: str) -> Iterator[Terminal]:
    """A program in a terminal, until the end of the block."""
    made = Terminal(command, columns, environment)
    try:
        yield made
    finally:
        made.close()
