"""Ratings from finishing orders, with 95 % intervals. They do not depend on the order of the matches. Pure.

The model is Plackett-Luce: each player at the table wins first place with a chance in proportion to its strength,
second place is decided in the same way among the rest, and so on (R. L. Plackett, Applied Statistics 24, 1975). The
order within a tie is unknown; B. Efron's approximation stands for all orders (J. Am. Stat. Assoc. 72, 1977). The
strengths are the maximum likelihood estimate, found by Newton's method; the likelihood has one maximum (D. R. Hunter,
Annals of Statistics 32, 2004). Each player is also given one tie with an imaginary opponent of strength 1, so that a
player with only wins or only losses has a finite rating.

The matches of one deal are correlated, so a deal counts as one observation, however many matches it has. The variance
of a rating is estimated by the jackknife over deals: the ratings are computed again without each deal in turn, by one
Newton step (B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 11). A bootstrap would need many
more fits, and its percentiles are too narrow for few deals. If there are more than GROUPS deals, they are combined into
that many groups.

An interval contains every strength that the score test does not reject (C. R. Rao, 1948), just as Wilson's interval
does for shares. The test statistic is the slope of the likelihood at that strength over its standard deviation. This
deviation comes from the model, scaled by the ratio of the jackknife's variance to the model's at the maximum. So an
interval is longer on the side where less is known, and a player that won every match also has an interval. For such a
player the jackknife gives no variance, and each deal counts as one observation.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from operator import mul
from typing import TypeAlias

import msgspec

from matches.intervals import student_t_quantile
from tournaments.significance import FEWEST_DEALS

Order: TypeAlias = tuple[tuple[int, ...], ...]
"""A finishing order: entrants by place, first place first. An entrant appears once for each of its seats."""

ELO = 400 / math.log(10)  # rating points per unit of log strength
DIGITS = 9  # decimals of a rating; later ones depend on the order of additions
GROUPS = 40
# The jackknife is not used if its variance is below this share of the model's, because the deals went too much alike.
NOTHING_VARIES = 0.1
_FARTHEST, _HALVINGS = 32.0, 24  # search for an interval's end: greatest distance in log strength, and bisection steps
# Newton's method: tolerance, most steps, longest step in log strength
_CLOSE, _MOST_STEPS, _LONGEST_STEP = 1e-9, 100, 1.0


class Rating(msgspec.Struct, frozen=True):
    """A rating on the Elo scale, with mean 0 over all entrants. An entrant with too few deals has no interval."""

    elo: float
    low: float | None
    high: float | None
    better: int  # number of entrants that are surely better: the interval of the difference is above 0


def compute_ratings(orders: Mapping[int, Sequence[Order]]) -> dict[int, Rating]:
    """Returns a rating for each entrant in these finishing orders, which are given by deal."""
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
    if not known:
        return found
    deals = _deals(orders)
    without = [_elo(other) for other in _without_each(counted, logs)]
    spread = _Spread(Counter(order for block in numbered for order in block), logs)
    ends: dict[int, tuple[float, float]] = {}
    for one in known:
        own = deals[entrants[one]]
        t = student_t_quantile(min(own, len(blocks)) - 1)
        below, above = spread.interval_distances(one, _variance([elo[one] for elo in without]), own, t)
        ends[one] = round(middle[one] - below, DIGITS), round(middle[one] + above, DIGITS)

    def is_better(other: int, one: int) -> bool:
        """Returns whether the difference of the two ratings has an interval above 0.

        The interval is the jackknife's. If the difference hardly varied between deals, it is Newcombe's, made from the
        intervals of both ratings (see tournaments.significance).
        """
        jackknifed = _variance([elo[other] - elo[one] for elo in without])
        if jackknifed / ELO**2 < NOTHING_VARIES * spread.variance_of_difference(other, one):
            apart = math.hypot(middle[other] - ends[other][0], ends[one][1] - middle[one])
            return middle[other] - middle[one] > apart
        return middle[other] - middle[one] > student_t_quantile(len(blocks) - 1) * math.sqrt(jackknifed)

    for one in known:
        surely = sum(middle[other] > middle[one] and is_better(other, one) for other in known)
        found[entrants[one]] = Rating(middle[one], *ends[one], surely)
    return found


def _deals(orders: Mapping[int, Sequence[Order]]) -> Counter[int]:
    """Returns the number of deals that each entrant has played."""
    return Counter(one for deal in orders.values() for one in {one for order in deal for tied in order for one in tied})


def _blocks(orders: Mapping[int, Sequence[Order]]) -> list[list[Order]]:
    """Returns the orders of each deal, or of several deals together if there are more than GROUPS."""
    blocks: dict[int, list[Order]] = defaultdict(list)
    for number, deal in enumerate(sorted(orders)):
        blocks[number % GROUPS] += sorted(tuple(tuple(sorted(tied)) for tied in order) for order in orders[deal])
    return list(blocks.values())


def _variance(values: Sequence[float]) -> float:
    """Returns the jackknife variance, given the values without each block."""
    count = len(values)
    mean = math.fsum(values) / count
    return (count - 1) / count * math.fsum((value - mean) ** 2 for value in values)


def _elo(logs: Sequence[float]) -> list[float]:
    mean = math.fsum(logs) / len(logs)
    return [round(ELO * (log - mean), DIGITS) + 0.0 for log in logs]  # + 0.0 turns -0.0 into 0.0


# -- the likelihood, its maximum, and its derivatives ------------------------------------------------------------------


class _Slopes:
    """The gradient of a log likelihood, and its negated Hessian."""

    def __init__(self, size: int) -> None:
        self.first = [0.0] * size
        self.second = [[0.0] * size for _ in range(size)]

    def add_draws(self, logs: Sequence[float]) -> None:
        """Adds each player's tie with an imaginary opponent of strength 1."""
        for one, log in enumerate(logs):
            chance = 1 / (1 + math.exp(-log))
            self.first[one] += 0.5 - chance
            self.second[one][one] += chance * (1 - chance)

    def add_orders(self, orders: Mapping[Order, int], logs: Sequence[float]) -> None:
        """Adds finishing orders, each with its number of occurrences."""
        strengths = [math.exp(log) for log in logs]
        for order, times in orders.items():
            left = [one for tied in order for one in tied]
            for tied in order:
                last = len(left) == len(tied)
                for number in range(len(tied) - last):  # whoever is left last is not chosen
                    self._add_choice(left, tied, 1 - number / len(tied), strengths, times)
                left = left[len(tied) :]

    def _add_choice(
        self, left: Sequence[int], tied: Sequence[int], part: float, strengths: Sequence[float], times: int
    ) -> None:
        """Adds `times` choices of one of the `tied` players from those who were `left`.

        By Efron's approximation for ties, each tied player counts only as the share `part` of a player who was left.
        """
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


