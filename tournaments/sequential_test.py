"""A sequential test of whether one bot is better than another, valid however often the results are checked. Pure.

Both bots play each deal, which gives one difference of their shares of the win, between -1 and 1. To test the
hypothesis that the mean difference is at most m, imagine a gambler who bets against it at fair odds, on each deal a
fraction of the current capital. While the hypothesis is true, the probability that the capital ever reaches k times its
start is at most 1 / k (J. Ville, 1939). So a caller may check after every deal and stop at any time. The bets follow I.
Waudby-Smith and A. Ramdas, Estimating means of bounded random variables by betting (J. R. Stat. Soc. B 86, 2024),
section 4. Instead of one fraction that changes, the capital is divided once among the fractions in PARTS, which is also
a valid bet.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

from tournaments.language import _

# fractions of the capital that are bet, from 90 % to about 3 %
PARTS = tuple(0.9 * 0.68**number for number in range(10))
_HALVINGS = 40


class SequentialTest:
    """The test, with the differences of all deals so far: the new bot's share of the win minus the old bot's."""

    def __init__(self) -> None:
        self._counts: Counter[float] = Counter()

    def add_difference(self, difference: float) -> None:
        """Adds the difference of a deal. Raises ValueError if it is not between -1 and 1."""
        if not -1 <= difference <= 1:
            raise ValueError(_("a difference of shares is not {difference}", difference=difference))
        self._counts[difference] += 1

    @property
    def deal_count(self) -> int:
        """The number of deals so far."""
        return self._counts.total()

    @property
    def mean_difference(self) -> float:
        """The mean difference; 0 if there are none."""
        return math.fsum(value * count for value, count in self._counts.items()) / max(1, self.deal_count)

    def verdict(self, error: float) -> int:
        """Returns 1 if the new bot is surely better, -1 if the old one surely is, 0 if neither is sure yet.

        `error` is the probability that the test ever claims a difference between equal bots.
        """
        for sign in (1, -1):
            if self._grown(sign, 0.0) >= math.log(2 / error):
                return sign
        return 0

    def is_above(self, bound: float, error: float) -> bool:
        """Returns whether the true mean is surely above `bound`. `error` is the probability of ever claiming this
        wrongly."""
        return self._grown(1, bound) >= math.log(1 / error)

    def is_below(self, bound: float, error: float) -> bool:
        """Returns whether the true mean is surely below `bound`. `error` is the probability of ever claiming this
        wrongly."""
        return self._grown(-1, -bound) >= math.log(1 / error)

    def expected_deals(self, is_sure: Callable[[SequentialTest], bool], most: int) -> int:
        """Estimates the total number of deals after which `is_sure(test)` is true, if each difference occurs as often
        in further deals as so far. Returns at most `most`."""
        if not self.deal_count:
            return most
        if is_sure(self):
            return self.deal_count
        near, far = 1.0, most / self.deal_count
        if far <= near or not is_sure(self._times(far)):
            return most
        while (far - near) * self.deal_count > 1:
            middle = (near + far) / 2
            near, far = (near, middle) if is_sure(self._times(middle)) else (middle, far)
        return min(most, math.ceil(far * self.deal_count))

    def _times(self, often: float) -> SequentialTest:
        """Returns a test in which each difference has occurred `often` times as often."""
        other = SequentialTest()
        other._counts = Counter({value: count * often for value, count in self._counts.items()})
        return other

    def mean_interval(self, error: float) -> tuple[float, float]:
        """Returns an interval for the true mean difference.

        With probability 1 - `error`, all intervals that are computed in the course of the test contain it.
        """
        return -self._reach(-1, error), self._reach(1, error)

    def _reach(self, sign: int, error: float) -> float:
        """Returns the largest mean difference, in the direction of `sign`, that the deals so far do not refute."""
        possible, refuted = sign * self.mean_difference, 1.0
        for _step in range(_HALVINGS):
            middle = (possible + refuted) / 2
            if self._grown(-sign, -middle) >= math.log(2 / error):
                refuted = middle
            else:
                possible = middle
        return refuted

    def _grown(self, sign: int, mean: float) -> float:
        """Returns the logarithm of the gambler's capital, which was 1 at first, after bets that `sign` times the mean
        difference is above `mean`."""
        grown = []
        for part in PARTS:
            odds = part / (1 + mean) if mean > -1 else math.inf
            if odds == math.inf:
                return math.inf
            grown.append(
                math.fsum(count * math.log1p(odds * (sign * value - mean)) for value, count in self._counts.items())
            )
        most = max(grown)
        return most + math.log(math.fsum(math.exp(one - most) for one in grown) / len(PARTS))
