"""Chooses the tables of a Swiss round so that later rounds can also avoid second meetings.

The best tables of one round can make it impossible to keep entrants apart in a later round. Of 16 entrants at tables of
four, for example, only some seatings of the first rounds allow four rounds without second meetings. Before a round is
played, the search looks for tables after which the remaining rounds can also avoid them. It is pure and takes at most a
fixed number of steps. If these are not enough, the round keeps the tables that it has.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice

from tournaments.swiss_tables import Table, set_bit_positions

MOST = 32  # most entrants; with more, second meetings are rare and the search is slow
STEPS = 6_000  # steps of the search after one choice of tables: some hundredths of a second
ALL_STEPS = 40_000  # steps of all these searches for one round: a tenth of a second
BYES = 4  # most choices of who sits out that are tried for a later round
WIDEST = 2_000  # most tables of one entrant that are compared by cost


class _Exhausted(Exception):
    """The search has used up its steps."""


class Lookahead:
    """Searches for tables of one round after which later rounds can avoid second meetings.

    Args:
        order: The entrants who take part, best score first.
        met: For each entrant, how often it has met each other entrant.
        byes: How often each entrant has sat out.
        seats: The number of seats of a table.
    """

    def __init__(self, order: Sequence[int], met: Sequence[Sequence[int]], byes: Sequence[int], seats: int) -> None:
        self._count, self._seats, self._order = len(order), seats, order
        self._byes = [byes[one] for one in order]
        self._free = [  # for each place in the order, a bit set of the places of the entrants not met yet
            sum(1 << there for there, other in enumerate(order) if other != one and not met[one][other])
            for one in order
        ]
        self._steps = 0

    def choose_tables(
        self, found: Sequence[Table], rounds: int, cost: Callable[[Sequence[int]], int]
    ) -> Sequence[Table]:
        """Returns tables for this round.

        Args:
            found: The cheapest tables of this round if later rounds are ignored.
            rounds: The number of rounds that follow this one.
            cost: Returns the cost of a table.

        Returns:
            `found`, or other tables of the same entrants after which more rounds without a second meeting can follow.
                Among those with the same number of such rounds, the cheapest that the search met.
        """
        if rounds < 1 or self._count > MOST:
            return found
        place = {one: number for number, one in enumerate(self._order)}
        tables = [tuple(sorted(place[one] for one in table)) for table in found]
        if not self._apart(tables) or self._is_roomy(rounds):
            return found
        best, length = tables, self._length(tables, rounds)
        if length < rounds:
            sitting = sum(1 << one for table in tables for one in table)
            prices = _Prices(lambda table: cost([self._order[one] for one in table]))
            self._steps = STEPS
            dearest = 0
            left = ALL_STEPS
            for other in self._others(sitting, prices):
                steps, further = self._steps, self._length(other, rounds)
                left -= STEPS - self._steps
                self._steps = steps
                price = sum(map(prices.cost_of, other))
                if further > length or (further == length and best is not tables and price < dearest):
                    best, length, dearest = other, further, price
                if length == rounds or left <= 0:
                    break
        return [tuple(self._order[one] for one in table) for table in best]

    def _apart(self, tables: Sequence[Table]) -> bool:
        """Returns whether no two entrants at the same table have met before."""
        return all(self._free[one] >> other & 1 for table in tables for one, other in combinations(table, 2))

    def _is_roomy(self, rounds: int) -> bool:
        """Returns whether every entrant has enough others left to meet that no search is needed."""
        return min(free.bit_count() for free in self._free) >= 2 * (rounds + 1) * (self._seats - 1)

    def _length(self, tables: Sequence[Table], rounds: int) -> int:
        """Returns how many rounds without a second meeting can follow these tables, at most `rounds`."""
        self._steps, self._longest = STEPS, 0
        with contextlib.suppress(_Exhausted):
            self._follows(self._free, self._byes, tables, 0, rounds)
        return self._longest

    def _follows(
        self, free: Sequence[int], byes: Sequence[int], tables: Sequence[Table], depth: int, rounds: int
    ) -> bool:
        """Returns whether `rounds` rounds can follow, of which `depth` are already chosen. Records the greatest depth
        reached."""
        self._longest = max(self._longest, depth)
        if depth == rounds:
            return True
        free, byes = self._after(free, byes, tables)
        for sitting in self._sittings(byes):
            for further in self._partitions(sitting, free):
                if self._follows(free, byes, further, depth + 1, rounds):
                    return True
        return False

    def _after(self, free: Sequence[int], byes: Sequence[int], tables: Sequence[Table]) -> tuple[list[int], list[int]]:
        """Returns the possible partners and the byes after these tables."""
        left, more = list(free), [count + 1 for count in byes]
        for table in tables:
            bits = sum(1 << one for one in table)
            for one in table:
                left[one] &= ~bits
                more[one] -= 1
        return left, more

    def _sittings(self, byes: Sequence[int]) -> Iterator[int]:
        """Yields bit sets of entrants who may play a later round. Those with the fewest byes sit out."""
        everybody = (1 << self._count) - 1
        out = self._count % self._seats
        by_turn = sorted(range(self._count), key=lambda one: (byes[one], -one))
        most = byes[by_turn[out - 1]] if out else 0
        sure = [one for one in by_turn[:out] if byes[one] < most]
        rest = [one for one in by_turn if byes[one] == most]
        for more in islice(combinations(rest, out - len(sure)), BYES):
            yield everybody & ~sum(1 << one for one in (*sure, *more))

    def _partitions(self, left: int, free: Sequence[int]) -> Iterator[list[Table]]:
        """Yields ways to seat these entrants without second meetings. Begins with the entrant with the fewest possible
        partners."""
        if not left:
            yield []
            return
        one = min(set_bit_positions(left), key=lambda one: (free[one] & left).bit_count())
        for table in self._tables_of(one, left, free):
            bits = sum(1 << other for other in table)
            for further in self._partitions(left & ~bits, free):
                yield [table, *further]

    def _others(self, left: int, prices: _Prices) -> Iterator[list[Table]]:
        """Like `_partitions` for this round, but yields the cheapest tables of each entrant first."""
        if not left:
            yield []
            return
        one = min(set_bit_positions(left), key=lambda one: ((self._free[one] & left).bit_count(), one))
        try:
            tables = list(islice(self._tables_of(one, left, self._free), WIDEST))
        except _Exhausted:
            return
        for table in sorted(tables, key=prices.cost_of):
            bits = sum(1 << other for other in table)
            for further in self._others(left & ~bits, prices):
                yield [table, *further]

    def _tables_of(self, one: int, left: int, free: Sequence[int]) -> Iterator[Table]:
        """Yields tables of this entrant and others who are left, no two of whom have met."""
        yield from self._grow((one,), free[one] & left, free)

    def _grow(self, table: Table, may: int, free: Sequence[int]) -> Iterator[Table]:
        if self._steps <= 0:
            raise _Exhausted
        self._steps -= 1
        missing = self._seats - len(table)
        if not missing:
            yield tuple(sorted(table))
            return
        while may.bit_count() >= missing:
            lowest = may & -may
            may ^= lowest
            other = lowest.bit_length() - 1
            yield from self._grow((*table, other), may & free[other], free)


class _Prices:
    """A cache of the costs of tables."""

    def __init__(self, cost: Callable[[Table], int]) -> None:
        self._cost = cost
        self._known: dict[Table, int] = {}

    def cost_of(self, table: Table) -> int:
        """Returns the cost of this table."""
        if table not in self._known:
            self._known[table] = self._cost(table)
        return self._known[table]
