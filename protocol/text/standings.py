"""Standings as a table of text."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.language import N_, _
from protocol.messages import Standing

_HEAD = (
    *("", N_("entrant"), N_("score"), "+-", N_("rating"), "95 %", N_("place"), N_("points"), N_("seats")),
    N_("ended"),
)
_LEFT = (1, 9)


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
        "-" if row.elo is None else f"{row.elo:+.0f}",
        interval(row.low, row.high),
        f"{row.place:.2f}",
        "-" if row.points is None else f"{row.points:.1f}",
        str(row.seats),
        ended,
    )


def interval(low: float | None, high: float | None) -> str:
    """The 95 % interval of a rating; "-" where there is none."""
    return "-" if low is None or high is None else _("{low:+.0f} to {high:+.0f}", low=low, high=high)
