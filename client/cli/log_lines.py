"""Log lines on their way to stderr. A thread writes them, so that logging never waits for a slow reader."""

from __future__ import annotations

import logging
import os
import queue
import threading
import time
from pathlib import Path

from client.language import _
from server.log_fields import fields

LINES_WAITING = 1_000
LINES_A_SECOND = 50.0
LINES_AT_ONCE = 500
END_SECONDS = 0.5  # time limit for the last lines


def open_log(file: Path) -> int:
    """Opens a log file in append mode, for its owner only. It may be truncated while it is written.

    Returns:
        The file descriptor.

    Raises:
        OSError: It cannot be opened.
    """
    return os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)


class LogLines(logging.Handler):
    """Writes log lines. Drops lines that come too fast or find no reader, and logs their number with the next line."""

    def __init__(self, number: int, file: Path | None = None) -> None:
        """Starts the writing thread.

        Args:
            number: The file descriptor to write to, for as long as the process lives.
            file: The path of that file, which `reopen` opens again; None if it has no name.
        """
        super().__init__()
        self._number, self._file = number, file
        self._waiting: queue.Queue[str | None] = queue.Queue(LINES_WAITING)
        self._room, self._counted = float(LINES_AT_ONCE), time.monotonic()
        self._dropped = 0
        self._writer = threading.Thread(target=self._write, name="log", daemon=True)
        self._writer.start()

    def say(self, line: str) -> None:
        """Writes a line unchanged, without the limit."""
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
        """Continues in a new file of the same name, after the old one was renamed. No line is lost.

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
        half = b""  # ends a line that was partly written before the disk was full
        while (line := self._waiting.get()) is not None:
            data = whole = half + f"{line}\n".encode("utf-8", "backslashreplace")
            try:
                while data:
                    data = data[os.write(self._number, data) :]
                half = b""
            except OSError:
                self._dropped += 1
                half = b"\n" if len(data) < len(whole) else half  # so that the next text begins a new line


def _dropped_line(count: int) -> logging.LogRecord:
    """Returns the line with the number of lines missing before it."""
    text = _("{dropped} lines of the log were dropped", dropped=count)
    told = {"name": "magehall.log", "levelno": logging.WARNING, "levelname": "WARNING", "msg": text}
    return logging.makeLogRecord(told | fields("lines_dropped", count=count))
