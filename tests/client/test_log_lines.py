"""Lines of the server's log on their way to a file."""

from __future__ import annotations

import errno
import json
import logging
import os
from pathlib import Path

import pytest

from client.cli.log_format import JsonFormatter, TextFormatter
from client.cli.log_lines import LINES_AT_ONCE, LogLineHandler, open_log
from server.log_fields import extra_fields


def record(text: str, **more: object) -> logging.LogRecord:
    return logging.makeLogRecord({"name": "magehall.test", "msg": text, "levelname": "INFO"} | more)


def test_a_line_that_a_full_disk_cut_off_spoils_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "log"
    number = open_log(file)
    write, room = os.write, [10, 0]

    def full(to: int, data: bytes) -> int:
        if to != number or not room:
            return write(to, data)
        if not (left := room.pop(0)):
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(to, data[:left])

    monkeypatch.setattr(os, "write", full)
    lines = LogLineHandler(number, file)
    for text in ("a line that does not fit", "the next one", "another"):
        lines.write_line(text)
    lines.close()
    os.close(number)
    assert file.read_text().splitlines() == ["a line tha", "the next one", "another"]


def test_lines_that_come_too_fast_are_counted_in_a_line_that_programs_read_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("client.cli.log_lines.time.monotonic", lambda: now[0])
    file = tmp_path / "log"
    number = open_log(file)
    lines = LogLineHandler(number, file)
    lines.setFormatter(JsonFormatter())
    for _ in range(LINES_AT_ONCE + 7):
        lines.emit(record("a line"))
    now[0] = 60.0
    lines.emit(record("the last"))
    lines.close()
    os.close(number)
    told = [json.loads(line) for line in file.read_text().splitlines()]
    assert (told[-2]["event"], told[-2]["count"], told[-1]["text"]) == ("lines_dropped", 7, "the last")


def test_a_json_line_has_its_fields_and_none_in_the_place_of_another() -> None:
    line = record(
        "ann is here", **extra_fields("session_began", name="ann", session=7, text="no", code="", seconds=None)
    )
    line.created = 1_790_000_000.25
    assert json.loads(JsonFormatter().format(line)) == {
        "time": "2026-09-21T14:13:20.250Z",
        "level": "info",
        "part": "magehall.test",
        "event": "session_began",
        "text": "ann is here",
        "name": "ann",
        "session": 7,
    }


def test_a_text_line_says_the_time_with_its_zone() -> None:
    time = TextFormatter().format(record("hello")).partition(" INFO")[0]
    assert time[-6] in "+-"
    assert time[19] == "."
