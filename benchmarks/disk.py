"""Decisions a second with the log on disk, beside the same without: every decision survives a power cut.

Both servers stay up together and take turns, as in the measurements of the wire.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from tempfile import TemporaryDirectory

from benchmarks.child import server
from benchmarks.figure import Figure
from benchmarks.load import Tables
from benchmarks.run import Run

ROUNDS = 10
SECONDS = 0.3
WARM_UP, PAUSE = 0.7, 0.1
GAME = "ikasamage"
SHARES = {1: None, 10: None, 100: 0.7}


def figures() -> Iterator[Figure]:
    """Matches at 1, 10 and 100 tables at once, in msgpack."""
    for tables, share in SHARES.items():
        runs = _rounds(tables)
        name = f"{GAME}, {tables} tables, on disk"
        rates, others = [one.rate for one, _ in runs], [other.rate for _, other in runs]
        yield Figure(f"{name}: decisions", "/s", rates, "more", "in memory", others, share, True, True)
        late, others = ([one.quantile(0.99) * 1e3 for one in part] for part in zip(*runs, strict=True))
        yield Figure(f"{name}: p99 of a decision", "ms", late, "less", "in memory", others, wall=True)
        cpu, others = ([one.cpu_each * 1e6 for one in part] for part in zip(*runs, strict=True))
        yield Figure(f"{name}: server CPU a decision", "us", cpu, "less", "in memory", others)


def _rounds(tables: int) -> list[tuple[Run, Run]]:
    """With the disk, and just after that without."""
    with ExitStack() as stack:
        loads = []
        folder = stack.enter_context(TemporaryDirectory(dir=".", prefix=".bench-"))  # /tmp may be no disk
        for process in (server("disk", folder), server("hall")):
            load = Tables(stack.enter_context(process), tables, "msgpack", GAME)
            stack.callback(load.close)
            load.run(PAUSE, WARM_UP)
            loads.append(load)
        disk, memory = loads
        return [(disk.run(SECONDS, PAUSE), memory.run(SECONDS, PAUSE)) for _ in range(ROUNDS)]
