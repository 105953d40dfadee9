"""The round robin: all entrants meet each other."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import ClassVar

from tournaments.formats.api import Sitting, check_match_count, check_tables
from tournaments.formats.rounds import PredrawnFormat
from tournaments.formats.seats import SeatCounts, cup_chance
from tournaments.language import _
from tournaments.schedule import iter_rotation_rounds


class RoundRobin(PredrawnFormat):
    """All entrants meet each other as evenly as possible, and each entrant sits in every seat equally often."""

    id: ClassVar[str] = "round_robin"
    about: ClassVar[str] = (
        "each round has as many matches as there are entrants; each entrant meets each other one, and sits in "
        "each seat, about equally often"
    )
    takes_late: ClassVar[bool] = True

    @staticmethod
    def title() -> str:
        """See Format."""
        return _("round robin")

    @staticmethod
    def check_playable(deals: str, entrants: int, seats: int) -> None:
        """See Format. With fewer entrants than seats, an entrant has several seats at a table."""
        if deals == "duplicate":
            check_tables(entrants, seats)

    def __init__(self, deals: str, entrants: int, seats: int, rounds: int, seed: int) -> None:
        self._entrants, self._seats, self._seed, self._disjoint = entrants, seats, seed, deals == "duplicate"
        super().__init__(*self._drawn(entrants), rounds, deals)

    def _drawn(self, entrants: int) -> tuple[Iterator[list[Sitting]], int]:
        """Returns an iterator of rounds for that many entrants, and the number of matches of a round."""
        if self._disjoint:
            return _disjoint(entrants, self._seats, self._seed), entrants // self._seats
        return iter_rotation_rounds(entrants, self._seats, self._seed), entrants

    def admit_entrant(self, begun: int, most: int) -> None:
        """See Format. Rounds that have not begun are drawn again with one more entrant."""
        done = bisect_left(self._ends, begun) + 1 if begun else 0  # number of rounds that have begun
        if done >= self._of:
            raise ValueError(_("The last round has begun; there is nothing left to enter."))
        drawn, a_round = self._drawn(self._entrants + 1)
        kept = self._ends[done - 1] if done else 0
        check_match_count(kept + (self._of - done) * a_round, most)
        self._entrants += 1
        del self._ends[done:], self._pairings[kept:]
        self._draw_from(drawn, a_round)


def _disjoint(entrants: int, seats: int, seed: int) -> Iterator[list[Sitting]]:
    """Yields rounds of tables with no common entrants. The entrants sit out in turn. Of several random rounds, it
    yields the one after which all pairs have met most evenly."""
    chance = cup_chance(seed, "duplicate")
    met: Counter[tuple[int, int]] = Counter()
    byes: Counter[int] = Counter()
    sat = SeatCounts(entrants, seats)
    while True:
        order = chance.shuffle("byes", range(entrants))
        out = sorted(order, key=lambda entrant: byes[entrant])[: entrants % seats]
        byes.update(out)
        playing = [one for one in order if one not in out]
        tables = min(
            (_cut(chance.shuffle("tables", playing), seats) for _ in range(max(4, 512 // entrants))),
            key=lambda tables: sum(met[pair] ** 2 for table in tables for pair in combinations(sorted(table), 2)),
        )
        for table in tables:
            met.update(combinations(sorted(table), 2))
        yield [sat.assign_seats(table, chance) for table in tables]


def _cut(order: Sequence[int], seats: int) -> list[Sequence[int]]:
    return [order[at : at + seats] for at in range(0, len(order), seats)]
