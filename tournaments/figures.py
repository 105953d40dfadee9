"""Statistics besides the standings: who finished ahead of whom, and results by seat. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from typing import TypeAlias

from tournaments.standings import CountedMatch, win_shares_and_places

Table: TypeAlias = list[list[float | None]]
"""A row for each entrant, by number; a value is None if there are no data for it."""


class HeadToHead:
    """Counts how often each entrant finished ahead of each other entrant, match by match. A tie counts a half."""

    def __init__(self) -> None:
        self._met: Counter[tuple[int, int]] = Counter()
        self._ahead: Counter[tuple[int, int]] = Counter()  # in halves

    def add(self, match: CountedMatch) -> None:
        """Counts a match. A match without results changes nothing."""
        if match.results:
            seats = list(zip(match.pairing.entrants, win_shares_and_places(match.results), strict=True))
            for (one, (_share, place)), (other, (_other, behind)) in permutations(seats, 2):
                if one != other:
                    self._met[one, other] += 1
                    self._ahead[one, other] += (place < behind) + (place <= behind)

    def table(self, entrants: int) -> Table:
        """Returns for each entrant (a row) how often it finished ahead of each other entrant (a column), as a share of
        the matches that both played."""
        return [[self._share(one, other) for other in range(entrants)] for one in range(entrants)]

    def _share(self, one: int, other: int) -> float | None:
        met = self._met.get((one, other), 0)
        return self._ahead[one, other] / (2 * met) if met else None


def crosstable(entrants: int, matches: Sequence[CountedMatch]) -> Table:
    """Returns the table of `HeadToHead` for these matches."""
    met = HeadToHead()
    for match in matches:
        met.add(match)
    return met.table(entrants)


def win_shares_by_seat(entrants: int, seats: int, matches: Sequence[CountedMatch]) -> Table:
    """Returns the mean share of the win of each entrant in each seat. The last row is that of all entrants."""
    got: dict[tuple[int, int], list[Fraction]] = defaultdict(list)
    for match in matches:
        if match.results:
            for seat, (share, _place) in enumerate(win_shares_and_places(match.results)):
                for row in (match.pairing.entrants[seat], entrants):
                    got[row, seat].append(share)
    return [[_mean(got[row, seat]) for seat in range(seats)] for row in range(entrants + 1)]


def _mean(values: Sequence[Fraction]) -> float | None:
    return float(sum(values, Fraction(0)) / len(values)) if values else None
