"""Decisions a second with the log on disk, beside the same without, the bare echo, and what the disk allows.

Every decision survives a power cut. All servers stay up together and take turns, as in the measurements of the wire.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from statistics import median
from tempfile import TemporaryDirectory, TemporaryFile

from benchmarks.child import server
from benchmarks.echo import run_echo
from benchmarks.figure import Figure
from benchmarks.load import Tables
from benchmarks.run import Run

ROUNDS = 10
SECONDS = 0.3
ECHO_SECONDS = 0.15
SYNCS = 9
WARM_UP, PAUSE = 0.7, 0.1
GAME = "ikasamage"
OF_MEMORY = {1: None, 10: None, 100: 0.7}
OF_ECHO = {1: None, 10: 0.15, 100: None}


def folder(stack: ExitStack) -> str:
    """A new one on the disk where this runs, since /tmp may be none."""
    return stack.enter_context(TemporaryDirectory(dir=".", prefix=".bench-"))


def fsync_seconds() -> float:
    """How long the disk takes for a page at the end of a file."""
    took = []
    with TemporaryFile(dir=".", prefix=".bench-") as file:
        for _ in range(SYNCS):
            file.write(bytes(4_096))
            file.flush()
            begun = time.perf_counter()
            os.fsync(file.fileno())
            took.append(time.perf_counter() - begun)
    return median(took)


def figures() -> Iterator[Figure]:
    """Matches at 1, 10 and 100 tables at once, in msgpack."""
    for tables, share in OF_MEMORY.items():
        runs, echoes, kept_echoes, allowed = _rounds(tables)
        name = f"{GAME}, {tables} tables, on disk"
        rates, others = [one.rate for one, _ in runs], [other.rate for _, other in runs]
        yield Figure(f"{name}: decisions", "/s", rates, "more", "in memory", others, share, True, True)
        bare = [echo.rate for echo in echoes]
        yield Figure(f"{name}: decisions again", "/s", rates, "more", "echo", bare, OF_ECHO[tables], True, True)
        kept = [echo.rate for echo in kept_echoes]
        yield Figure(f"an echo of {tables} lines at once, on disk", "/s", kept, "more", "echo", bare, wall=True)
        yield Figure(f"{name}: decisions once more", "/s", rates, "more", "an fsync each", allowed, wall=True)
        late, others = ([one.quantile(0.99) * 1e3 for one in part] for part in zip(*runs, strict=True))
        yield Figure(f"{name}: p99 of a decision", "ms", late, "less", "in memory", others, wall=True)
        cpu, others = ([one.cpu_each * 1e6 for one in part] for part in zip(*runs, strict=True))
        yield Figure(f"{name}: server CPU a decision", "us", cpu, "less", "in memory", others)
        synced = [one.commits / one.done for one, _ in runs]
        yield Figure(f"{name}: commits (an fsync each) a decision", "", synced, "less")
        written = [one.written / one.done for one, _ in runs]
        yield Figure(f"{name}: bytes kept a decision", "bytes", written, "less")


def _rounds(tables: int) -> tuple[list[tuple[Run, Run]], list[Run], list[Run], list[float]]:
    """With the disk, and just after that without; the echo before both, and one that keeps what it sends back; and how
    many decisions a second there would be if each took no more than an fsync."""
    with ExitStack() as stack:
        echo = stack.enter_context(server("echo"))
        kept_echo = stack.enter_context(server("kept-echo", folder(stack)))
        loads = []
        for process in (server("disk", folder(stack)), server("hall")):
            load = Tables(stack.enter_context(process), tables, "msgpack", GAME)
            stack.callback(load.close)
            load.run(PAUSE, WARM_UP)
            loads.append(load)
        disk, memory = loads
        runs, echoes, kept_echoes, allowed = [], [], [], []
        for _ in range(ROUNDS):
            echoes.append(run_echo(echo, tables, ECHO_SECONDS))
            kept_echoes.append(run_echo(kept_echo, tables, ECHO_SECONDS))
            allowed.append(tables / fsync_seconds())
            runs.append((disk.run(SECONDS, PAUSE), memory.run(SECONDS, PAUSE)))
        return runs, echoes, kept_echoes, allowed
