"""Excludes an entrant from a cup whose process dies in too many matches in a row. The outcome does not depend on how
many matches run at once. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from tournaments.cup import Cup
from tournaments.schedule import Pairing

DEATHS_IN_A_ROW = 5  # deaths in a row, by the order of the schedule, that exclude an entrant
# the limit for an entrant that survived at least as many matches; also bounds how many of its matches run at once
MOST_IN_A_ROW = 16


class CrashLimit:
    """Counts in how many matches in a row an entrant's process died, in the order of the schedule.

    A match may begin only when no outcome of the entrant's earlier matches can exclude it. So parallel matches exclude
    the same entrants as sequential ones.
    """

    def __init__(self, cup: Cup) -> None:
        self._cup = cup
        self._read = 0  # number of pairings already read
        self._matches: list[list[int]] = []  # by entrant: the numbers of its matches, in order
        self._settled: list[int] = []  # by entrant: how many of its matches, from the first one without a gap, are over
        self._deaths: list[int] = []  # by entrant: in how many of these in a row, up to the last, its process died
        self._lived: list[int] = []  # by entrant: in how many of these its process survived

    def entrants_to_wait_for(self, pairing: Pairing) -> list[int]:
        """Returns the entrants for which a match may not begin yet, because their earlier matches could still exclude
        them."""
        self._take_pairings()
        return [number for number in dict.fromkeys(pairing.entrants) if self._may_be_out(number, pairing.number)]

    def disqualifying_matches(self, number: int) -> list[int]:
        """Returns the numbers of the matches in a row in which the entrant's process died, if these exclude the
        entrant; otherwise [].

        Each finished match is counted once, so call this after each match.
        """
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
    """Returns the number of deaths in a row that exclude an entrant which survived `lived` matches."""
    return min(max(DEATHS_IN_A_ROW, lived), MOST_IN_A_ROW)
