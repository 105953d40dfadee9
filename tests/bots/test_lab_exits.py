"""Bots that end the process in which the lab has them play: it says which one, where, and with which exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXITS = """
import os
from magehall import Bot

{first}

class Exits(Bot):
    def choose(self, turn):
        {then}
        return turn.legal[0]
"""


def lab(file: Path, first: str, then: str, jobs: str) -> subprocess.CompletedProcess[str]:
    file.write_text(EXITS.format(first=first, then=then))
    words = ["magecraft", "--bots", f"{file}:Exits", "--deals", "2", "--jobs", jobs]
    return subprocess.run(
        [sys.executable, "-m", "magehall", "lab", *words], capture_output=True, text=True, timeout=60, cwd=ROOT
    )


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_bot_that_ends_its_process_is_named_with_the_line_that_did_and_the_exit_code(
    tmp_path: Path, jobs: str
) -> None:
    done = lab(tmp_path / "exits.py", "", "os._exit(0)", jobs)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"magehall: {tmp_path}/exits.py:Exits raised in deal 1.\n" in done.stderr
    assert done.stderr.endswith("SystemExit: os._exit(0), which ends the process with that exit code\n")


@pytest.mark.parametrize("ends", ["os._exit(0)", "raise SystemExit(0)"])
def test_a_file_that_ends_the_process_that_loads_it_is_named(tmp_path: Path, ends: str) -> None:
    done = lab(tmp_path / "exits.py", ends, "pass", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"magehall: {tmp_path}/exits.py fails to load: SystemExit: ")


def test_a_process_that_a_bot_forks_ends_as_it_wishes(tmp_path: Path) -> None:
    ends = "pid = os.fork() if turn.number < 3 else 0\n        pid or turn.number > 2 or os._exit(7)"
    ends += "\n        assert not pid or os.waitpid(pid, 0)[1] == 7 << 8"
    assert lab(tmp_path / "exits.py", "", ends, "1").returncode == os.EX_OK
