"""Ratings against other programs' figures, known strengths, and what must not matter."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence

import pytest

from tournaments.ratings import ELO, Order, compute_ratings
from tournaments.significance import FEWEST_DEALS

STRENGTHS = (0.9, 0.5, 0.2, -0.1, -0.5, -1.0)  # logarithms


def drawn(rng: random.Random, sitting: Sequence[int], logs: Sequence[float]) -> Order:
    """A finishing order by Plackett's and Luce's model, by way of Gumbel's distribution."""
    values = {one: logs[one] - math.log(-math.log(rng.random())) for one in sitting}
    return tuple((one,) for one in sorted(sitting, key=lambda one: -values[one]))


def cup(rng: random.Random, deals: int, logs: Sequence[float], seats: int) -> dict[int, list[Order]]:
    """Each deal is played once by each entrant in each seat."""
    count = len(logs)
    orders: dict[int, list[Order]] = {}
    for deal in range(deals):
        circle = rng.sample(range(count), count)
        sittings = [[circle[(start + seat) % count] for seat in range(seats)] for start in range(count)]
        orders[deal] = [drawn(rng, sitting, logs) for sitting in sittings]
    return orders


def test_many_matches_come_out_as_choix_rates_them() -> None:
    rng = random.Random(2026)
    orders = {deal: [drawn(rng, rng.sample(range(6), 4), STRENGTHS)] for deal in range(600)}
    found = compute_ratings(orders)
    # choix 0.4.1: ilsr_rankings(6, orders, alpha=0), whose mean is 0, times 400 / ln 10; it knows no draw for everybody
    of_choix = [151.853, 85.724, 24.698, -19.003, -86.058, -157.213]
    assert [found[one].elo for one in range(6)] == pytest.approx(of_choix, abs=0.3)


def test_two_players_are_apart_by_the_logarithm_of_their_wins_and_a_tie_is_half_a_win() -> None:
    win: Order = ((0,), (1,))
    loss: Order = ((1,), (0,))
    tie: Order = ((0, 1),)
    found = compute_ratings({0: [win] * 300 + [loss] * 100})
    assert found[0].elo - found[1].elo == pytest.approx(ELO * math.log(3), rel=0.01)
    assert compute_ratings({0: [tie] * 50})[0].elo == pytest.approx(0)
    assert compute_ratings({0: [win] * 3 + [tie] * 2})[0].elo == pytest.approx(
        compute_ratings({0: [win] * 4 + [loss]})[0].elo
    )


def likelihood(orders: Sequence[Order], logs: Sequence[float]) -> float:
    """The logarithm of Efron's, as it is written down, and of everybody's draw with an opponent of strength 1."""
    total = sum(-0.5 * (math.log1p(math.exp(-log)) + math.log1p(math.exp(log))) for log in logs)
    for order in orders:
        for place, tied in enumerate(order):
            whole = sum(math.exp(logs[one]) for later in order[place:] for one in later)
            chosen = sum(math.exp(logs[one]) for one in tied)
            choices = len(tied) - (place + 1 == len(order))  # the last place is nobody's choice
            total += sum(logs[one] for one in tied) * choices / len(tied)
            total -= sum(math.log(whole - number / len(tied) * chosen) for number in range(choices))
    return total


def test_no_other_strengths_are_likelier_whoever_ties_with_whom() -> None:
    rng = random.Random(7)
    orders: list[Order] = []
    for _ in range(60):
        one, other, third, last = rng.sample(range(5), 4)
        ties: list[Order] = [((one, other), (third,), (last,)), ((one,), (other, third), (last,))]
        orders.append(rng.choice([*ties, ((one,), (other, third, last)), ((one, other, third), (last,))]))
    found = compute_ratings({0: orders})
    middles = [[found[one].elo / ELO + shift / 2_000 for one in range(5)] for shift in range(-400, 400)]
    top = max(middles, key=lambda logs: likelihood(orders, logs))  # ratings leave open where 0 is
    for one in range(5):
        for step in (-0.003, 0.003):
            moved = [log + step * (place == one) for place, log in enumerate(top)]
            assert likelihood(orders, moved) < likelihood(orders, top)


