"""The lab's intervals hold what they promise: the truth lies in about 95 of a hundred of them."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from matches.intervals import FEWEST_DEALS, Estimate, Pair, estimate_mean, estimate_share, student_t_quantile

LABS, DEALS = 400, 100


def alike_matches(chance: random.Random) -> Pair:
    """Four matches of a deal that are won together half of the time: 30 % of the matches are won."""
    together = chance.random() < 0.5
    first = chance.random() < 0.3
    return sum(first if together else chance.random() < 0.3 for _ in range(4)), 4


def changing_sizes(chance: random.Random) -> Pair:
    """Nought to four seats of a group, alike within a deal; the larger the group, the more it wins: 40 % of the seats,
    while the mean of the deals' shares would be 30 %."""
    seats = chance.randrange(5)
    luck = chance.choice((-0.1, 0.1))
    return sum(chance.random() < seats / 7.5 + luck * (seats > 0) for _ in range(seats)), seats


def rare_things(chance: random.Random) -> Pair:
    """Two matches, of which one in thirty ends so."""
    return sum(chance.random() < 1 / 30 for _ in range(2)), 2


def lengths(chance: random.Random) -> Pair:
    """Two matches of about 20 rounds, long or short together."""
    common = chance.gauss(20, 4)
    return sum(common + chance.gauss(0, 2) for _ in range(2)), 2


def covered(deal: Callable[[random.Random], Pair], truth: float, estimate: Callable[[list[Pair]], Estimate]) -> float:
    """The share of labs whose interval holds the truth."""
    chance = random.Random(deal.__name__)
    labs = (estimate([deal(chance) for _ in range(DEALS)]) for _ in range(LABS))
    return sum(not lab.excludes(truth) for lab in labs) / LABS


@pytest.mark.parametrize(("deal", "truth"), [(alike_matches, 0.3), (changing_sizes, 0.4), (rare_things, 1 / 30)])
def test_the_interval_of_a_share_holds_the_truth_95_times_in_a_hundred(
    deal: Callable[[random.Random], Pair], truth: float
) -> None:
    assert 0.93 <= covered(deal, truth, estimate_share) <= 0.97


def test_the_interval_of_a_mean_holds_the_truth_95_times_in_a_hundred() -> None:
    assert 0.93 <= covered(lengths, 20, estimate_mean) <= 0.97


def test_matches_of_one_deal_taken_for_independent_ones_would_promise_too_much() -> None:
    def by_match(pairs: list[Pair]) -> Estimate:
        return estimate_share([(float(at < won), 1) for won, played in pairs for at in range(int(played))])

    assert covered(alike_matches, 0.3, by_match) < 0.88


def test_the_formulas_of_the_page_give_these_numbers() -> None:
    """R is 1/3; v is 20/19 * 20/9 / 900; t is 2.093 with 19 degrees of freedom."""
    pairs = [(1, 2), (0, 1)] * 10
    told = estimate_share(pairs)
    assert (told.of, told.deals) == (30, 20)
    assert (told.low, told.value, told.high) == pytest.approx((0.23707, 0.33333, 0.44584), abs=0.00002)
    told = estimate_mean(pairs)
    assert (told.low, told.high) == pytest.approx((0.22663, 0.44004), abs=0.00002)
    told = estimate_mean([(4, 2), (9, 3)], fewest=2)
    assert (told.value, told.of, told.deals) == (2.6, 5, 2)
    assert (told.low, told.high) == pytest.approx((-2.06108, 7.26108), abs=0.00002)
    assert estimate_mean([(4, 2)], fewest=2) == Estimate(2, None, None, 2, 1)


def test_always_and_never_have_an_interval_too() -> None:
    never, always = estimate_share([(0, 4)] * 50), estimate_share([(4, 4)] * 50)
    assert (never.value, never.low, always.value, always.high) == (0, 0, 1, 1)
    assert never.high == pytest.approx(0.075, abs=0.001)
    assert always.low == pytest.approx(1 - 0.075, abs=0.001)


def test_what_cannot_differ_between_deals_is_known_exactly() -> None:
    known = estimate_share([(1, 4)] * 50, known=True)
    assert (known.low, known.value, known.high) == pytest.approx((0.25, 0.25, 0.25))
    assert not estimate_share([(sum([0.1] * 7), 7)] * 50, known=True).excludes(0.1)  # 0.09999999999999999


@pytest.mark.parametrize("of", [2, 3, 7])
@pytest.mark.parametrize("deals", [10, 12, 50])
def test_what_came_out_alike_in_all_deals_has_no_interval_without_width(of: int, deals: int) -> None:
    """As where one bot wins in each seat: no deal tells the seats apart, and yet they are not known to be equal."""
    alike = estimate_share([(1, of)] * deals)
    assert alike.low is not None
    assert alike.high is not None
    assert alike.high - alike.low > 1 / deals
    fraction = 1 / of
    assert estimate_mean([(fraction * 3, 3)] * deals).low is None  # which rounding tells apart


def test_deals_without_what_is_asked_for_say_nothing() -> None:
    met = [(1.0, 2.0), (0.0, 1.0)] * 10
    assert estimate_share(met) == estimate_share([*met, *[(0.0, 0.0)] * 500])
    assert estimate_share(met).deals == 20


def test_a_few_deals_have_no_interval() -> None:
    assert estimate_share([(1, 2)] * (FEWEST_DEALS - 1)) == Estimate(0.5, None, None, 18, 9)
    assert estimate_mean([(1, 2)] * (FEWEST_DEALS - 1)).low is None
    assert not estimate_share([(0, 2)] * (FEWEST_DEALS - 1)).excludes(0.5)
    assert estimate_share([(0, 2)] * FEWEST_DEALS).excludes(0.5)


@pytest.mark.parametrize(("freedom", "value"), [(7, 2.3646), (9, 2.2622), (30, 2.0423), (100, 1.9840), (1_000, 1.9623)])
def test_students_distribution_is_that_of_the_printed_tables(freedom: int, value: float) -> None:
    assert student_t_quantile(freedom) == pytest.approx(value, abs=0.001 if freedom < 9 else 0.0005)
