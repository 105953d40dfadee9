"""Standings as a table for people."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.text.standings import standings_table
from server.tournament.standings import Row, as_told


def table(rows: Sequence[Row], seats: int) -> list[str]:
    """Lines: a head, one for each entrant, and what the columns mean."""
    return [
        *standings_table([as_told(row) for row in rows]),
        f"score: share of the win a seat, {1 / seats:.3f} if all were equal; +-: its standard error over the deals",
        "lead: points ahead of the mean of the others at the table, over the seats that played to the end",
        "rating: on the scale of Elo, from finishing orders; the number in front counts only who is surely better",
    ]
