"""Base classes of formats: rounds that are drawn in advance, and rounds that depend on results."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import ClassVar

from tournaments.formats.api import Results, Sitting, check_tables
from tournaments.formats.seats import SeatCounts
from tournaments.language import _
from tournaments.schedule import Pairing
from tournaments.standings import CountedMatch


class BaseFormat:
    """Defaults that most formats share."""

    takes_late: ClassVar[bool] = False
    draws_rounds: ClassVar[bool] = False
    has_challenger: ClassVar[bool] = False

    @staticmethod
    def check_playable(deals: str, entrants: int, seats: int) -> None:
        """See Format."""
        check_tables(entrants, seats)
        if deals == "rotated":
            raise ValueError(_("Rotated deals are for a round robin."))

    def draw_up_to(self, number: int) -> None:
        """Does nothing, because `next` computes enough pairings in advance."""

    def stages_reached(self, results: Results) -> Mapping[int, int]:
        """Returns {}, because no entrant is eliminated."""
        return {}

    def is_round_due(self, results: Results) -> bool:
        """See Format."""
        return False

    def admit_entrant(self, begun: int, most: int) -> None:
        """See Format. A format that takes late entrants replaces this."""
        raise ValueError(_("This format takes no late entrants."))


class PredrawnFormat(BaseFormat):
    """Base of formats whose rounds do not depend on results. Drawing a round takes time, so it is drawn shortly before
    its matches begin."""

    def __init__(self, drawn: Iterator[Sequence[Sitting]], a_round: int, rounds: int, deals: str) -> None:
        self._fresh = deals == "fresh"
        self._of = rounds
        self._pairings: list[Pairing] = []
        self._ends: list[int] = []  # number of pairings at the end of each round
        self._draw_from(drawn, a_round)

    def _draw_from(self, drawn: Iterator[Sequence[Sitting]], a_round: int) -> None:
        """Sets the iterator of all further rounds, which have `a_round` matches each."""
        done = len(self._ends)
        self._rounds = islice(enumerate(drawn, done + 1), self._of - done)
        self._a_round = a_round
        self.planned = len(self._pairings) + (self._of - done) * a_round

    def known_pairings(self, results: Results, out: Collection[int] = ()) -> Sequence[Pairing]:
        """Returns the pairings of at least two rounds more than there are results for, until all rounds are drawn."""
        while len(self._pairings) < min(self.planned, len(results) + 2 * self._a_round):
            deal, tables = next(self._rounds)
            for sitting in tables:
                number = len(self._pairings) + 1
                self._pairings.append(Pairing(number, number if self._fresh else deal, sitting))
            self._ends.append(len(self._pairings))
        return self._pairings


class RoundByRoundFormat(BaseFormat):
    """Base of formats whose next round depends on the results of the round before."""

    planned: int

    def __init__(self, deals: str, entrants: int, seats: int, rounds: int, seed: int) -> None:
        self._deals, self._entrants, self._seats, self._of, self._seed = deals, entrants, seats, rounds, seed
        self._pairings: list[Pairing] = []
        self._ends: list[int] = []  # number of pairings at the end of each round
        self._sat = SeatCounts(entrants, seats)

    def _is_over(self, results: Results) -> bool:
        """Returns whether all pairings so far are over."""
        return len(results) >= len(self._pairings) and all(one.number in results for one in self._last_round())

    def _add(self, tables: Sequence[Sitting], deal: int) -> None:
        """Adds a pairing for each of these tables. Unless deals are fresh, all of them get the deal `deal`."""
        for sitting in tables:
            number = len(self._pairings) + 1
            self._pairings.append(Pairing(number, number if self._deals == "fresh" else deal, sitting))

    def _last(self, results: Results) -> list[CountedMatch]:
        """Returns the finished matches of the last round, which must be over."""
        return [results[pairing.number] for pairing in self._last_round()]

    def _last_round(self) -> Sequence[Pairing]:
        return self._pairings[self._ends[-2] if self._ends[1:] else 0 :]
