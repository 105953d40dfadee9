"""Standings as a table of text."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.language import N_, _
from protocol.messages import Standing

_HEAD = (
    *("", N_("entrant"), N_("score"), "+-", N_("lead"), "95 %", N_("rating"), "95 %", N_("place"), N_("points")),
    *(N_("seats"), N_("ended")),
)
_LEFT = (1, 11)


def standings_table(rows: Sequence[Standing]) -> list[str]:
    """Lines: a head, and one for each entrant."""
    cells = [tuple(map(_, _HEAD)), *map(_cells, rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(_HEAD))]
    lines = []
    for row in cells:
        padded = [
            cell.ljust(width) if column in _LEFT else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(padded).rstrip())
    return lines


def _cells(row: Standing) -> tuple[str, ...]:
    ended = ", ".join(f"{_(how)} {count}" for how, count in row.ended.items())
    if row.late:
        ended += _("; {late} decisions made for it", late=row.late)
    return (
        str(row.rank),
        row.entrant,
        f"{row.score:.3f}",
        "-" if row.error is None else f"{row.error:.3f}",
        "-" if row.lead is None else f"{row.lead:+.2f}",
        interval(row.lead_low, row.lead_high, 1),
        "-" if row.elo is None else f"{row.elo:+.0f}",
        interval(row.low, row.high),
        f"{row.place:.2f}" if row.place else "-",
        "-" if row.points is None else f"{row.points:.1f}",
        str(row.seats),
        ended,
    )


def interval(low: float | None, high: float | None, digits: int = 0) -> str:
    """A 95 % interval; "-" where there is none."""
    if low is None or high is None:
        return "-"
    return _("{low} to {high}", low=f"{low:+.{digits}f}", high=f"{high:+.{digits}f}")
