"""Standard output and standard error that never raise, so that a closed reader or a full disk ends no match.

Commands print while matches run, from callbacks deep in the connections, and so do bots. After the first failed write,
everything that is written to the same descriptor is dropped.
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

RELAY_SECONDS = 1.0  # how long to wait for the last output on standard error to be forwarded

# write errors of standard output that the command reports at its end; a closed reader is none
failures: list[OSError] = []


class SafeFile(io.TextIOWrapper):
    """A text file for writing. `gone` is true once a write has failed.

    It does not override the raw file's `write`: a signal that arrived in that method after the system call would make
    its caller write the bytes again.
    """

    written: ClassVar[bool] = False  # whether anything was written to any of these files
    gone = False
    counts = True  # whether a write error is added to `failures`

    def write(self, text: str, /) -> int:
        """Writes the text, or drops it after a failed write. Returns the text's length."""
        SafeFile.written = True
        try:
            return super().write(text)
        except OSError as error:
            self._drop(error)
            return len(text)

    def flush(self) -> None:
        """Writes the buffer, or drops it after a failed write."""
        try:
            super().flush()
        except OSError as error:
            self._drop(error)

    def _drop(self, error: OSError) -> None:
        """Discards all later output to the descriptor, including that of child processes and of code that does not use
        this class."""
        # the reader is slow, and another program has made the descriptor non-blocking, so it is made blocking again
        if isinstance(error, BlockingIOError):
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
    """Returns a text file that writes to an open descriptor, which it does not close.

    Args:
        descriptor: The file descriptor.
        encoding: The encoding.
        errors: The handling of characters outside of the encoding.
        lines: Flush after each line.
        counts: Whether a write error is added to `failures`.
    """
    os.set_blocking(descriptor, True)
    buffer = io.BufferedWriter(io.FileIO(descriptor, "w", closefd=False))
    file = SafeFile(buffer, encoding=encoding, errors=errors, line_buffering=lines)
    file.counts = counts
    return file


def make_standard_files_safe() -> None:
    """Replaces `sys.stdout` and `sys.stderr` by files whose writes never raise. A write error of standard error does
    not fail the command."""
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper) and not isinstance(stream, SafeFile):
            stream.flush()
            safe = open_safely(
                descriptor,
                encoding=stream.encoding,
                errors=stream.errors or "strict",
                lines=stream.line_buffering or stream.write_through,  # write_through is set by PYTHONUNBUFFERED
                counts=descriptor == 1,
            )
            setattr(sys, name, safe)


@contextmanager
def forward_stderr() -> Iterator[None]:
    """Replaces standard error by a pipe to a process that forwards all output, or drops it if it cannot be written.

    At the end it restores standard error and waits until all output is forwarded, for a second at most, because the
    parent process may kill all that this one leaves behind.

    A `SafeFile` alone would not protect programs that a bot starts, and code that writes to the descriptor itself. The
    forwarder is a process, so that the last output of a dying process arrives. A terminal stays as it is: programs
    write to it in another way, and it is never full. Does nothing if standard error is not a `SafeFile`, as in a test
    that calls the command in its own process.
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
            # the forwarding process ignores these signals, as it ends when all writers have closed the pipe
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
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
    """Waits for the end of a child process, at most for that many seconds."""
    until = time.monotonic() + seconds
    with suppress(ChildProcessError):
        while os.waitpid(pid, os.WNOHANG) == (0, 0) and time.monotonic() < until:
            time.sleep(0.01)


def print_if_silent(text: str, seconds: float) -> None:
    """Prints a text on standard error after that number of seconds, unless the command has printed something by
    then."""

    def say() -> None:
        if not SafeFile.written:
            print(text, file=sys.stderr, flush=True)

    timer = threading.Timer(seconds, say)
    timer.daemon = True
    timer.start()


def has_reader(stream: object) -> bool:
    """Returns whether all output to the stream could be written so far."""
    return not (isinstance(stream, SafeFile) and stream.gone)
