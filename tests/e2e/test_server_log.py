"""The log of `magehall serve`: a file that may be rotated, lines that programs read, and a last line."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

COMMAND = [sys.executable, "-m", "magehall", "serve", "--port", "0"]
PATIENCE = 60.0


def lines(file: Path) -> list[dict[str, Any]]:
    """Returns the whole lines of a JSON log so far."""
    text = file.read_text() if file.exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def events(file: Path) -> list[str]:
    return [line["event"] for line in lines(file)]


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts servers on the same data, each with its log as JSON in the file `log`."""
    started = []
    command = [*COMMAND, "--data", str(tmp_path / "data"), "--log-json", "--log-file", str(tmp_path / "log")]

    def start(*options: str, stdin: int = subprocess.DEVNULL, **more: Any) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [*command, *options], stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **more
        )
        started.append(process)
        begun = events(tmp_path / "log").count("serving")
        until(lambda: process.poll() is not None or events(tmp_path / "log").count("serving") > begun)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_a_server_goes_on_at_a_hangup_in_a_new_log_file(
    tmp_path: Path, serve: Callable[..., subprocess.Popen[bytes]]
) -> None:
    process, log = serve("--no-web"), tmp_path / "log"
    log.rename(tmp_path / "log.1")
    process.send_signal(signal.SIGHUP)
    until(lambda: events(log) == ["reopened"])
    log.write_text("")  # as logrotate's copytruncate does
    process.send_signal(signal.SIGHUP)
    until(lambda: events(log) == ["reopened"])
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0
    assert events(tmp_path / "log.1") == ["started", "serving"]
    assert events(log) == ["reopened", "signal", "goodbye", "ended"]
    assert log.stat().st_mode & 0o777 == 0o600


def test_a_server_reads_its_settings_again_at_a_hangup_and_keeps_them_where_it_cannot(
    tmp_path: Path, serve: Callable[..., subprocess.Popen[bytes]]
) -> None:
    settings, log = tmp_path / "limits.toml", tmp_path / "log"
    settings.write_text("tables = 5\n")
    process = serve("--config", str(settings))
    settings.write_text("tables = 6\nreceive_bytes = 30000\n")
    process.send_signal(signal.SIGHUP)
    until(lambda: "reloaded_at_start" in events(log))
    assert [line["names"] for line in lines(log) if "names" in line] == [["tables"], ["receive_bytes"]]
    settings.write_text("tables = 0\n")
    process.send_signal(signal.SIGHUP)
    until(lambda: "settings_kept" in events(log))
    assert "tables is 0; it takes a whole number" in lines(log)[-1]["text"]
    assert process.poll() is None


def test_a_server_ends_at_a_hangup_once_its_terminal_is_closed(
    tmp_path: Path, serve: Callable[..., subprocess.Popen[bytes]]
) -> None:
    ours, theirs = pty.openpty()
    process = serve(stdin=theirs, start_new_session=True)
    os.close(theirs)
    process.send_signal(signal.SIGHUP)
    until(lambda: "reopened" in events(tmp_path / "log"))
    os.close(ours)
    process.send_signal(signal.SIGHUP)
    assert process.wait(PATIENCE) == 0
    assert lines(tmp_path / "log")[-3]["signal"] == "SIGHUP"


def test_the_next_server_tells_that_the_last_one_was_killed(
    tmp_path: Path, serve: Callable[..., subprocess.Popen[bytes]]
) -> None:
    first = serve()
    first.kill()
    first.wait()
    second = serve()
    told = next(line for line in lines(tmp_path / "log") if line["event"] == "last_was_killed")
    assert (told["process"], told["level"]) == (first.pid, "warning")
    second.send_signal(signal.SIGTERM)
    assert second.wait(PATIENCE) == 0
    serve()
    assert events(tmp_path / "log").count("last_was_killed") == 1, "the second one ended by itself"


def test_a_crash_in_c_code_leaves_a_last_line(tmp_path: Path, serve: Callable[..., subprocess.Popen[bytes]]) -> None:
    process = serve()
    process.send_signal(signal.SIGSEGV)
    assert process.wait(PATIENCE) == -signal.SIGSEGV
    assert "Fatal Python error: Segmentation fault" in (tmp_path / "log").read_text()


def test_a_log_file_that_cannot_be_opened_is_said_before_the_server_starts(tmp_path: Path) -> None:
    command = [*COMMAND, "--data", ":memory:", "--log-file", str(tmp_path / "none" / "log")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 1
    assert done.stderr.endswith("none/log cannot be opened: No such file or directory.\n")
