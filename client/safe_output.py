"""Standard output and standard error that never raise: a reader that is gone, or a full disk, ends no match.

A command prints while matches run, from callbacks deep in the connections, and so do the bots themselves. After the
first write that fails, everything else that is written to the same descriptor is dropped.
"""

from __future__ import annotations

import errno
import io
import os
import select
import signal
import sys
from typing import Any

_NO_READER = (errno.EPIPE, errno.ECONNRESET, errno.ENOTCONN)

failures: list[OSError] = []  # of standard output, other than that its reader is gone; for the end of the command


class SafeFile(io.FileIO):
    """A raw file for writing. `gone` is true once a write has failed."""

    gone = False
    counts = True  # whether a failure is noted in `failures`

    def write(self, data: Any) -> int:
        """Writes, or drops, some of the bytes, and returns how many."""
        while True:
            try:
                written = super().write(data)
            except OSError as error:
                self._drop(error)
                return memoryview(data).nbytes
            if written is not None:
                return written
            select.select([], [self.fileno()], [])  # the descriptor is non-blocking, and its reader is slow

    def _drop(self, error: OSError) -> None:
        """Sends all that follows nowhere, also what child processes and other code write to the same descriptor."""
        hung_up = error.errno == errno.EIO and self.isatty()
        if self.counts and not self.gone and not hung_up and error.errno not in _NO_READER:
            failures.append(error)
        self.gone = True
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)


def open_safely(
    descriptor: int, *, encoding: str = "utf-8", errors: str = "strict", lines: bool = False, counts: bool = True
) -> io.TextIOWrapper:
    """A text file that writes to an open descriptor, which it does not close.

    Args:
        lines: Flush after each line.
        counts: Note a failure in `failures`.
    """
    raw = SafeFile(descriptor, "w", closefd=False)
    raw.counts = counts
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding=encoding, errors=errors, line_buffering=lines)


def make_standard_files_safe() -> None:
    """Replaces `sys.stdout` and `sys.stderr`. That standard error cannot be written is no failure of a command."""
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper) and not _is_safe(stream):
            stream.flush()
            safe = open_safely(
                descriptor,
                encoding=stream.encoding,
                errors=stream.errors or "strict",
                lines=stream.line_buffering,
                counts=descriptor == 1,
            )
            setattr(sys, name, safe)


def pass_on_stderr() -> None:
    """Puts a pipe in the place of standard error, and a process behind it that passes everything on or drops it.

    Programs that a bot starts, and code that writes to the descriptor itself, would fail or be killed by a signal where
    a `SafeFile` is not. It is a process, since the last words of one that dies are to come through. A terminal stays as
    it is: programs write to one in another way, and it is never full. Does nothing where standard error was not made
    safe, as in a test that calls the command in its own process.
    """
    if not hasattr(os, "fork") or not _is_safe(sys.stderr) or os.isatty(2):
        return
    sys.stderr.flush()
    reader, writer = os.pipe()
    if os.fork() == 0:
        try:
            os.close(writer)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # it ends when nobody can write any more
                signal.signal(number, signal.SIG_IGN)
            out = SafeFile(2, "w", closefd=False)
            nowhere = os.open(os.devnull, os.O_RDWR)
            os.dup2(nowhere, 0)
            os.dup2(nowhere, 1)
            while data := memoryview(os.read(reader, io.DEFAULT_BUFFER_SIZE)):
                while data:
                    data = data[out.write(data) :]
        finally:
            os._exit(0)
    os.close(reader)
    os.dup2(writer, 2)
    os.close(writer)


def has_reader(stream: object) -> bool:
    """Whether all that was written to the stream so far could be written."""
    return not (_is_safe(stream) and stream.buffer.raw.gone)  # type: ignore[attr-defined]


def _is_safe(stream: object) -> bool:
    return isinstance(getattr(getattr(stream, "buffer", None), "raw", None), SafeFile)