class _Spread:
    """The uncertainty of each rating around the maximum likelihood estimate."""

    def __init__(self, orders: Mapping[Order, int], logs: Sequence[float]) -> None:
        self._orders, self._logs, count = orders, logs, len(logs)
        slopes = _Slopes(count)
        slopes.add_draws(logs)
        slopes.add_orders(orders, logs)
        inverse = _inverse(slopes.second)
        rows = [math.fsum(row) / count for row in inverse]
        whole = math.fsum(rows) / count
        self._part = 1 - 1 / count  # change of a strength's distance from the mean, per change of the strength
        self._inverse = inverse
        # the model's variances of the ratings
        self._variances = [inverse[one][one] - 2 * rows[one] + whole for one in range(count)]

    def variance_of_difference(self, one: int, other: int) -> float:
        """Returns the model's variance of the difference of two log strengths."""
        inverse = self._inverse
        return inverse[one][one] + inverse[other][other] - 2 * inverse[one][other]

    def interval_distances(self, one: int, jackknifed: float, deals: int, t: float) -> tuple[float, float]:
        """Returns how far the interval reaches below and above the rating, in Elo points.

        `jackknifed` is the jackknife variance in squared Elo points, and `t` the quantile of Student's distribution.
        """
        choices = self._choices(one)
        played = sum(times for (_left, _weight, first, _shared), times in choices.items() if first)
        _slope, curve = self._at(0.0, one, choices)
        wider = jackknifed / ELO**2 / self._variances[one]
        if wider < NOTHING_VARIES:
            wider = max(1.0, played / deals)
        most = t**2 * wider * self._variances[one] * curve / self._part**2
        return tuple(self._end(sign, one, choices, most) for sign in (-1, 1))  # type: ignore[return-value]  # two

    def _choices(self, one: int) -> Counter[tuple[float, float, bool, float]]:
        """Returns each choice that the player was part of, with its number of occurrences.

        A choice is: the total strength of the others, the player's own share in it, whether it was the first of its
        match, and the player's share of the chosen place.
        """
        strengths = [math.exp(log) for log in self._logs]
        found: Counter[tuple[float, float, bool, float]] = Counter()
        for order, times in self._orders.items():
            if not any(one in tied for tied in order):
                continue
            left = [other for tied in order for other in tied]
            first = True
            for tied in order:
                last = len(left) == len(tied)
                for number in range(len(tied) - last):
                    part = 1 - number / len(tied)
                    own = sum((part if place < len(tied) else 1.0) for place, other in enumerate(left) if other == one)
                    others = math.fsum(
                        strengths[other] * (part if place < len(tied) else 1.0)
                        for place, other in enumerate(left)
                        if other != one
                    )
                    if own and others:
                        found[round(others, 12), own, first, tied.count(one) / len(tied)] += times
                    first = False
                left = left[len(tied) :]
        return found

    def _at(
        self, change: float, one: int, choices: Mapping[tuple[float, float, bool, float], int]
    ) -> tuple[float, float]:
        """Returns the slope and the curvature of the likelihood after a change of the player's log strength."""
        strength = math.exp(self._logs[one] + change)
        drawn = strength / (1 + strength)
        slope, curve = 0.5 - drawn, drawn * (1 - drawn)
        for (others, own, _first, chosen), times in choices.items():
            chance = own * strength / (own * strength + others)
            slope += times * (chosen - chance)
            curve += times * chance * (1 - chance)
        return slope, curve

    def _end(self, sign: int, one: int, choices: Mapping[tuple[float, float, bool, float], int], most: float) -> float:
        """Returns how far the strength can change in that direction, in Elo points, before the score test
        rejects it."""

        def refused(far: float) -> float:
            slope, curve = self._at(sign * far, one, choices)
            return slope * slope / curve - most if curve > 0 else math.inf

        near, far = 0.0, 1.0
        while refused(far) < 0 and far < _FARTHEST:
            near, far = far, far * 2
        for _ in range(_HALVINGS):
            middle = (near + far) / 2
            near, far = (middle, far) if refused(middle) < 0 else (near, middle)
        return far * self._part * ELO


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Returns the inverse of a symmetric positive definite matrix."""
    size = len(matrix)
    lower = _root(matrix)
    return [_solved_by(lower, [float(row == column) for row in range(size)]) for column in range(size)]


def _likeliest(orders: Mapping[Order, int], size: int) -> list[float]:
    """Returns the logarithms of the maximum likelihood strengths."""
    logs = [0.0] * size
    for _ in range(_MOST_STEPS):
        slopes = _Slopes(size)
        slopes.add_draws(logs)
        slopes.add_orders(orders, logs)
        step = _solved(slopes.second, slopes.first)
        longest = max(map(abs, step))
        scale = min(1.0, _LONGEST_STEP / longest) if longest else 0.0
        logs = [log + scale * part for log, part in zip(logs, step, strict=True)]
        if longest < _CLOSE:
            break
    return logs


def _without_each(blocks: Sequence[Mapping[Order, int]], logs: Sequence[float]) -> list[list[float]]:
    """Returns the log strengths without each block in turn, by one Newton step from the full estimate."""
    every = _Slopes(len(logs))
    every.add_draws(logs)
    for block in blocks:
        every.add_orders(block, logs)
    found = []
    for block in blocks:
        own = _Slopes(len(logs))
        own.add_orders(block, logs)
        second = [[a - b for a, b in zip(*rows, strict=True)] for rows in zip(every.second, own.second, strict=True)]
        step = _solved(second, [a - b for a, b in zip(every.first, own.first, strict=True)])
        found.append([log + part for log, part in zip(logs, step, strict=True)])
    return found


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Returns the x with matrix x = right, for a symmetric positive definite matrix, by Cholesky decomposition."""
    return _solved_by(_root(matrix), right)


def _root(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Returns the Cholesky factor: the lower triangular matrix whose product with its transpose is that matrix."""
    size = len(matrix)
    lower: list[list[float]] = []
    for i in range(size):
        row: list[float] = []
        for j in range(i):
            row.append((matrix[i][j] - sum(map(mul, row, lower[j]))) / lower[j][j])
        row.append(math.sqrt(matrix[i][i] - sum(map(mul, row, row))))
        lower.append(row)
    return lower


def _solved_by(lower: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Returns the solution x, given the Cholesky factor of the matrix."""
    size = len(right)
    half: list[float] = []
    for i in range(size):
        half.append((right[i] - sum(map(mul, lower[i], half))) / lower[i][i])
    x = [0.0] * size
    for i in reversed(range(size)):
        x[i] = (half[i] - sum(lower[j][i] * x[j] for j in range(i + 1, size))) / lower[i][i]
    return x
