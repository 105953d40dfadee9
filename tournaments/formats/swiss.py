"""The Swiss system: in each round entrants with near scores meet."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import permutations
from typing import ClassVar

from games.chance import Chance
from tournaments.formats.api import Results, check_match_count
from tournaments.formats.rounds import RoundByRoundFormat
from tournaments.formats.seats import cup_chance
from tournaments.language import _
from tournaments.schedule import Pairing
from tournaments.standings import win_shares_and_places
from tournaments.swiss_lookahead import Lookahead
from tournaments.swiss_tables import SwissField


class Swiss(RoundByRoundFormat):
    """Pairs one round after the other: entrants with near scores sit together, and meet again only if it is
    unavoidable.

    A round leaves out entrants who have given up before it is paired.
    """

    id: ClassVar[str] = "swiss"
    about: ClassVar[str] = (
        "each round pairs entrants with similar scores; two entrants meet again only if no pairing of the round "
        "avoids it, and with up to 32 entrants a round also leaves later rounds a way to avoid it; the entrants "
        "without a table are those that sat out least; a round has no entrants that dropped out before its draw"
    )
    takes_late: ClassVar[bool] = True
    draws_rounds: ClassVar[bool] = True

    @staticmethod
    def title() -> str:
        """See Format."""
        return _("Swiss")

    def __init__(self, deals: str, entrants: int, seats: int, rounds: int, seed: int) -> None:
        super().__init__(deals, entrants, seats, rounds, seed)
        self.planned = rounds * (entrants // seats)
        self._met = [[0] * entrants for _ in range(entrants)]  # how often each pair of entrants has met
        self._total = [Fraction(0)] * entrants  # sum of shares of the win so far
        self._byes = [0] * entrants

    def known_pairings(self, results: Results, out: Collection[int] = ()) -> Sequence[Pairing]:
        """Returns all pairings, after adding a round if the last one is over."""
        while self.is_round_due(results):
            self._pair(results, out)
        return self._pairings

    def is_round_due(self, results: Results) -> bool:
        """Returns whether another round can be paired."""
        return len(self._ends) < self._of and self._is_over(results)

    def admit_entrant(self, begun: int, most: int) -> None:
        """See Format. The entrant is paired from the next round on, as if it had had a bye in each earlier round."""
        missed = len(self._ends)
        if missed >= self._of:
            raise ValueError(_("The last round is paired; there is nothing left to enter."))
        planned = len(self._pairings) + (self._of - missed) * ((self._entrants + 1) // self._seats)
        check_match_count(planned, most)
        self.planned = planned
        self._entrants += 1
        for row in self._met:
            row.append(0)
        self._met.append([0] * self._entrants)
        self._total.append(Fraction(missed, self._seats))
        self._byes.append(missed)
        self._sat.add_entrant()

    def _pair(self, results: Results, out: Collection[int]) -> None:
        round_ = len(self._ends) + 1
        chance = cup_chance(self._seed, f"swiss {round_}")
        for played in self._last(results):
            for entrant, (share, _place) in zip(
                played.pairing.entrants, win_shares_and_places(played.results), strict=False
            ):
                self._total[entrant] += share
        mixed = chance.shuffle("order", range(self._entrants))
        order = sorted((one for one in mixed if one not in out), key=lambda entrant: -self._total[entrant])
        tables = self._tables(order, chance) if len(order) >= self._seats else []
        sitting = {entrant for table in tables for entrant in table}
        for entrant in order:
            if tables and entrant not in sitting:
                self._byes[entrant] += 1
                self._total[entrant] += Fraction(1, self._seats)  # the average share of a seat
        for table in tables:
            for one, other in permutations(table, 2):
                self._met[one][other] += 1
        self._add([self._sat.assign_seats(table, chance) for table in tables], round_)
        self._ends.append(len(self._pairings))
        if not tables:
            self._of = round_  # no further rounds
        self.planned = len(self._pairings) + (self._of - round_) * len(tables)

    def _tables(self, order: Sequence[int], chance: Chance) -> Sequence[Sequence[int]]:
        """Returns the tables of a round for the entrants in that order."""
        field = SwissField(self._met, self._total, self._byes, lambda bound: chance.below("ties", bound))
        found = field.pair_round(order, self._seats)
        following = self._of - len(self._ends) - 1
        return Lookahead(order, self._met, self._byes, self._seats).choose_tables(found, following, field.cost_of)
