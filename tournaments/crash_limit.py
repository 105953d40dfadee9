"""The rule that puts an entrant out whose process keeps dying. The number of parallel matches does not change it.
Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from tournaments.cup import Cup
from tournaments.schedule import Pairing

DEATHS_IN_A_ROW = 5  # in the order of the schedule
MOST_IN_A_ROW = 16  # for an entrant that has lived through as many matches before; so many of them can go on at once


class CrashLimit:
    """Counts in how many matches in a row an entrant's process died. The order is that of the schedule, however the
    matches overlap.

    A match may begin only once no outcome of the entrant's earlier matches could put it out. So the same matches are
    played as in sequence.
    """

    def __init__(self, cup: Cup) -> None:
        self._cup = cup
        self._read = 0  # pairings that are known
        self._matches: list[list[int]] = []  # by entrant: their numbers, in order
        self._settled: list[int] = []  # by entrant: how many of these, from the first, are over
        self._deaths: list[int] = []  # by entrant: in how many in a row, up to there, its process died
        self._lived: list[int] = []  # by entrant: how many others there were up to there

    def held_back(self, pairing: Pairing) -> list[int]:
        """The entrants whose match may not begin yet."""
        self._take_pairings()
        return [number for number in dict.fromkeys(pairing.entrants) if self._may_be_out(number, pairing.number)]

    def matches_that_put_out(self, number: int) -> list[int]:
        """The matches in a row in which the entrant's process died, once they are too many; else none. Each finished
        match yields them once, so the caller asks after each."""
        if number >= len(self._matches) or self._cup.entrants[number].dropped:
            return []
        mine = self._matches[number]
        while self._settled[number] < len(mine) and (match := mine[self._settled[number]]) in self._cup.results:
            self._settled[number] += 1
            if self._died(number, match):
                self._deaths[number] += 1
            else:
                self._deaths[number], self._lived[number] = 0, self._lived[number] + 1
            if self._deaths[number] >= _limit(self._lived[number]):
                return mine[self._settled[number] - self._deaths[number] : self._settled[number]]
        return []

    def _may_be_out(self, number: int, before: int) -> bool:
        if self._cup.entrants[number].dropped:
            return False
        deaths, lived = self._deaths[number], self._lived[number]
        for match in islice(self._matches[number], self._settled[number], None):
            if match >= before:
                break
            if match not in self._cup.results or self._died(number, match):
                deaths += 1
            else:
                deaths, lived = 0, lived + 1
            if deaths >= _limit(lived):
                return True
        return False

    def _died(self, number: int, match: int) -> bool:
        seats = self._cup.pairings()[match - 1].entrants
        return any(seats[seat - 1] == number for seat in self._cup.died.get(match, ()))

    def _take_pairings(self) -> None:
        pairings: Sequence[Pairing] = self._cup.pairings()
        missing = len(self._cup.entrants) - len(self._matches)
        self._matches += [[] for _ in range(missing)]
        self._settled += [0] * missing
        self._deaths += [0] * missing
        self._lived += [0] * missing
        for pairing in islice(pairings, self._read, None):
            for number in dict.fromkeys(pairing.entrants):
                self._matches[number].append(pairing.number)
        self._read = len(pairings)


def _limit(lived: int) -> int:
    """The number of deaths in a row that puts out an entrant that has survived that many matches before."""
    return min(max(DEATHS_IN_A_ROW, lived), MOST_IN_A_ROW)