def test_players_who_are_level_are_at_plain_zero() -> None:
    orders = [tuple((one,) for one in order) for order in itertools.permutations(range(5))]
    assert {f"{rating.elo:+.0f}" for rating in compute_ratings({0: orders}).values()} == {"+0"}


@pytest.mark.parametrize(
    ("wins", "losses", "draws", "elo", "error"),
    [
        (136, 96, 111, 40.70, 30.43),  # fastchess, app/tests/elo_test.cpp, "EloWDL 2"
        (45, 37, 18, 27.9, 62.4),  # cutechess-cli: "Score of OopsMate vs SF-2100: 45 - 37 - 18  [0.540] 100"
        (63, 34, 3, 103.73, 71.1),  # variantfishtest, README.md: "ELO: 103.73 +-71.1 (95%)", "W: 63 L: 34 D: 3"
        (983, 836, 3669, 9.31, 5.29),  # OpenBench: RubiChess pull request 237, "Games | N: 5488 W: 983 L: 836 D: 3669"
        (1013, 896, 1998, 10.41, 7.62),  # cutechess-cli: PedanticRF pull request 51, "1013 - 896 - 1998 [0.515] 3907"
    ],
)
def test_matches_of_two_come_out_with_the_elo_and_the_interval_that_others_have_published(
    wins: int, losses: int, draws: int, elo: float, error: float
) -> None:
    orders: list[Order] = [((0,), (1,))] * wins + [((1,), (0,))] * losses + [((0, 1),)] * draws
    random.Random(1).shuffle(orders)
    found = compute_ratings({deal: [order] for deal, order in enumerate(orders)})
    assert found[0].elo - found[1].elo == pytest.approx(elo, rel=0.02)
    assert found[0].high is not None
    assert found[0].low is not None
    assert found[0].high - found[0].low == pytest.approx(error, rel=0.15)  # the mean of both is 0: half the distance


@pytest.mark.parametrize(
    ("pairs", "elo", "error"),
    [  # fastchess, app/tests/elo_test.cpp, "EloPentanomial": pairs with 0, 1, 2 (two kinds), 3, 4 half points
        ((34, 54, 31, 32, 64, 75), 55.58, 27.65),
        ((332, 433, 457, 41, 333, 334), -8.64, 10.33),
    ],
)
def test_matches_with_the_same_deal_are_one_observation_as_others_count_pairs(
    pairs: tuple[int, ...], elo: float, error: float
) -> None:
    win, loss, tie = ((0,), (1,)), ((1,), (0,)), ((0, 1),)
    kinds: list[list[Order]] = [[loss, loss], [loss, tie], [win, loss], [tie, tie], [win, tie], [win, win]]
    deals = [kind for kind, count in zip(kinds, pairs, strict=True) for _ in range(count)]
    random.Random(1).shuffle(deals)
    found = compute_ratings(dict(enumerate(deals)))
    assert found[0].elo - found[1].elo == pytest.approx(elo, rel=0.03)
    assert found[0].high is not None
    assert found[0].low is not None
    assert found[0].high - found[0].low == pytest.approx(
        error, rel=0.25
    )  # 40 groups tell it to a tenth, twice that at times


def test_nobody_is_rated_without_bounds() -> None:
    always = compute_ratings({deal: [((0,), (1,), (2,))] for deal in range(50)})
    assert 400 < always[0].elo < 1_500
    assert always[1].elo == pytest.approx(0, abs=1)
    assert compute_ratings({}) == {}


