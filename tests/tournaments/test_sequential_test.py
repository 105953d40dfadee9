"""Comparisons of bots of known strength: equal ones are seldom told apart, unequal ones are, and intervals hold."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tournaments.sequential_test import SequentialTest

Draw = Callable[[random.Random], float]
LOOK = 20  # deals between two looks


def compared(rng: random.Random, draw: Draw, most: int, error: float = 0.05) -> SequentialTest:
    """Goes on until it is sure, or so many deals are played."""
    comparison = SequentialTest()
    while comparison.deal_count < most and not comparison.verdict(error):
        for _ in range(LOOK):
            comparison.add_difference(draw(rng))
    return comparison


def of_two(chance: float) -> Draw:
    """A match of two, one of whom wins with that chance."""
    return lambda rng: 1.0 if rng.random() < chance else -1.0


def of_four(rng: random.Random) -> float:
    """Two equal bots with the same deal at two tables of four; ties are shared."""
    return rng.choice((1, 0.5, 0, 0)) - rng.choice((1, 0.5, 0, 0))


@pytest.mark.parametrize("draw", [of_two(0.5), of_four], ids=["two seats", "four seats"])
@pytest.mark.parametrize("comparisons", [200, pytest.param(1_000, marks=pytest.mark.soak)])
def test_equal_bots_are_told_apart_in_at_most_one_of_twenty_comparisons(comparisons: int, draw: Draw) -> None:
    wrong = sum(compared(random.Random(seed), draw, 400).verdict(0.05) != 0 for seed in range(comparisons))
    assert 0 < wrong <= comparisons / 20


@pytest.mark.parametrize("comparisons", [60, pytest.param(1_000, marks=pytest.mark.soak)])
def test_a_bot_that_wins_55_of_100_is_found_in_19_of_20_comparisons_of_3000_deals(comparisons: int) -> None:
    found = [compared(random.Random(seed), of_two(0.55), 3_000) for seed in range(comparisons)]
    assert sum(one.verdict(0.05) == 1 for one in found) >= 0.95 * comparisons
    assert not any(one.verdict(0.05) == -1 for one in found)
    assert sum(one.deal_count for one in found) / len(found) < 1_500


@pytest.mark.parametrize("chance", [0.5, 0.7, 0.99])
@pytest.mark.parametrize("comparisons", [20, pytest.param(1_000, marks=pytest.mark.soak)])
def test_the_interval_holds_the_true_difference_at_all_times(comparisons: int, chance: float) -> None:
    missed = 0
    for seed in range(comparisons):
        rng, comparison = random.Random(seed), SequentialTest()
        bounds = []
        for _ in range(10):
            for _ in range(LOOK):
                comparison.add_difference(of_two(chance)(rng))
            bounds.append(comparison.mean_interval(0.05))
        missed += not all(low <= 2 * chance - 1 <= high for low, high in bounds)
        assert all(low <= comparison.mean_difference <= high for low, high in bounds[-1:])
    assert missed <= comparisons / 20


def test_the_interval_leaves_out_0_just_when_it_is_sure_and_the_sides_are_alike() -> None:
    comparison, turned = SequentialTest(), SequentialTest()
    assert comparison.mean_interval(0.05) == pytest.approx((-1, 1))
    rng = random.Random(1)
    for deal in range(300):
        difference = of_two(0.58)(rng)
        comparison.add_difference(difference)
        turned.add_difference(-difference)
        if deal % 3 < 2:
            continue
        low, high = comparison.mean_interval(0.05)
        assert comparison.verdict(0.05) == (low > 1e-9) - (high < -1e-9) == -turned.verdict(0.05)
    assert turned.mean_interval(0.05) == pytest.approx((-high, -low))


def test_bounds_are_answered_wrongly_in_few_comparisons_and_always_answered() -> None:
    """Half of the deals are decided, and the true mean is on the lower bound, or on the upper one."""
    rng, wrong, cups = random.Random(9), [0, 0], 60
    for true, number in ((0.0, 0), (0.2, 1)):
        for _ in range(cups):
            comparison = SequentialTest()
            for _deal in range(3_000):
                comparison.add_difference(rng.choices((1.0, 0.0, -1.0), (0.25 + true / 2, 0.5, 0.25 - true / 2))[0])
                above, below = comparison.is_above(0.0, 0.05), comparison.is_below(0.2, 0.05)
                if above or below:
                    break
            assert above or below
            wrong[number] += above if number == 0 else below
    assert max(wrong) <= 0.1 * cups


def test_the_expected_number_of_deals_knows_the_rule_that_ends_them() -> None:
    def is_sure(one: SequentialTest) -> bool:
        return one.verdict(0.05) != 0

    comparison = SequentialTest()
    assert comparison.expected_deals(is_sure, 3_000) == 3_000
    for number in range(40):
        comparison.add_difference(1.0 if number % 5 else -1.0)
        if number == 9:
            early = comparison.expected_deals(is_sure, 3_000)
    while not is_sure(comparison):
        comparison.add_difference(0.6)
    assert 10 < early < 60
    assert comparison.expected_deals(is_sure, 3_000) == comparison.deal_count
    even = SequentialTest()
    for value in (1.0, -1.0) * 20:
        even.add_difference(value)
    assert even.expected_deals(is_sure, 3_000) == 3_000
