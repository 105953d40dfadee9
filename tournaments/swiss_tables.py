"""The tables of a Swiss round. Pure: equal arguments give equal tables on every machine.

Costs of tables are compared, in this order, by the number of pairs that have met before, by the number of their earlier
meetings, and by the distances of the scores within each pair: first their sum, then the sum of their squares. For
tables of two, a maximum-weight matching finds the cheapest tables. A random number for each pair breaks ties, so every
implementation finds the same matching. For larger tables an exact solution would take too long. There, entrants are
exchanged between tables as long as that lowers the cost, then a branch-and-bound search runs for a fixed number of
steps, in which it finds the cheapest tables of a small field. If some entrants must sit out, they are chosen so that as
few pairs as possible meet again: first by trying possible choices, then by a search that chooses the tables and the
sitting-out entrants together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, lcm
from typing import TypeAlias

Table: TypeAlias = tuple[int, ...]

_FIELD = 64  # bits of each part of a cost, so that no sum over a round overflows
_TIE_BITS = 32
AGAIN = 1 << 5 * _FIELD  # the cost of one pair who meet again
NEAREST = 12  # with more than MANY entrants, each is first matched only with this many after it in the order
MANY = 48  # number of entrants above which a matching among all pairs would take a second
STEPS = 12_000  # most steps of one search: some tenths of a second
ROUND_STEPS = 100_000  # steps of all searches of a round, after which no further choice of who sits out is tried
WIDEST = 1_000  # most tables that are tried for one entrant: those with the cheapest partners
SWEEPS = 12  # most passes of exchanges between all pairs of tables


class SwissField:
    """The entrants of a round.

    Args:
        met: For each entrant, how often it has met each other entrant.
        scores: The scores so far, by entrant.
        byes: The byes so far, by entrant.
        draw: Returns a random number below a bound, to break ties.
    """

    def __init__(
        self,
        met: Sequence[Sequence[int]],
        scores: Sequence[Fraction],
        byes: Sequence[int],
        draw: Callable[[int], int],
    ) -> None:
        whole = lcm(*(score.denominator for score in scores))
        self._met, self._byes, self._draw = met, byes, draw
        self._scores = [int(score * whole) for score in scores]

    def pair_round(self, order: Sequence[int], seats: int) -> list[Table]:
        """Returns the tables of the entrants in `order`, best score first.

        If the entrants do not fill all tables, the rest sits out, which is chosen among those with the fewest byes.
        """
        if seats == 2:
            return self._pairs(order)
        best: list[Table] = []
        least, steps = 0, ROUND_STEPS
        for out in self._left_out(order, len(order) % seats):
            search, sitting = self._search(order, out, seats)
            found = [tuple(sitting[place] for place in table) for table in search.find_tables()]
            cost = sum(self.cost_of(table) for table in found)
            if not best or cost // AGAIN < least // AGAIN:
                best, least = found, cost
            steps -= search.spent
            if least < AGAIN or steps <= 0:
                break
        if least >= AGAIN and len(order) % seats:
            return self._apart(order, seats) or best
        return best

    def _search(self, order: Sequence[int], out: Collection[int], seats: int) -> tuple[_Search, list[int]]:
        """Returns a search for tables of all entrants but those in `out`, and a list of these entrants, in which the
        search's numbers are the indices."""
        sitting = [one for one in order if one not in out]
        return _Search([[self._cost(one, other) for other in sitting] for one in sitting], seats), sitting

    def _apart(self, order: Sequence[int], seats: int) -> list[Table] | None:
        """Returns tables without a second meeting, for any choice of the entrants who sit out; None if it finds
        none."""
        count = len(order) % seats
        most = sorted(self._byes[one] for one in order)[count - 1]
        free = [
            sum(1 << there for there, other in enumerate(order) if other != one and not self._met[one][other])
            for one in order
        ]
        sure = sum(1 << place for place, one in enumerate(order) if self._byes[one] < most)
        may = sum(1 << place for place, one in enumerate(order) if self._byes[one] == most)
        search = _Apart(free, may, seats)
        tables = search.find_tables((1 << len(order)) - 1 & ~sure, count - sure.bit_count())
        if tables is None:
            return None
        found = [tuple(order[place] for place in table) for table in tables]
        cheaper, sitting = self._search([one for table in found for one in table], (), seats)
        return [tuple(sitting[place] for place in table) for table in cheaper.improve_tables()]

    def _cost(self, one: int, other: int) -> int:
        """Returns the cost of a pair at one table."""
        met, apart = self._met[one][other], abs(self._scores[one] - self._scores[other])
        return (bool(met) << 5 * _FIELD) + (met << 4 * _FIELD) + (apart << 2 * _FIELD) + (apart * apart << _FIELD)

    def cost_of(self, table: Sequence[int]) -> int:
        """Returns the cost of a table of these entrants."""
        return sum(self._cost(one, other) for one, other in combinations(table, 2))

    def _left_out(self, order: Sequence[int], count: int) -> Iterator[Sequence[int]]:
        """Yields the candidates to sit out, the preferred ones first: those with the fewest byes, and of these the last
        in order."""
        place = {one: number for number, one in enumerate(order)}
        by_turn = sorted(order, key=lambda one: (self._byes[one], -place[one]))
        most = self._byes[by_turn[count - 1]] if count else 0
        sure = [one for one in by_turn[:count] if self._byes[one] < most]
        rest = [one for one in by_turn if self._byes[one] == most]
        for more in combinations(rest, count - len(sure)):
            yield [*sure, *more]

    # -- tables of two -------------------------------------------------------------------------------------------------

    def _pairs(self, order: Sequence[int]) -> list[Table]:
        """Returns the tables of two. If the number is odd, one entrant gets the bye.

        The bye is a vertex of its own. Its cost rises with the distance of the entrant's score from the lowest one.
        """
        costs = {
            (one, other): self._cost(order[one], order[other]) + self._draw(1 << _TIE_BITS)
            for one, other in combinations(range(len(order)), 2)
        }
        if len(order) % 2:
            may = min(self._byes[one] for one in order)
            last = min(self._scores[one] for one in order if self._byes[one] == may)
            for place, one in enumerate(order):
                if self._byes[one] == may:
                    above = self._scores[one] - last
                    costs[place, len(order)] = (above << 3 * _FIELD) + self._draw(1 << _TIE_BITS)
        count = len(order) + len(order) % 2
        found = _matching(_nearest(costs, count), count) if count > MANY else None
        if found is None or sum(costs[pair] for pair in found) >= AGAIN:
            found = _matching(costs, count)
        assert found is not None, "all are joined by an edge"
        return [(order[one], order[other]) for one, other in found if other < len(order)]


