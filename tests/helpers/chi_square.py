"""Whether what was drawn follows a distribution that was counted out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from math import sqrt

Z = 3.09  # of the normal distribution: one fair test in a thousand goes beyond it


def follows(drawn: Iterable[Hashable], ways: Counter[Hashable]) -> bool:
    """Pearson's test at one in a thousand. `ways`: how many equally likely ways lead to each outcome."""
    seen, total = Counter(drawn), ways.total()
    assert set(seen) <= set(ways), f"drawn, and not possible: {set(seen) - set(ways)}"
    expected = {outcome: seen.total() * count / total for outcome, count in ways.items()}
    assert min(expected.values()) >= 5, "too few draws for so many outcomes"
    statistic = sum((seen[outcome] - mean) ** 2 / mean for outcome, mean in expected.items())
    freedom = len(ways) - 1
    spread = 2 / (9 * freedom)
    return statistic < freedom * (1 - spread + Z * sqrt(spread)) ** 3  # Wilson and Hilferty
