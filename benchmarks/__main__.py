"""`make bench`, or `python -m benchmarks [engine] [bots] [wire] [sessions] [start]`: measures and prints one table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import chain

from benchmarks import bots, engine, sessions, start, wire
from benchmarks.table import Row, show

PARTS: dict[str, Callable[[], Iterator[Row]]] = {
    "engine": engine.rows,
    "bots": bots.rows,
    "wire": wire.rows,
    "sessions": sessions.rows,
    "start": start.rows,
}

if __name__ == "__main__":
    wanted = sys.argv[1:] or list(PARTS)
    show(chain.from_iterable(PARTS[part]() for part in wanted))
