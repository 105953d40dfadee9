"""Ratings from finishing orders, with 95 % intervals; the order of the matches changes nothing. Pure.

The model is Plackett's and Luce's: the first place goes to one of the table with chances in proportion to their
strengths, the second to one of the rest likewise, and so on (R. L. Plackett, Applied Statistics 24, 1975). Those who
tie took their places in an order that nobody knows: B. Efron's approximation stands for all of them (J. Am. Stat.
Assoc. 72, 1977). The strengths are the likeliest ones, found by Newton's method; the likelihood has one top (D. R.
Hunter, Annals of Statistics 32, 2004). So that who always won or lost has a rating too, everybody has drawn once with
an opponent of strength 1 besides.

The matches of one deal are alike, so a deal is one observation, however often it is played. The intervals are those of
the jackknife over deals, with Student's t: the ratings are worked out again without each deal in turn, by one step of
Newton's (B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 11). A bootstrap would need many
more fits, and its percentiles are too narrow for few deals. Many deals are taken together in GROUPS.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from operator import mul
from typing import TypeAlias

import msgspec

from matches.intervals import student

Order: TypeAlias = tuple[tuple[int, ...], ...]
"""A finishing order: entrants by place, the first place first; an entrant stands in it once for each of its seats."""

ELO = 400 / math.log(10)  # a rating is so many times the logarithm of a strength
FEWEST_DEALS = 8  # of its own: who has played fewer has no interval, and nobody is surely better or worse
DIGITS = 9  # of a rating: later ones tell only in which order the matches were added
GROUPS = 40
_CLOSE, _MOST_STEPS, _LONGEST_STEP = 1e-9, 100, 1.0  # of Newton's, in logarithms of strengths


class Rating(msgspec.Struct, frozen=True):
    """On the scale of Elo, the mean of all being 0. Without an interval the entrant has played too few deals."""

    elo: float
    low: float | None
    high: float | None
    better: int  # how many entrants are surely better: the difference's own interval lies above 0


def ratings(orders: Mapping[int, Sequence[Order]]) -> dict[int, Rating]:
    """A rating for each entrant in these finishing orders, which are given by deal."""
    blocks = _blocks(orders)
    entrants = sorted({one for block in blocks for order in block for tied in order for one in tied})
    if not entrants:
        return {}
    place = {one: number for number, one in enumerate(entrants)}
    numbered = [[tuple(tuple(place[one] for one in tied) for tied in order) for order in block] for block in blocks]
    counted = [Counter(block) for block in numbered]
    logs = _likeliest(Counter(order for block in numbered for order in block), len(entrants))
    middle = _elo(logs)
    found = {one: Rating(middle[place[one]], None, None, 0) for one in entrants}
    known = [place[one] for one, deals in _deals(orders).items() if deals >= FEWEST_DEALS]
    without = [_elo(other) for other in _without_each(counted, logs)] if known else []
    for one in known:
        reach = _reach([elo[one] for elo in without])
        surely = sum(
            middle[other] - middle[one] > _reach([elo[other] - elo[one] for elo in without]) for other in known
        )
        found[entrants[one]] = Rating(middle[one], middle[one] - reach, middle[one] + reach, surely)
    return found


def _deals(orders: Mapping[int, Sequence[Order]]) -> Counter[int]:
    """How many deals each entrant has played."""
    return Counter(one for deal in orders.values() for one in {one for order in deal for tied in order for one in tied})


def _blocks(orders: Mapping[int, Sequence[Order]]) -> list[list[Order]]:
    """The orders of each deal, or of several where there are many."""
    blocks: dict[int, list[Order]] = defaultdict(list)
    for number, deal in enumerate(sorted(orders)):
        blocks[number % GROUPS] += sorted(tuple(tuple(sorted(tied)) for tied in order) for order in orders[deal])
    return list(blocks.values())


def _reach(values: Sequence[float]) -> float:
    """Half the interval, from the values without one block each."""
    count = len(values)
    mean = math.fsum(values) / count
    return student(count - 1) * math.sqrt((count - 1) / count * math.fsum((value - mean) ** 2 for value in values))


def _elo(logs: Sequence[float]) -> list[float]:
    mean = math.fsum(logs) / len(logs)
    return [round(ELO * (log - mean), DIGITS) + 0.0 for log in logs]  # no -0.0


# -- the likelihood, its top, and its slopes ---------------------------------------------------------------------------


class _Slopes:
    """The first derivatives of a log likelihood, and the second ones with their sign turned."""

    def __init__(self, size: int) -> None:
        self.first = [0.0] * size
        self.second = [[0.0] * size for _ in range(size)]

    def add_draws(self, logs: Sequence[float]) -> None:
        """Everybody's draw with an opponent of strength 1."""
        for one, log in enumerate(logs):
            chance = 1 / (1 + math.exp(-log))
            self.first[one] += 0.5 - chance
            self.second[one][one] += chance * (1 - chance)

    def add(self, orders: Mapping[Order, int], logs: Sequence[float]) -> None:
        """What happened at tables, and how often."""
        strengths = [math.exp(log) for log in logs]
        for order, times in orders.items():
            left = [one for tied in order for one in tied]
            for tied in order:
                last = len(left) == len(tied)
                for number in range(len(tied) - last):  # the last place is nobody's choice
                    self._add_choice(left, tied, 1 - number / len(tied), strengths, times)
                left = left[len(tied) :]

    def _add_choice(
        self, left: Sequence[int], tied: Sequence[int], part: float, strengths: Sequence[float], times: int
    ) -> None:
        """So many times one of these who tie was chosen from those who were left; of the tied only that part was left
        by then."""
        weights: dict[int, float] = defaultdict(float)
        for place, one in enumerate(left):
            weights[one] += strengths[one] * (part if place < len(tied) else 1.0)
        whole = math.fsum(weights.values())
        chances = [(one, weight / whole) for one, weight in weights.items()]
        for one in tied:
            self.first[one] += times / len(tied)
        for one, chance in chances:
            often = times * chance
            self.first[one] -= often
            row = self.second[one]
            row[one] += often
            for other, its in chances:
                row[other] -= often * its