def _nearest(costs: dict[tuple[int, int], int], count: int) -> dict[tuple[int, int], int]:
    """Returns the pairs that have not met and are near each other in the order, and all pairs with the bye."""
    after: Counter[int] = Counter()
    kept: dict[tuple[int, int], int] = {}
    for (one, other), cost in costs.items():  # the pairs are sorted by the first entrant, then by the second
        if cost < AGAIN and (after[one] < NEAREST or other == count - 1):
            after[one] += 1
            kept[one, other] = cost
    return kept


def _matching(costs: dict[tuple[int, int], int], count: int) -> list[tuple[int, int]] | None:
    """Returns the cheapest perfect matching, in order; None if there is none."""
    import networkx  # imported here, as it takes as long to load as the whole server

    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_weighted_edges_from((one, other, -cost) for (one, other), cost in costs.items())
    pairs = networkx.max_weight_matching(graph, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in pairs) if 2 * len(pairs) == count else None


class _Search:
    """Searches for cheap tables of entrants 0, 1, ..., given the cost of each pair.

    The result may not be the cheapest if the search runs out of steps.
    """

    def __init__(self, costs: Sequence[Sequence[int]], seats: int) -> None:
        self._costs, self._company, self._count = costs, seats - 1, len(costs)
        self._steps = 0
        self._best: list[Table] = []
        self._least = 0
        self.spent = len(costs) ** 2  # steps used so far; building the costs counts, too

    def find_tables(self) -> list[Table]:
        """Returns the cheapest tables that it finds, in order."""
        self.improve_tables()
        if self._least >= AGAIN:
            self._steps = STEPS
            self._part(range(self._count), [])
            self.spent += STEPS - self._steps
        if self._bound(range(self._count)) < self._least:
            self._steps = STEPS
            self._branch(range(self._count), [], 0)
            self.spent += STEPS - self._steps
            self._take(self._best)
        return sorted(self._best)

    def improve_tables(self) -> list[Table]:
        """Returns the tables that result if entrants are seated in order and then exchanged as long as that lowers the
        cost."""
        seats = self._company + 1
        self._take([tuple(range(at, at + seats)) for at in range(0, self._count, seats)])
        return sorted(self._best)

    def _of(self, table: Sequence[int]) -> int:
        return sum([self._costs[one][other] for one, other in combinations(table, 2)])

    def _take(self, found: Sequence[Table]) -> None:
        """Keeps these tables as the best, after exchanges of two entrants that make two tables together cheaper."""
        tables = [list(table) for table in found]
        for _ in range(SWEEPS):
            if not sum([self._exchange(mine, theirs) for mine, theirs in combinations(tables, 2)]):
                break
        self._best = [tuple(sorted(table)) for table in tables]
        self._least = sum(map(self._of, self._best))

    def _exchange(self, mine: list[int], theirs: list[int]) -> bool:
        """Makes the best exchange between two tables. Returns False if none helps."""
        costs = self._costs
        here = [
            sum([costs[one][other] for other in theirs]) - sum([costs[one][other] for other in mine]) for one in mine
        ]
        away = [
            sum([costs[one][other] for other in mine]) - sum([costs[one][other] for other in theirs]) for one in theirs
        ]
        change, place, there = min(
            (here[place] + away[there] - 2 * costs[one][other], place, there)
            for place, one in enumerate(mine)
            for there, other in enumerate(theirs)
        )
        if change < 0:
            mine[place], theirs[there] = theirs[there], mine[place]
        return change < 0

    def _part(self, left: Sequence[int], tables: list[Table]) -> bool:
        """Looks for tables without a second meeting, beginning with the entrant with the fewest possible partners.

        Returns whether it found them, and keeps them.
        """
        if not left:
            self._take(tables)
            return True
        free = {one: [other for other in left if other != one and self._costs[one][other] < AGAIN] for one in left}
        one = min(left, key=lambda one: (len(free[one]), one))
        for table in sorted(self._strangers((one,), free[one]), key=self._of):
            if self._steps <= 0:
                return False
            self._steps -= len(left)
            if self._part([other for other in left if other not in table], [*tables, table]):
                return True
        return False

    def _strangers(self, table: Table, others: Sequence[int]) -> Iterator[Table]:
        """Yields tables of these entrants and others, in which no two have met, until the steps are used up."""
        if len(table) > self._company:
            yield table
            return
        for place, one in enumerate(others):
            if self._steps <= 0:
                return
            self._steps -= 1
            more = [other for other in others[place + 1 :] if self._costs[one][other] < AGAIN]
            if len(more) >= self._company - len(table):
                yield from self._strangers((*table, one), more)

    def _branch(self, left: Sequence[int], tables: list[Table], cost: int) -> None:
        """Tries the tables of the entrant that is hardest to place, cheapest first."""
        if not left:
            if cost < self._least:
                self._best, self._least = list(tables), cost
            return
        one = max(left, key=lambda one: (sum([self._costs[one][other] >= AGAIN for other in left]), -one))
        others = sorted((other for other in left if other != one), key=lambda other: self._costs[one][other])
        while comb(len(others), self._company) > WIDEST:
            others.pop()
        mine = self._costs[one]
        tried = sorted(
            (self._of(more) + sum([mine[other] for other in more]), more)
            for more in combinations(others, self._company)
        )
        self._steps -= len(tried)
        for own, more in tried:
            if cost + own >= self._least or self._steps <= 0:
                return
            self._steps -= len(left)
            rest = [other for other in left if other != one and other not in more]
            if cost + own + self._bound(rest) < self._least:
                self._branch(rest, [*tables, tuple(sorted((one, *more)))], cost + own)

    def _bound(self, left: Sequence[int]) -> int:
        """Returns a lower bound of the cost of all these entrants.

        It seats each entrant with the partners that are cheapest for that entrant. Every pair counts for both of its
        entrants, so the sum is halved.
        """
        costs, size = self._costs, self._company
        return sum([sum(sorted([costs[one][other] for other in left if other != one])[:size]) for one in left]) // 2


