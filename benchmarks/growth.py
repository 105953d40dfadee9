"""How cost grows: decisions a second and their latency with more tables, more spectators, and with the log on disk.

Each number of tables has a server of its own, which the next one does not share; the echo is measured before each run.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from tempfile import TemporaryDirectory

from benchmarks.child import server
from benchmarks.echo import run_echo
from benchmarks.figure import Figure
from benchmarks.load import Tables
from benchmarks.run import Run

TABLES = (1, 10, 100, 1_000)
SPECTATORS = (0, 10, 200)
WATCHED_TABLES = 10  # spectators are at one of so many
ROUNDS = 5
SECONDS, WARM_UP, PAUSE, ECHO_SECONDS = 0.4, 1.0, 0.1, 0.15
LONG = 4  # times as long with a thousand tables, where all joining takes a while
GAME = "ikasamage"


def figures() -> Iterator[Figure]:
    """First the tables, in memory and on disk, then the spectators."""
    for kind, where in (("hall", "in memory"), ("disk", "on disk")):
        for tables in TABLES:
            yield from _told(f"{tables} tables, {where}", list(_rounds(kind, tables)))
    for spectators in SPECTATORS:
        name = f"{WATCHED_TABLES} tables, {spectators} spectators at one"
        yield from _told(name, list(_rounds("hall", WATCHED_TABLES, spectators)))


def _told(name: str, runs: list[tuple[Run, Run]]) -> Iterator[Figure]:
    rates, echoes = [run.rate for run, _ in runs], [echo.rate for _, echo in runs]
    yield Figure(f"{name}: decisions", "/s", rates, "more", "echo", echoes, wall=True)
    for part in 0.5, 0.99:
        late, others = ([one.quantile(part) * 1e3 for one in side] for side in zip(*runs, strict=True))
        yield Figure(f"{name}: p{part * 100:.0f}", "ms", late, "less", "echo", others, wall=True)
    cpu, others = ([one.cpu_each * 1e6 for one in side] for side in zip(*runs, strict=True))
    yield Figure(f"{name}: server CPU a decision", "us", cpu, "less", "echo", others)


def _rounds(kind: str, tables: int, spectators: int = 0) -> Iterator[tuple[Run, Run]]:
    with ExitStack() as stack:
        echo = stack.enter_context(server("echo"))
        folder = [stack.enter_context(TemporaryDirectory(dir=".", prefix=".bench-"))] if kind == "disk" else []
        load = Tables(
            stack.enter_context(server(kind, *folder)), tables, "msgpack", GAME, patient=True, spectators=spectators
        )
        stack.callback(load.close)
        long = LONG if tables >= TABLES[-1] else 1
        load.run(PAUSE, WARM_UP * long * 2)
        for _ in range(ROUNDS):
            beside = run_echo(echo, tables, ECHO_SECONDS * long)
            yield load.run(SECONDS * long, PAUSE * long), beside
