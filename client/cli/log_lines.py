"""Writes the server's log to stderr or a file, in a thread, so that logging never waits for a slow reader."""

from __future__ import annotations

import logging
import os
import queue
import threading
import time
from pathlib import Path

from client.language import _
from server.log_fields import extra_fields

LINES_WAITING = 1_000
LINES_A_SECOND = 50.0
LINES_AT_ONCE = 500
END_SECONDS = 0.5  # time limit for writing the last lines when the log is closed


def open_log(file: Path) -> int:
    """Opens a log file for appending, readable for its owner only. Other programs may truncate the file while it is
    open.

    Returns:
        The file descriptor.

    Raises:
        OSError: It cannot be opened.
    """
    return os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)


class LogLineHandler(logging.Handler):
    """Writes log lines. Drops lines that come faster than they can be written, and logs the number dropped before the
    next line."""

    def __init__(self, number: int, file: Path | None = None) -> None:
        """Starts the writing thread.

        Args:
            number: The file descriptor to write to. It stays open as long as the process lives.
            file: The path of the file behind the descriptor, which `reopen` opens again; None if it has no path.
        """
        super().__init__()
        self._number, self._file = number, file
        self._waiting: queue.Queue[str | None] = queue.Queue(LINES_WAITING)
        self._room, self._counted = float(LINES_AT_ONCE), time.monotonic()
        self._dropped = 0
        self._writer = threading.Thread(target=self._write, name="log", daemon=True)
        self._writer.start()

    def write_line(self, line: str) -> None:
        """Writes a line unchanged, and does not count it towards the rate limit."""
        self._put(line)

    def emit(self, record: logging.LogRecord) -> None:
        """See logging.Handler."""
        now = time.monotonic()
        self._room = min(LINES_AT_ONCE, self._room + (now - self._counted) * LINES_A_SECOND)
        self._counted = now
        if self._room < 1:
            self._dropped += 1
            return
        self._room -= 1
        if self._dropped and self._put(self.format(_dropped_line(self._dropped))):
            self._dropped = 0
        self._put(self.format(record))

    def reopen(self) -> None:
        """Continues in a new file with the same path, after the old file was renamed. No line is lost.

        Raises:
            OSError: The file cannot be opened. The old one stays in use.
        """
        if self._file is not None:
            number = open_log(self._file)
            try:
                os.dup2(number, self._number)
            finally:
                os.close(number)

    def close(self) -> None:
        """See logging.Handler. Lines that are not written within END_SECONDS are lost."""
        super().close()
        try:
            self._waiting.put_nowait(None)
        except queue.Full:
            return
        self._writer.join(END_SECONDS)

    def _put(self, line: str) -> bool:
        try:
            self._waiting.put_nowait(line)
        except queue.Full:
            self._dropped += 1
            return False
        return True

    def _write(self) -> None:
        half = b""  # the end of a line that was only partly written, because the disk was full
        while (line := self._waiting.get()) is not None:
            data = whole = half + f"{line}\n".encode("utf-8", "backslashreplace")
            try:
                while data:
                    data = data[os.write(self._number, data) :]
                half = b""
            except OSError:
                self._dropped += 1
                # so that the next line does not continue a partly written one
                half = b"\n" if len(data) < len(whole) else half


def _dropped_line(count: int) -> logging.LogRecord:
    """Returns a log record that says that `count` lines are missing before it."""
    text = _("{dropped} lines of the log were dropped", dropped=count)
    told = {"name": "magehall.log", "levelno": logging.WARNING, "levelname": "WARNING", "msg": text}
    return logging.makeLogRecord(told | extra_fields("lines_dropped", count=count))
