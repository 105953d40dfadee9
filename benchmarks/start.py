"""Cold starts: the help page, and the first turn of `magehall play`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from statistics import median

from benchmarks.table import Row

RUNS = 5


def rows() -> Iterator[Row]:
    """Medians of five."""
    shown = median(_until(["--help"], "") for _ in range(RUNS))
    yield Row("cold start: magehall --help", shown, "s", "0.5", shown <= 0.5)
    first = median(_until(["play", "--plain"], "bet ") for _ in range(RUNS))
    yield Row("cold start: first turn of magehall play", first, "s", "1.5", first <= 1.5)


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