class _Apart:
    """Searches for tables without second meetings, and at the same time for the entrants who sit out.

    Args:
        free: For each entrant, a bit set of those it has not met. Numbers are in order of score, best first.
        may: A bit set of the entrants who may sit out.
        seats: The number of seats of a table.
    """

    def __init__(self, free: Sequence[int], may: int, seats: int) -> None:
        self._free, self._may, self._seats = free, may, seats
        self._steps = ROUND_STEPS

    def find_tables(self, left: int, out: int) -> list[Table] | None:
        """Returns tables for the entrants in `left`, of whom `out` sit out; None if there are none or the steps are
        used up."""
        if not left:
            return []
        one = min(set_bit_positions(left), key=lambda one: ((self._free[one] & left).bit_count(), -one))
        for table in self._tables((one,), self._free[one] & left):
            further = self.find_tables(left & ~sum(1 << other for other in table), out)
            if further is not None:
                return [table, *further]
        if out and self._may >> one & 1:
            return self.find_tables(left & ~(1 << one), out - 1)
        return None

    def _tables(self, table: Table, may: int) -> Iterator[Table]:
        """Yields tables of these entrants and others from `may`, no two of whom have met."""
        missing = self._seats - len(table)
        if not missing:
            yield table
            return
        while may.bit_count() >= missing and self._steps > 0:
            self._steps -= 1
            lowest = may & -may
            may ^= lowest
            other = lowest.bit_length() - 1
            yield from self._tables((*table, other), may & self._free[other])


def set_bit_positions(bits: int) -> Iterator[int]:
    """Yields the positions of the set bits."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
