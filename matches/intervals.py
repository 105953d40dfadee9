"""Shares and means with their 95 % intervals, computed from a pair of numbers for each deal.

The matches of one deal are correlated, so a deal is one observation (a cluster), however many matches it has. For each
deal, x is the number of cases (such as seats, decisions or matches), and y the number of these with the property in
question, or the sum of their values. The estimate is the ratio R = sum(y) / sum(x), and its variance that of a ratio of
cluster totals,

    v = n / (n - 1) * sum((y - R x)^2) / sum(x)^2        over the n deals with x > 0

(W. G. Cochran, Sampling Techniques, 3rd edition, 1977, chapter 6, without the correction for a finite population).

A mean has the interval R +- t sqrt(v), where t is the quantile of Student's distribution with n - 1 degrees of freedom.
A share has Wilson's interval (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927) with the number of independent observations
that would give the same variance, m = R (1 - R) / v (C. Franco, R. Little, T. Louis, E. Slud, J. Survey Stat. and
Methodology 7, 2019). This interval stays between 0 and 1 and is accurate for rare events. A share that is equal in all
deals has m = n. A mean that is equal in all deals has no interval, because the data do not show how it varies.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from typing import TypeAlias

import msgspec

Pair: TypeAlias = tuple[float, float]  # y and x of a deal, as in the module's docstring

CONFIDENCE = 0.95
FEWEST_DEALS = 10  # with fewer deals there is no interval
_ROUNDING = 1e-9  # tolerance for rounding errors, which matter for an interval of no width
_Z = 1.959963984540054  # two-sided 95 % quantile of the normal distribution


class Estimate(msgspec.Struct, frozen=True):
    """A share (0 to 1) or a mean with its interval, which is None if there are too few deals."""

    value: float
    low: float | None
    high: float | None
    of: float  # number of cases: the sum of x
    deals: int  # number of deals with at least one case

    def excludes(self, fair: float) -> bool:
        """Returns whether the value `fair` lies outside the interval; False if there is no interval."""
        if self.low is None or self.high is None:
            return False
        return not self.low - _ROUNDING <= fair <= self.high + _ROUNDING


def estimate_share(pairs: Sequence[Pair], *, fewest: int = FEWEST_DEALS, known: bool = False) -> Estimate:
    """Returns a share with its interval. At least one x must be above 0.

    Args:
        pairs: For each deal, the number of cases with the property, and the number of cases.
        fewest: With fewer deals there is no interval.
        known: Whether the share cannot differ between deals. Both ends of the interval are then equal to the share.
    """
    ratio, variance, of, deals = _ratio(pairs)
    if deals < fewest:
        return Estimate(ratio, None, None, of, deals)
    if known:
        return Estimate(ratio, ratio, ratio, of, deals)
    spread = ratio * (1 - ratio)
    alone = spread / variance if variance > _ROUNDING**2 else float(deals)
    squared = student_t_quantile(deals - 1) ** 2 / alone
    middle, half = ratio + squared / 2, sqrt(squared * (max(spread, 0.0) + squared / 4))
    low, high = (middle - half) / (1 + squared), (middle + half) / (1 + squared)
    return Estimate(ratio, max(0.0, min(low, ratio)), min(1.0, max(high, ratio)), of, deals)


def estimate_mean(pairs: Sequence[Pair], *, fewest: int = FEWEST_DEALS) -> Estimate:
    """Returns a mean with its interval. At least one x must be above 0.

    Args:
        pairs: For each deal, the sum of the values and their number.
        fewest: With fewer deals, or if all deals have the same mean, there is no interval.
    """
    ratio, variance, of, deals = _ratio(pairs)
    if deals < fewest or sqrt(variance) <= _ROUNDING * max(1.0, abs(ratio)):
        return Estimate(ratio, None, None, of, deals)
    half = student_t_quantile(deals - 1) * sqrt(variance)
    return Estimate(ratio, ratio - half, ratio + half, of, deals)


def student_t_quantile(freedom: int) -> float:
    """Returns the two-sided 95 % quantile of Student's t distribution.

    The error is below 0.001 from 7 degrees of freedom on (M. Abramowitz, I. Stegun, Handbook of Mathematical Functions,
    26.7.5).
    """
    z, v = _Z, float(freedom)
    first = (z**3 + z) / (4 * v)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    return z + first + second + third


def _ratio(pairs: Sequence[Pair]) -> tuple[float, float, float, int]:
    """Returns R, v, sum(x) and n, as in the module's docstring."""
    met = [(y, x) for y, x in pairs if x > 0]
    of, deals = sum(x for _, x in met), len(met)
    ratio = sum(y for y, _ in met) / of
    if deals < 2:
        return ratio, inf, of, deals
    residuals = sum((y - ratio * x) ** 2 for y, x in met)
    return ratio, deals / (deals - 1) * residuals / of**2, of, deals
