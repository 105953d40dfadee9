"""Two runs beside each other: which figures have become worse by more than their noise.

What is compared is the median ratio to the reference, where a figure has one: machines differ, ratios hardly. A figure
is marked when its median has changed by more than the noise of both runs together (see `Spread`), and by more than
`FLOOR`: two processes that run the same code differ by that much, of which the rounds of one process know nothing.

Where other programs took much of the machine in one of the runs, figures with seconds on the wall are not judged, and
the others need `SHARED_FLOOR`: neighbours in the caches slow the engine down more than a small loop.
"""

from __future__ import annotations

from benchmarks.figure import Figure, Report, Spread
from benchmarks.machine import BUSY
from benchmarks.table import NAME, short

FLOOR = 0.05
SHARED_FLOOR = 0.1


def compare(old: Report, new: Report) -> tuple[list[str], int]:
    """The lines of the table, and how many figures are worse."""
    before = {figure.name: figure for figure in old.figures}
    after = {figure.name: figure for figure in new.figures}
    lines = [f"{'figure':<{NAME}} {'old':>9} {'new':>9} {'of':<9} {'new/old':>7} {'noise':>6} {'noise':>6}"]
    for run, report in ("old", old), ("new", new):
        if report.others > BUSY:
            lines.insert(0, f"other programs took {report.others:.0%} of the machine in the {run} run")
    shared = max(old.others, new.others) > BUSY
    worse = 0
    for name, figure in before.items():
        if name not in after:
            lines.append(f"{name:<{NAME}} only in the old run")
            continue
        other = after[name]
        word = verdict(figure, other, shared=shared)
        worse += word == "WORSE"
        lines.append(_line(figure, other, word))
    lines += [f"{name:<{NAME}} only in the new run" for name in after if name not in before]
    return lines, worse


def verdict(old: Figure, new: Figure, *, shared: bool) -> str:
    """WORSE or better, nothing where the change may be noise; "busy" where a shared machine leaves that open."""
    (_, first), (_, second) = _compared(old, new), _compared(new, old)
    noise = max(SHARED_FLOOR if shared else FLOOR, first.noise + second.noise)
    if old.better == "neither" or abs(_change(first, second) - 1) <= noise:
        return ""
    if shared and old.wall:
        return "busy"
    return "better" if (second.median > first.median) == (old.better == "more") else "WORSE"


def _line(old: Figure, new: Figure, word: str) -> str:
    (unit, first), (_, second) = _compared(old, new), _compared(new, old)
    text = f"{old.name:<{NAME}} {short(first.median):>9} {short(second.median):>9} {unit:<9}"
    return f"{text} {_change(first, second):>7.3f} {first.noise:>6.1%} {second.noise:>6.1%} {word}".rstrip()


def _compared(figure: Figure, other: Figure) -> tuple[str, Spread]:
    """What of a figure is compared, and its unit: the ratio if both have one to the same reference."""
    if figure.ratio is not None and other.ratio is not None and figure.reference == other.reference:
        return figure.reference, figure.ratio
    return figure.unit, figure.value


def _change(old: Spread, new: Spread) -> float:
    """New by old, 1 if both are nothing."""
    if old.median:
        return new.median / old.median
    return 1.0 if not new.median else float("inf")
