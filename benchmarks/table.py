"""The one table that all figures go into."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from benchmarks.figure import Figure, Spread

NAME = 53


def show(figures: Iterable[Figure]) -> Iterator[Figure]:
    """Prints each figure as soon as it is measured, and passes it on."""
    print(f"{'figure':<{NAME}} {'min':>8} {'median':>8} {'max':>8} {'unit':<8} ", end="")
    print(f"{'ratio: min':>10} {'median':>7} {'max':>7} {'to':<8} {'target':>11}")
    for figure in figures:
        print(line(figure), flush=True)
        yield figure


def line(figure: Figure) -> str:
    """One figure: its spread, the spread of its ratio to the reference, and its target."""
    of = f" {figure.reference}" if figure.target_is_ratio else ""
    target = "" if figure.target is None else short(figure.target) + of
    verdict = {True: "reached", False: "MISSED", None: ""}[figure.reached]
    ratio = figure.ratio
    beside = _three(ratio, 7) if ratio else " " * 23
    text = f"{figure.name:<{NAME}} {_three(figure.value, 8)} {figure.unit:<8}    {beside} {figure.reference:<8}"
    return f"{text} {target:>11} {verdict}".rstrip()


def short(number: float) -> str:
    """Three digits that matter, or whole thousands."""
    if abs(number) >= 1000:
        return f"{number:,.0f}"
    return f"{number:.3g}"


def _three(spread: Spread, width: int) -> str:
    return " ".join(f"{short(number):>{width}}" for number in (spread.least, spread.median, spread.most))