def test_the_order_of_matches_and_deals_changes_nothing() -> None:
    rng = random.Random(5)
    orders = cup(rng, 12, STRENGTHS, 4)
    turned = {deal: rng.sample(orders[deal], len(orders[deal])) for deal in reversed(orders)}
    assert compute_ratings(orders) == compute_ratings(turned)
    tied: dict[int, list[Order]] = {0: [((0,), (1, 2))]}
    assert compute_ratings(tied) == compute_ratings({0: [((0,), (2, 1))]})


def test_an_entrant_with_two_seats_at_a_table_is_rated_by_both() -> None:
    both = compute_ratings({deal: [((0,), (1,), (0,), (1,))] * 4 for deal in range(10)})
    assert both[0].elo > both[1].elo
    assert both[0].elo + both[1].elo == pytest.approx(0)


def test_who_is_surely_better_is_counted_and_who_may_be_is_not() -> None:
    found = compute_ratings(cup(random.Random(3), 40, (1.0, 0.0, 0.0, -1.0), 4))
    assert [found[one].better for one in range(4)] == [0, 1, 1, 3]
    few = compute_ratings(cup(random.Random(3), FEWEST_DEALS - 1, (1.0, 0.0, 0.0, -1.0), 4))
    assert all((one.low, one.high, one.better) == (None, None, 0) for one in few.values())


def test_ratings_of_an_earlier_version_come_out_as_they_did_or_an_audit_would_find_them_false() -> None:
    strangers = compute_ratings(cup(random.Random(3), FEWEST_DEALS, (1.0, 0.0, 0.0, -1.0), 4))
    elos = [strangers[one].elo for one in range(4)]
    assert elos == pytest.approx([97.393228, 12.836168, 22.081746, -132.311142], abs=1e-6)
    kinds: list[Order] = [((0,), (1, 2)), ((1, 0), (2,)), ((2,), (0,), (1,)), ((0, 1, 2),)]
    tied = compute_ratings({deal: [kinds[deal % 4], kinds[deal * deal % 3]] for deal in range(9)})
    assert [tied[one].elo for one in range(3)] == pytest.approx([127.499102, 0.678304, -128.177406], abs=1e-6)


def test_two_who_won_all_they_played_are_not_told_apart_by_how_often_they_did() -> None:
    often: dict[int, list[Order]] = {deal: [((0,), (2,))] for deal in range(30)}
    seldom: dict[int, list[Order]] = {30 + deal: [((1,), (3,))] for deal in range(9)}
    found = compute_ratings(often | seldom)
    assert found[0].elo > found[1].elo + 50
    assert (found[0].better, found[1].better) == (0, 0)
    assert found[2].better == 2


def test_who_has_played_few_deals_of_many_has_no_interval_and_nobody_is_surely_better_or_worse() -> None:
    orders = cup(random.Random(3), 40, (1.0, 0.0, 0.0, -1.0), 4)
    few: dict[int, list[Order]] = {deal: [((0,), (4,))] for deal in range(40, 40 + FEWEST_DEALS - 1)}
    found = compute_ratings(orders | few)
    assert (found[4].low, found[4].high, found[4].better) == (None, None, 0)
    assert [found[one].better for one in range(4)] == [0, 1, 1, 3]
    assert compute_ratings(orders | few | {99: [((0,), (4,))]})[4].better > 0


@pytest.mark.parametrize(
    ("deals", "cups"),
    [(8, 150), (20, 60), *[pytest.param(deals, 1_000, marks=pytest.mark.soak) for deals in (8, 20, 100)]],
)
def test_the_interval_holds_the_true_rating_in_19_of_20_cups(deals: int, cups: int) -> None:
    rng = random.Random(deals)
    logs = [0.6, 0.2, -0.2, -0.6]
    held = 0
    for _ in range(cups):
        for one, rating in compute_ratings(cup(rng, deals, logs, 4)).items():
            assert rating.low is not None
            assert rating.high is not None
            held += rating.low <= ELO * logs[one] <= rating.high
    print(f"{deals} deals: {held / cups / 4:.1%} of {cups} cups' intervals hold the true rating")
    assert 0.93 <= held / cups / 4 <= 0.97
