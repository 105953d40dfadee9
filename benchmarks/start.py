"""Cold starts: the help page, and the first turn of `magehall play`; the reference is a thousand turns of the loop."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator

from benchmarks.figure import Figure
from benchmarks.reference import loop_rate

ROUNDS = 9
KILO = 1_000


def figures() -> Iterator[Figure]:
    """The two figures."""
    yield _figure("cold start: magehall --help", ["--help"], "", 0.5)
    yield _figure("cold start: first turn of magehall play", ["play", "--plain"], "bet ", 1.5)


def _figure(name: str, arguments: list[str], wanted: str, target: float) -> Figure:
    took, loops = [], []
    for _ in range(ROUNDS):
        before = loop_rate()
        took.append(_until(arguments, wanted))
        loops.append(2 * KILO / (before + loop_rate()))
    return Figure(name, "s", took, "less", "loops", loops, target, wall=True)


def _until(arguments: list[str], wanted: str) -> float:
    """Seconds until the wanted text is out, or until the end where none is."""
    begun = time.perf_counter()
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "magehall", *arguments]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as child:
        assert child.stdout is not None
        for line in child.stdout:
            if wanted and wanted in line:
                took = time.perf_counter() - begun
                child.kill()
                return took
        return time.perf_counter() - begun
