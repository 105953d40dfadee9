"""Distributes the seats of a table evenly over the entrants."""

from __future__ import annotations

from collections.abc import Sequence

from games.chance import Chance, deal_key, numbered_seed
from tournaments.formats.api import Sitting


class SeatCounts:
    """Counts how often each entrant has had each seat."""

    def __init__(self, entrants: int, seats: int) -> None:
        self._count = [[0] * seats for _ in range(entrants)]

    def add_entrant(self) -> None:
        """Adds an entrant, which gets the next free number."""
        self._count.append([0] * len(self._count[0]))

    def assign_seats(self, table: Sequence[int], chance: Chance) -> Sitting:
        """Returns the entrants of a table in seat order, and counts these seats. Of a few random orders it takes the
        one after which each entrant has had every seat most evenly."""
        drawn = [chance.shuffle("seats", table) for _ in range(8)]
        best = min(drawn, key=lambda order: sum(self._count[one][seat] ** 2 for seat, one in enumerate(order)))
        for seat, one in enumerate(best):
            self._count[one][seat] += 1
        return tuple(best)


def cup_chance(seed: int, purpose: str) -> Chance:
    """Returns a cup's random generator for one purpose."""
    return Chance(deal_key(numbered_seed(seed, purpose)))
