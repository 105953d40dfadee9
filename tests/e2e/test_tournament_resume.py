"""A tournament whose organiser is killed goes on where it was: no result is lost, and none comes twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from client.cli.app import app
from client.exit_codes import INTERRUPTED

SECRET = bytes(range(32)).hex()
CUP = ("run", "ikasamage", "--bot", "random", "--bot", "greedy", "--seats", "3", "--seed", "3", "--secret", SECRET)

SLEEPY = """\
import time
from pathlib import Path

from magehall import all_bots

if Path(__file__).with_name("slowly").exists():
    time.sleep(2.5)


class Sleepy(all_bots()["random"]):
    pass
"""


def started(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    """The command with these words; it keeps its own in that folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "magehall", "tournament", *words, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "XDG_STATE_HOME": str(folder)},
    )


def results(command: subprocess.Popen[bytes]) -> Any:
    """What it prints at its end."""
    out, words = command.communicate(timeout=600)
    assert command.returncode == 0, words.decode()
    told = json.loads(out)
    return told["matches"], told["standings"]


def held(folder: Path, *words: str) -> Any:
    """What the command prints, if this process carries it out."""
    done = CliRunner().invoke(app, ["tournament", *words, "--json"], env={"XDG_STATE_HOME": str(folder)})
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    return told["matches"], told["standings"]


def stop(folder: Path, command: subprocess.Popen[bytes], how: signal.Signals, begun: int) -> None:
    """Waits until so much is kept, and stops it."""
    log = folder / "magehall" / "tournaments" / "1" / "magehall.db-wal"
    deadline = time.monotonic() + 60
    while command.poll() is None and time.monotonic() < deadline:
        if log.exists() and log.stat().st_size > begun:
            break
        time.sleep(0.01)
    command.send_signal(how)
    command.communicate(timeout=60)


def test_f01_a_tournament_that_was_stopped_goes_on_and_ends_as_one_that_was_not(tmp_path: Path) -> None:
    bot = tmp_path / "sleepy.py"
    bot.write_text(SLEEPY, encoding="utf-8")
    cup = (*CUP[:2], "--bot", f"{bot}:Sleepy", *CUP[4:], "--rounds", "2", "--clock", "1+1")
    command = started(tmp_path / "cut", *cup)
    stop(tmp_path / "cut", command, signal.SIGINT, 60_000)
    assert command.returncode == INTERRUPTED
    command = started(tmp_path / "cut", "resume")
    stop(tmp_path / "cut", command, signal.SIGKILL, 50_000)
    assert command.returncode == -signal.SIGKILL
    (tmp_path / "slowly").touch()  # the time that its process takes to start is not the bot's
    ended = held(tmp_path / "cut", "resume")
    (tmp_path / "slowly").unlink()
    assert ended == held(tmp_path / "whole", *cup)


@pytest.mark.soak
def test_f01_fifty_kills_of_the_organiser_change_nothing(tmp_path: Path) -> None:
    chance = random.Random(1)
    rounds = ("--rounds", "250")
    whole = results(started(tmp_path / "whole", *CUP, *rounds))
    command = started(tmp_path / "cut", *CUP, *rounds)
    kills = 0
    while kills < 50 and command.poll() is None:
        time.sleep(chance.uniform(0.5, 4.0))
        if command.poll() is None:
            command.kill()
            command.communicate(timeout=60)
            kills += 1
            command = started(tmp_path / "cut", "resume", "--csv", str(tmp_path / "table.csv"))
    print(f"{kills} kills")
    assert results(command) == whole
    assert (tmp_path / "table.csv").read_text().count("\n") == 3
    assert kills == 50
