"""Tests whether one entrant is surely better than another, from their shares of the win in each deal. Pure.

Deals that both played are compared in pairs: the differences follow Student's t distribution. If there are fewer than
FEWEST_DEALS of them, all deals of both entrants count as independent samples. The difference then has the interval of
R. G. Newcombe (Statistics in Medicine 17, 1998, method 10), which is made from the two intervals of the shares. The
probability of a false claim about equal entrants is 5 %, for both directions together.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from matches.intervals import Estimate, estimate_share, student_t_quantile

FEWEST_DEALS = 8  # least number of an entrant's deals for an interval, and of common deals for a paired comparison


class EntrantScore:
    """An entrant's share of the win in each deal. A sample is a deal and the share that one seat got in it; at least
    one is needed. `mean` is the mean share, with its interval, which lies between 0 and 1."""

    def __init__(self, samples: Iterable[tuple[int, Fraction]]) -> None:
        got: dict[int, Fraction] = {}
        seats: dict[int, int] = {}
        for deal, part in samples:
            got[deal], seats[deal] = got.get(deal, Fraction(0)) + part, seats.get(deal, 0) + 1
        self._deals = {deal: float(got[deal] / seats[deal]) for deal in sorted(got)}
        pairs = [(float(got[deal]), float(seats[deal])) for deal in sorted(got)]
        self.mean: Estimate = estimate_share(pairs, fewest=FEWEST_DEALS)

    @property
    def has_enough_deals(self) -> bool:
        """Whether there are enough deals to compare the entrant with others."""
        return len(self._deals) >= FEWEST_DEALS

    def is_better_than(self, other: EntrantScore) -> bool:
        """Returns whether this entrant is surely better than the other."""
        here, there = self.mean, other.mean
        if here.value <= there.value or here.low is None or there.high is None:
            return False
        theirs = other._deals
        differences = [part - theirs[deal] for deal, part in self._deals.items() if deal in theirs]
        count = len(differences)
        if count < FEWEST_DEALS:
            return here.value - there.value > math.hypot(here.value - here.low, there.high - there.value)
        mean = math.fsum(differences) / count
        squares = math.fsum([(one - mean) ** 2 for one in differences])
        return mean > student_t_quantile(count - 1) * math.sqrt(squares / (count - 1) / count)
