"""Standings as a table for people."""

from __future__ import annotations

from collections.abc import Sequence

from server.tournament.ratings import Rating
from server.tournament.standings import Row

_HEAD = ("", "entrant", "score", "+-", "rating", "95 %", "place", "points", "seats", "ended")
_LEFT = (1, 9)


def table(rows: Sequence[Row], seats: int) -> list[str]:
    """Lines: a head, one for each entrant, and what the columns mean."""
    cells = [_HEAD, *map(_cells, rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(_HEAD))]
    lines = []
    for row in cells:
        padded = [
            cell.ljust(width) if column in _LEFT else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(padded).rstrip())
    return [
        *lines,
        f"score: share of the win a seat, {1 / seats:.3f} if all were equal; +-: its standard error over the deals",
        "rating: on the scale of Elo, from finishing orders; the number in front counts only who is surely better",
    ]


def _cells(row: Row) -> tuple[str, ...]:
    ended = ", ".join(f"{how} {count}" for how, count in row.ended.items())
    if row.late:
        ended += f"; {row.late} decisions made for it"
    return (
        str(row.rank),
        row.entrant,
        f"{row.score:.3f}",
        "-" if row.error is None else f"{row.error:.3f}",
        "-" if row.rating is None else f"{row.rating.elo:+.0f}",
        interval(row.rating),
        f"{row.place:.2f}",
        "-" if row.points is None else f"{row.points:.1f}",
        str(row.seats),
        ended,
    )


def interval(rating: Rating | None) -> str:
    """The 95 % interval of a rating; "-" where there is none."""
    if rating is None or rating.low is None or rating.high is None:
        return "-"
    return f"{rating.low:+.0f} to {rating.high:+.0f}"
