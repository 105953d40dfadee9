"""Whether one bot is better than another, said as soon as it is sure, however often one looks. Pure.

Each deal is played by both and gives one difference of their shares of the win, between -1 and 1. Against the claim
that the mean difference is m or less somebody bets, at fair odds, a part of what they have on each deal; while the
claim is true, the probability that they ever have k times what they began with is at most 1 / k (J. Ville, 1939). So
one may look after every deal and stop when it suits. The bets are those of I. Waudby-Smith and A. Ramdas, Estimating
means of bounded random variables by betting (J. R. Stat. Soc. B 86, 2024), section 4; instead of one part that changes,
the money is divided among the parts in PARTS and left there, which is a bet as well.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

from tournaments.language import _

PARTS = tuple(0.9 * 0.68**number for number in range(10))  # from nearly all to some 3 %
_HALVINGS = 40


class Comparison:
    """All differences so far: those of the new bot minus those of the old one."""

    def __init__(self) -> None:
        self._counts: Counter[float] = Counter()

    def add(self, difference: float) -> None:
        """Raises ValueError for what is not between -1 and 1."""
        if not -1 <= difference <= 1:
            raise ValueError(_("a difference of shares is not {difference}", difference=difference))
        self._counts[difference] += 1

    @property
    def deals(self) -> int:
        """How many differences there are."""
        return self._counts.total()

    @property
    def mean(self) -> float:
        """Of the differences; 0 without any."""
        return math.fsum(value * count for value, count in self._counts.items()) / max(1, self.deals)

    def better(self, error: float) -> int:
        """1 where the new bot is surely better, -1 where the old one is, 0 where that is not sure yet. `error` is the
        probability that equal bots are ever told apart, on either side."""
        for sign in (1, -1):
            if self._grown(sign, 0.0) >= math.log(2 / error):
                return sign
        return 0

    def is_above(self, bound: float, error: float) -> bool:
        """Whether the true mean is surely above that value. `error` is the probability of ever saying so wrongly."""
        return self._grown(1, bound) >= math.log(1 / error)

    def is_below(self, bound: float, error: float) -> bool:
        """Whether the true mean is surely below that value, likewise."""
        return self._grown(-1, -bound) >= math.log(1 / error)

    def expected(self, is_sure: Callable[[Comparison], bool], most: int) -> int:
        """The expected total number of deals until the answer is sure, if the results go on alike; `most` if not by
        then."""
        if not self.deals:
            return most
        if is_sure(self):
            return self.deals
        near, far = 1.0, most / self.deals
        if far <= near or not is_sure(self._times(far)):
            return most
        while (far - near) * self.deals > 1:
            middle = (near + far) / 2
            near, far = (near, middle) if is_sure(self._times(middle)) else (middle, far)
        return min(most, math.ceil(far * self.deals))

    def _times(self, often: float) -> Comparison:
        """The same with each difference that much more often."""
        other = Comparison()
        other._counts = Counter({value: count * often for value, count in self._counts.items()})
        return other

    def interval(self, error: float) -> tuple[float, float]:
        """Where the true mean difference lies, at all times together but with the probability `error`."""
        return -self._reach(-1, error), self._reach(1, error)

    def _reach(self, sign: int, error: float) -> float:
        """The largest mean, in the direction of the sign, that is not yet refuted."""
        possible, refuted = sign * self.mean, 1.0
        for _step in range(_HALVINGS):
            middle = (possible + refuted) / 2
            if self._grown(-sign, -middle) >= math.log(2 / error):
                refuted = middle
            else:
                possible = middle
        return refuted

    def _grown(self, sign: int, mean: float) -> float:
        """The logarithm of what became of 1 that was bet on differences, times the sign, above that mean."""
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
