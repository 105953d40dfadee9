"""How far a seat is ahead in points. It tells bots apart in fewer matches than who won. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import Seat


def lead(scores: Sequence[int], seat: Seat) -> float:
    """How many points the seat is ahead of the mean of the others; `scores` are those of all seats, at least two."""
    own = scores[seat - 1]
    return own - (sum(scores) - own) / (len(scores) - 1)