def _likeliest(orders: Mapping[Order, int], size: int) -> list[float]:
    """The logarithms of the likeliest strengths."""
    logs = [0.0] * size
    for _ in range(_MOST_STEPS):
        slopes = _Slopes(size)
        slopes.add_draws(logs)
        slopes.add(orders, logs)
        step = _solved(slopes.second, slopes.first)
        longest = max(map(abs, step))
        scale = min(1.0, _LONGEST_STEP / longest) if longest else 0.0
        logs = [log + scale * part for log, part in zip(logs, step, strict=True)]
        if longest < _CLOSE:
            break
    return logs


def _without_each(blocks: Sequence[Mapping[Order, int]], logs: Sequence[float]) -> list[list[float]]:
    """The same without each block, one step of Newton's from the top of all."""
    every = _Slopes(len(logs))
    every.add_draws(logs)
    for block in blocks:
        every.add(block, logs)
    found = []
    for block in blocks:
        own = _Slopes(len(logs))
        own.add(block, logs)
        second = [[a - b for a, b in zip(*rows, strict=True)] for rows in zip(every.second, own.second, strict=True)]
        step = _solved(second, [a - b for a, b in zip(every.first, own.first, strict=True)])
        found.append([log + part for log, part in zip(logs, step, strict=True)])
    return found


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """x in matrix x = right, for a symmetric positive definite matrix, by Cholesky's method."""
    size = len(right)
    lower: list[list[float]] = []
    for i in range(size):
        row: list[float] = []
        for j in range(i):
            row.append((matrix[i][j] - sum(map(mul, row, lower[j]))) / lower[j][j])
        row.append(math.sqrt(matrix[i][i] - sum(map(mul, row, row))))
        lower.append(row)
    half: list[float] = []
    for i in range(size):
        half.append((right[i] - sum(map(mul, lower[i], half))) / lower[i][i])
    x = [0.0] * size
    for i in reversed(range(size)):
        x[i] = (half[i] - sum(lower[j][i] * x[j] for j in range(i + 1, size))) / lower[i][i]
    return x
