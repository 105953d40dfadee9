"""Standard output and standard error that never raise: a reader that is gone, or a full disk, ends no match.

A command prints while matches run, from callbacks deep in the connections, and so do the bots themselves. After the
first write that fails, everything else that is written to the same descriptor is dropped.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import ClassVar

_NO_READER = (errno.EPIPE, errno.ECONNRESET, errno.ENOTCONN)

RELAY_SECONDS = 1.0  # for the last words on standard error to be passed on

failures: list[OSError] = []  # of standard output, other than that its reader is gone; for the end of the command


class SafeFile(io.TextIOWrapper):
    """A text file for writing. `gone` is true once a write has failed.

    It does not override the raw file's `write`: a signal between that and its caller would have bytes written twice.
    """

    written: ClassVar[bool] = False  # whether anything was written to any of them
    gone = False
    counts = True  # whether a failure is noted in `failures`

    def write(self, text: str, /) -> int:
        """Writes or drops the text, and returns its length."""
        SafeFile.written = True
        try:
            return super().write(text)
        except OSError as error:
            self._drop(error)
            return len(text)

    def flush(self) -> None:
        """Writes what is buffered, or drops it."""
        try:
            super().flush()
        except OSError as error:
            self._drop(error)

    def _drop(self, error: OSError) -> None:
        """Sends all that follows nowhere, also what child processes and other code write to the same descriptor."""
        if isinstance(error, BlockingIOError):  # the reader is slow, and another program has set this
            os.set_blocking(self.fileno(), True)
        else:
            hung_up = error.errno == errno.EIO and self.isatty()
            if self.counts and not self.gone and not hung_up and error.errno not in _NO_READER:
                failures.append(error)
            self.gone = True
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
        with suppress(OSError):
            super().flush()


def open_safely(
    descriptor: int, *, encoding: str = "utf-8", errors: str = "strict", lines: bool = False, counts: bool = True
) -> SafeFile:
    """A text file that writes to an open descriptor, which it does not close.

    Args:
        lines: Flush after each line.
        counts: Note a failure in `failures`.
    """
    os.set_blocking(descriptor, True)
    buffer = io.BufferedWriter(io.FileIO(descriptor, "w", closefd=False))
    file = SafeFile(buffer, encoding=encoding, errors=errors, line_buffering=lines)
    file.counts = counts
    return file


def make_standard_files_safe() -> None:
    """Replaces `sys.stdout` and `sys.stderr`. That standard error cannot be written is no failure of a command."""
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper) and not isinstance(stream, SafeFile):
            stream.flush()
            safe = open_safely(
                descriptor,
                encoding=stream.encoding,
                errors=stream.errors or "strict",
                lines=stream.line_buffering or stream.write_through,  # the latter with PYTHONUNBUFFERED
                counts=descriptor == 1,
            )
            setattr(sys, name, safe)


@contextmanager
def passing_on_stderr() -> Iterator[None]:
    """Puts a pipe in the place of standard error, and a process behind it that passes everything on or drops it.

    At the end it puts standard error back and waits until all that was written is passed on, for at most a second:
    whoever started this process may kill all that it leaves behind.

    Programs that a bot starts, and code that writes to the descriptor itself, would fail or be killed by a signal where
    a `SafeFile` is not. It is a process, since the last words of one that dies are to come through. A terminal stays as
    it is: programs write to one in another way, and it is never full. Does nothing where standard error was not made
    safe, as in a test that calls the command in its own process.
    """
    if not hasattr(os, "fork") or not isinstance(sys.stderr, SafeFile) or os.isatty(2):
        yield
        return
    sys.stderr.flush()
    reader, writer = os.pipe()
    before = os.dup(2)
    relay = os.fork()
    if relay == 0:
        try:
            os.close(writer)
            os.close(before)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # it ends when nobody can write any more
                signal.signal(number, signal.SIG_IGN)
            nowhere = os.open(os.devnull, os.O_RDWR)
            os.dup2(nowhere, 0)
            os.dup2(nowhere, 1)
            while data := os.read(reader, io.DEFAULT_BUFFER_SIZE):
                try:
                    while data:
                        data = data[os.write(2, data) :]
                except OSError:
                    os.dup2(nowhere, 2)
        finally:
            os._exit(0)
    os.close(reader)
    os.dup2(writer, 2)
    os.close(writer)

    try:
        yield
    finally:
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        os.dup2(before, 2)
        os.close(before)
        _wait_for(relay, RELAY_SECONDS)


def _wait_for(pid: int, seconds: float) -> None:
    """Waits for the end of a child process, at most for that long."""
    until = time.monotonic() + seconds
    with suppress(ChildProcessError):
        while os.waitpid(pid, os.WNOHANG) == (0, 0) and time.monotonic() < until:
            time.sleep(0.01)


def say_soon(text: str, seconds: float) -> None:
    """Says on standard error, after that time, that the command has begun, unless it has said something itself."""

    def say() -> None:
        if not SafeFile.written:
            print(text, file=sys.stderr, flush=True)

    timer = threading.Timer(seconds, say)
    timer.daemon = True
    timer.start()


def has_reader(stream: object) -> bool:
    """Whether all that was written to the stream so far could be written."""
    return not (isinstance(stream, SafeFile) and stream.gone)
