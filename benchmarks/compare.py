"""Two runs beside each other: which figures have become worse by more than their noise.

What is compared is the median ratio to the reference, where a figure has one: machines differ, ratios hardly. A figure
is marked when its median has changed by more than the noise of both runs together (see `Spread`), and by more than
`FLOOR`: two processes that run the same code differ by that much, of which the rounds of one process know nothing.
"""

from __future__ import annotations

from benchmarks.figure import Figure, Report, Spread
from benchmarks.machine import BUSY
from benchmarks.table import NAME, short

FLOOR = 0.05


def compare(old: Report, new: Report) -> tuple[list[str], int]:
    """The lines of the table, and how many figures are worse."""
    before = {figure.name: figure for figure in old.figures}
    after = {figure.name: figure for figure in new.figures}
    lines = [f"{'figure':<{NAME}} {'old':>9} {'new':>9} {'of':<9} {'new/old':>7} {'noise':>6} {'noise':>6}"]
    for run, report in ("old", old), ("new", new):
        if report.others > BUSY:
            lines.insert(0, f"the {run} run shared the machine: other programs took {report.others:.0%}; run it again")
    worse = 0
    for name, figure in before.items():
        if name not in after:
            lines.append(f"{name:<{NAME}} only in the old run")
            continue
        other = after[name]
        word = verdict(figure, other)
        worse += word == "WORSE"
        lines.append(_line(figure, other, word))
    lines += [f"{name:<{NAME}} only in the new run" for name in after if name not in before]
    return lines, worse


def verdict(old: Figure, new: Figure) -> str:
    """WORSE or better, or nothing where the change may be noise."""
    (_, first), (_, second) = _compared(old, new), _compared(new, old)
    noise = max(FLOOR, first.noise + second.noise)
    if old.better == "neither" or abs(_change(first, second) - 1) <= noise:
        return ""
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
