"""A figure: what was measured in each of several short rounds, beside a reference measured next to it."""

from __future__ import annotations

from statistics import median, quantiles
from typing import Literal

import msgspec

Better = Literal["more", "less", "neither"]


class Spread(msgspec.Struct, frozen=True):
    """How one number came out over the rounds.

    `noise` is how far the median is to be trusted, as a part of it: 1.57 times the width of the middle half of the
    rounds, by the root of how many there are. That is the notch of a box plot: where the notches of two do not
    overlap, their medians differ, some twenty to one.
    """

    least: float
    median: float
    most: float
    noise: float


def spread_of(rounds: list[float]) -> Spread:
    """The spread of one number or more."""
    middle = median(rounds)
    noise = 0.0
    if len(rounds) > 1 and middle:
        first, _, third = quantiles(rounds, n=4, method="inclusive")
        noise = 1.57 * (third - first) / middle / len(rounds) ** 0.5
    return Spread(min(rounds), middle, max(rounds), noise)


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    """One figure: a value a round.

    beside: the reference's values in the same rounds, in the same unit; empty where there is no reference.
    reference: what that is: "loop", "echo", ...
    wall: whether seconds are those on the wall, and not of a processor: other programs then spoil it.
    target: what the median should reach: the ratio's if `target_is_ratio`, else the value's.
    """

    name: str
    unit: str
    values: list[float]
    better: Better = "more"
    reference: str = ""
    beside: list[float] = []
    target: float | None = None
    target_is_ratio: bool = False
    wall: bool = False

    @property
    def value(self) -> Spread:
        """What was measured."""
        return spread_of(self.values)

    @property
    def ratio(self) -> Spread | None:
        """The same as a part of the reference, round by round; None without a reference."""
        if not self.beside:
            return None
        return spread_of([value / other for value, other in zip(self.values, self.beside, strict=True)])

    @property
    def reached(self) -> bool | None:
        """Whether the target is reached; None without a target."""
        if self.target is None:
            return None
        spread = self.ratio if self.target_is_ratio else self.value
        assert spread is not None, f"{self.name}: a target for a ratio, and no reference"
        return spread.median <= self.target if self.better == "less" else spread.median >= self.target


class Report(msgspec.Struct, frozen=True):
    """The figures of one run, the Python that ran them, and the part of the processors that other programs took."""

    python: str
    others: float
    figures: list[Figure]
