"""The one table that all figures go into."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One figure; `target` and `reached` where there is one."""

    name: str
    value: float
    unit: str
    target: str = ""
    reached: bool | None = None


def show(rows: Iterable[Row]) -> None:
    """Prints each row as soon as it is measured."""
    print(f"{'figure':<64} {'value':>12} {'unit':<12} {'target':>10}")
    for row in rows:
        if row.value >= 1000:
            value = f"{row.value:,.0f}"
        else:
            value = f"{row.value:.3g}"
        verdict = {True: "reached", False: "MISSED", None: ""}[row.reached]
        print(f"{row.name:<64} {value:>12} {row.unit:<12} {row.target:>10} {verdict}", flush=True)
