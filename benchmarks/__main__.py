"""`make bench`: measures and prints one table.

python -m benchmarks [reference] [engine] [learning] [bots] [cups] [wire] [disk] [restart] [sessions] [memory] [growth]
                     [start] [keys] [pages]     only these parts
python -m benchmarks ... --json FILE            keeps the figures too
python -m benchmarks growth --plot FILE.svg     draws how cost grows
python -m benchmarks --compare OLD.json NEW.json    measures nothing; the status is 1 if something is worse by more
                                                    than its noise
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import msgspec

from benchmarks import (
    bots,
    cups,
    disk,
    engine,
    growth,
    keys,
    learning,
    memory,
    pages,
    reference,
    restart,
    sessions,
    start,
    wire,
)
from benchmarks.compare import compare
from benchmarks.figure import Figure, Report
from benchmarks.machine import Others
from benchmarks.plot import plot
from benchmarks.table import show

PARTS: dict[str, Callable[[], Iterator[Figure]]] = {
    "reference": reference.figures,
    "engine": engine.figures,
    "learning": learning.figures,
    "bots": bots.figures,
    "cups": cups.figures,
    "wire": wire.figures,
    "disk": disk.figures,
    "restart": restart.figures,
    "sessions": sessions.figures,
    "memory": memory.figures,
    "growth": growth.figures,
    "start": start.figures,
    "keys": keys.figures,
    "pages": pages.figures,
}


def main(arguments: Sequence[str], parts: dict[str, Callable[[], Iterator[Figure]]] = PARTS) -> int:
    """The exit status: 1 if a comparison found something worse, 2 for arguments that mean nothing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measures the engine and the server.")
    parser.add_argument("part", nargs="*", help=f"all, or some of: {', '.join(parts)}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures in this file too")
    parser.add_argument(
        "--compare", type=Path, nargs=2, metavar=("OLD", "NEW"), help="measure nothing, compare two files"
    )
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw how cost grows, if that is measured")
    given = parser.parse_args(arguments)
    if given.compare:
        return _compare(*given.compare)
    if unknown := [part for part in given.part if part not in parts]:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(parts)}")
    for file in (given.json, given.plot):
        if file and not file.parent.is_dir():
            parser.error(f"there is no folder {file.parent}")
    measured = chain.from_iterable(parts[part]() for part in given.part or parts)
    others = Others()
    figures = list(show(measured))
    report = Report(platform.python_version(), others.part(), figures)
    print(f"other programs took {report.others:.0%} of the processors meanwhile")
    if given.json:
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode(report)))
    if given.plot and (picture := plot(figures)):
        given.plot.write_text(picture, encoding="utf-8")
    return 0


def _compare(old: Path, new: Path) -> int:
    lines, worse = compare(*(msgspec.json.decode(path.read_bytes(), type=Report) for path in (old, new)))
    print("\n".join(lines))
    print(f"{worse or 'nothing'} worse by more than the noise")
    if left := sum(text.endswith(" busy") for text in lines):
        print(f"{left} left open: the machine was shared, run it again")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
