"""Standings against a table computed by hand."""

import math
import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.intervals import student_t_quantile
from people.text.standings import standings_table
from protocol.messages import SeatResult
from tournaments.formats.registry import make_format
from tournaments.ratings import ELO
from tournaments.schedule import Pairing
from tournaments.standings import (
    RANK_BY,
    CountedMatch,
    compute_standings,
    standing_message,
    variance_reduction,
    win_shares_and_places,
)

NAMES = ("ann", "bob", "cyd", "dan")


def match(
    number: int, deal: int, entrants: tuple[int, ...], *results: tuple[int, int] | tuple[int, int, str]
) -> CountedMatch:
    """Results are (score, place) or (score, place, how), seat 1 first."""
    seats = tuple(
        SeatResult(seat, NAMES[entrant], result[0], result[1], *result[2:])
        for seat, (entrant, result) in enumerate(zip(entrants, results, strict=True), 1)
    )
    return CountedMatch(Pairing(number, deal, entrants), f"t{number}", seats)


TOURNAMENT = [
    match(1, 1, (0, 1, 2), (9, 1), (5, 2), (5, 2)),  # ann wins
    match(2, 1, (1, 2, 0), (7, 1), (3, 3), (7, 1)),  # ann and bob share
    match(3, 2, (2, 0, 1), (8, 1), (2, 2), (20, 3, "left")),  # cyd wins; bob's seat was played by the house
    match(4, 2, (2, 0, 1), (4, 2), (6, 1), (1, 3)),  # ann wins
]


def test_a_cup_of_four_matches_comes_out_as_computed_by_hand() -> None:
    ann, cyd, bob = compute_standings(NAMES, TOURNAMENT)
    assert [row.entrant for row in (ann, cyd, bob)] == ["ann", "cyd", "bob"]
    assert [row.rank for row in (ann, cyd, bob)] == [1, 2, 3]
    assert [row.seats for row in (ann, cyd, bob)] == [4, 4, 4]
    assert [row.score for row in (ann, cyd, bob)] == [2.5 / 4, 1 / 4, 0.5 / 4]
    assert [row.place for row in (ann, cyd, bob)] == [5 / 4, 8 / 4, 9 / 4]
    assert [row.points for row in (ann, cyd, bob)] == [24 / 4, 20 / 4, 13 / 3]
    assert bob.ended == {"played": 3, "left": 1}
    told = standing_message(ann)
    assert (told.rank, told.entrant, told.seats, told.place, told.points) == (1, "ann", 4, 5 / 4, 24 / 4)
    # ann: 0.75 in deal 1, 0.5 in deal 2: deviation of the two means 0.1768, over the root of 2
    assert ann.error == pytest.approx(math.sqrt(2 * 0.125**2) / math.sqrt(2))
    assert cyd.error == pytest.approx(0.25)


def test_who_sat_only_in_a_match_that_was_aborted_is_last_and_has_won_nothing() -> None:
    aborted = CountedMatch(Pairing(5, 3, (0, 1, 3)), "t5", ())
    *_others, dan = compute_standings(NAMES, [*TOURNAMENT, aborted])
    assert (dan.entrant, dan.rank, dan.seats, dan.score, dan.ended) == ("dan", 4, 0, 0.0, {"aborted": 1})
    assert dan.place is None
    assert standings_table([standing_message(dan)])[1].split()[:10] == ["(4)", "dan", "0.000", *["-"] * 7]
    assert (dan.error, dan.rating, dan.points, dan.lead) == (None, None, None, None)
    wins_nothing = match(6, 1, (0, 1, 2), (9, 1), (5, 2), (1, 3))
    assert [row.entrant for row in compute_standings(NAMES, [wins_nothing, aborted])][-2:] == ["cyd", "dan"]


def test_a_seat_that_was_taken_over_is_last_and_wins_nothing() -> None:
    results = TOURNAMENT[2].results
    assert [(float(share), place) for share, place in win_shares_and_places(results)] == [(1, 1), (0, 2), (0, 3)]
    alone = match(5, 1, (0, 1, 2), (9, 1, "late"), (8, 1, "left"), (7, 1, "illegal"))
    assert [(float(share), place) for share, place in win_shares_and_places(alone.results)] == [(0, 3)] * 3


def test_a_seat_is_known_by_its_place_among_the_results_whatever_number_is_written_there() -> None:
    def misnumbered(seat: int) -> list[CountedMatch]:
        return [
            msgspec.structs.replace(
                one, results=tuple(msgspec.structs.replace(result, seat=seat) for result in one.results)
            )
            for one in TOURNAMENT
        ]

    for duplicate in (False, True):
        rows = compute_standings(NAMES, TOURNAMENT, duplicate=duplicate)
        assert compute_standings(NAMES, misnumbered(9), duplicate=duplicate) == rows
        assert compute_standings(NAMES, misnumbered(1), duplicate=duplicate) == rows


def test_a_lead_is_over_the_mean_of_the_others_and_over_the_seats_that_were_played_to_the_end() -> None:
    leads = {row.entrant: row.lead and row.lead.value for row in compute_standings(NAMES, TOURNAMENT)}
    assert leads == {
        "ann": (4 + 2 - 12 + 3.5) / 4,
        "bob": (-2 + 2 - 4) / 3,
        "cyd": pytest.approx((-2 - 4 - 3 + 0.5) / 4),
    }
    left = match(1, 1, (0, 1), (9, 1), (5, 2, "left"))
    assert [row.lead and row.lead.value for row in compute_standings(NAMES, [left])] == [4, None]


@pytest.mark.parametrize("deals", [7, 8])
def test_a_lead_has_an_interval_from_eight_deals_on(deals: int) -> None:
    rows = compute_standings(NAMES, [match(deal, deal, (0, 1), (deal % 3, 1), (0, 2)) for deal in range(1, deals + 1)])
    assert [row.lead is not None and row.lead.low is not None for row in rows] == [deals == 8] * 2


def test_of_equal_entrants_the_interval_of_the_lead_holds_none_in_19_of_20_cups() -> None:
    chance, held, cups = random.Random(4), 0, 200
    for _ in range(cups):
        cup = []
        for deal in range(8):
            luck = chance.gauss(0, 5)  # of both matches of the deal
            for number in range(2):
                own = round(luck + chance.gauss(0, 5))
                cup.append(match(2 * deal + number + 1, deal, (0, 1), (own, 1), (0, 2)))
        lead = compute_standings(NAMES, cup)[0].lead
        assert lead is not None
        held += not lead.excludes(0)
    assert 0.93 <= held / cups <= 0.97


def test_equal_entrants_share_a_rank() -> None:
    rows = compute_standings(NAMES, [match(1, 1, (0, 1, 2), (5, 1), (5, 1), (1, 3))])
    assert [(row.rank, row.entrant) for row in rows] == [(1, "ann"), (1, "bob"), (3, "cyd")]
    assert rows[0].error is None


def test_who_has_played_fewer_than_eight_deals_has_no_rank_but_a_place_in_the_list() -> None:
    known = [match(deal, deal, (0, 1), (9, 1), (5, 2)) for deal in range(1, 21)]
    rows = compute_standings(NAMES, [*known, *(match(deal, deal, (0, 2), (9, 1), (5, 2)) for deal in (21, 22))])
    assert [(row.rank, row.entrant, row.ranked) for row in rows] == [
        (1, "ann", True),
        (2, "bob", True),
        (2, "cyd", False),
    ]


def test_an_aborted_match_counts_for_nobody_but_is_told() -> None:
    rows = compute_standings(NAMES, [*TOURNAMENT[:1], CountedMatch(Pairing(2, 1, (1, 2, 0)), "t2", ())])
    assert {row.entrant: (row.seats, row.ended) for row in rows}["ann"] == (1, {"played": 1, "aborted": 1})


def test_those_behind_a_crash_move_up() -> None:
    crashed = msgspec.structs.replace(TOURNAMENT[0].results[0], how="crashed")
    told = (crashed, *TOURNAMENT[0].results[1:])
    assert [(float(share), place) for share, place in win_shares_and_places(told)] == [(0, 3), (0.5, 1), (0.5, 1)]


@settings(max_examples=30)
@given(st.permutations(TOURNAMENT))
def test_the_order_in_which_matches_end_makes_no_difference(tournament: list[CountedMatch]) -> None:
    assert compute_standings(NAMES, tournament) == compute_standings(NAMES, TOURNAMENT)


@settings(max_examples=50)
@given(st.lists(st.lists(st.tuples(st.integers(-5, 5), st.sampled_from(["played", "left"])), min_size=3, max_size=3)))
def test_each_match_that_somebody_won_gives_one_win_in_all(seats: list[list[tuple[int, str]]]) -> None:
    for scores in seats:
        stayed = [score for score, how in scores if how == "played"]
        results = [
            (score, 1 + sum(o > score for o in stayed) if how == "played" else 1 + len(stayed), how)
            for score, how in scores
        ]
        shares = [share for share, _place in win_shares_and_places(match(1, 1, (0, 1, 2), *results).results)]
        assert sum(shares) == (1 if stayed else 0)


def duplicates(deals: int, luck: float, seed: int) -> list[CountedMatch]:
    """Four tables of two with the same deals, between equals: who wins is luck of the seat, more or less."""
    chance = random.Random(seed)
    made: list[CountedMatch] = []
    made_by = make_format("round_robin", "duplicate", 8, 2, deals, seed)
    nothing = CountedMatch(Pairing(0, 0, ()), "", ())
    for pairing in made_by.known_pairings(dict.fromkeys(range(1, deals * 4 + 1), nothing)):
        favoured = random.Random(f"{seed} {pairing.deal}").random() < 0.5
        first = favoured if chance.random() < luck else chance.random() < 0.5
        places = (1, 2) if first else (2, 1)
        results = tuple(SeatResult(seat, "x", 0, place) for seat, place in enumerate(places, 1))
        made.append(CountedMatch(pairing, f"t{pairing.number}", results))
    return made


def test_duplicate_deals_take_away_the_luck_that_there_is_and_add_none() -> None:
    assert (variance_reduction(duplicates(60, 0.9, 1), duplicate=True) or 0) > 0.5
    assert abs(variance_reduction(duplicates(60, 0.0, 1), duplicate=True) or 1) < 0.1
    rows = compute_standings([f"e{number}" for number in range(8)], duplicates(60, 0.9, 1), duplicate=True)
    assert all(abs(row.score - 0.5) < 0.2 for row in rows)
    assert abs(sum(row.score for row in rows) / 8 - 0.5) < 1e-9


def test_with_duplicate_deals_no_score_and_no_interval_leaves_0_to_1() -> None:
    for seed in range(6):
        for row in compute_standings([f"e{number}" for number in range(8)], duplicates(9, 1.0, seed), duplicate=True):
            assert row.score_low is not None
            assert row.score_high is not None
            assert 0 <= row.score_low <= row.score <= row.score_high <= 1


def test_the_order_of_matches_changes_nothing_with_duplicate_deals_either() -> None:
    made = duplicates(20, 0.7, 2)
    names = [f"e{number}" for number in range(8)]
    assert compute_standings(names, made[::-1], duplicate=True) == compute_standings(names, made, duplicate=True)


def test_a_cup_of_an_earlier_version_comes_out_as_it_did_or_an_audit_would_find_it_false() -> None:
    names = [f"e{number}" for number in range(8)]
    rows = compute_standings(names, duplicates(9, 0.9, 3), duplicate=True)
    assert [(row.entrant, round(row.score, 6), round(row.error or 0, 6)) for row in rows[:4]] == [
        ("e7", 0.570764, 0.116186),
        ("e0", 0.531043, 0.118342),
        ("e1", 0.529791, 0.06579),
        ("e2", 0.50993, 0.066536),
    ]
    assert [row.rating and row.rating.elo for row in rows[:2]] == pytest.approx([33.840567, -90.254381])


def duel(deals: int, chance: random.Random, first: float) -> list[CountedMatch]:
    """Matches of two, of which the first wins that part."""
    wins = [chance.random() < first for _ in range(deals)]
    return [match(deal, deal, (0, 1), (9, 1 if won else 2), (9, 2 if won else 1)) for deal, won in enumerate(wins, 1)]


def test_twelve_wins_of_twelve_have_a_bound_in_score_and_rating_and_no_error_or_width_of_nothing() -> None:
    ann, bob = compute_standings(NAMES, duel(12, random.Random(1), 1.0))
    assert (ann.score, ann.error, bob.score, bob.error) == (1.0, None, 0.0, None)
    assert ann.score_low == pytest.approx(12 / (12 + student_t_quantile(11) ** 2))
    assert ann.score_high == 1.0
    assert bob.score_low == 0.0
    assert bob.score_high == pytest.approx(1 - (ann.score_low or 0))
    for row in (ann, bob):
        assert row.rating is not None
        assert row.rating.low is not None
        assert row.rating.high is not None
        assert row.rating.low + 100 < row.rating.elo < row.rating.high - 100
    assert ann.lead is not None
    assert ann.lead.low is None, "all leads are the same: how they vary is not known"
    assert (ann.rank, bob.rank) == (1, 2)


@pytest.mark.parametrize(("first", "deals"), [(0.5, 20), (0.9, 24), (0.97, 60)])
def test_the_interval_of_a_score_and_of_a_rating_holds_the_truth_in_19_of_20_cups(first: float, deals: int) -> None:
    chance, cups = random.Random(round(first * 100) + deals), 200
    elo = ELO * math.log(first / (1 - first)) / 2
    scores = ratings = 0
    for _ in range(cups):
        (row,) = (one for one in compute_standings(NAMES, duel(deals, chance, first)) if one.entrant == "ann")
        assert row.rating is not None
        assert row.rating.low is not None
        assert row.rating.high is not None
        scores += (row.score_low or 0.0) <= first <= (row.score_high or 0.0)
        ratings += row.rating.low <= elo <= row.rating.high
    assert 0.92 <= scores / cups <= 0.985
    assert 0.92 <= ratings / cups <= 0.985


def together(deals: int, chance: random.Random, weights: tuple[float, ...]) -> list[CountedMatch]:
    """Matches of all entrants at one table; the rest of the order is drawn too."""
    made = []
    for deal in range(1, deals + 1):
        keys = [-math.log(chance.random()) / weight for weight in weights]
        places = [1 + sum(other < key for other in keys) for key in keys]
        made.append(match(deal, deal, tuple(range(len(weights))), *((9, place) for place in places)))
    return made


@pytest.mark.parametrize("rank_by", RANK_BY)
def test_equal_entrants_are_told_apart_in_one_of_twenty_pairs(rank_by: str) -> None:
    chance, cups = random.Random(5), 400
    apart = sum(
        max(row.rank for row in compute_standings(NAMES, together(24, chance, (1.0, 1.0)), rank_by=rank_by)) > 1
        for _ in range(cups)
    )
    assert 0.02 <= apart / cups <= 0.08


def test_the_score_ranks_and_the_deals_that_both_played_tell_apart() -> None:
    """After 48 matches at one table the first has half of all wins, and the others share the rest."""
    names = ("hard", "plain", "easy", "random")
    rows = compute_standings(names, together(48, random.Random(2), (6.0, 2.0, 2.0, 1.5)))
    assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True)
    assert [row.rank for row in rows] == [1, 2, 2, 2]
    assert rows[0].entrant == "hard"


def test_ranked_by_the_rating_the_better_finishing_orders_come_first() -> None:
    ends = ((9, 1), (9, 3)), ((9, 3), (9, 1))
    always_second = [match(deal, deal, (0, 1, 2), *ends[deal % 2], (9, 2)) for deal in range(1, 41)]
    assert [row.entrant for row in compute_standings(NAMES, always_second)][2] == "cyd"
    mostly = [*always_second, *(match(deal, deal, (0, 1, 2), (9, 3), (9, 2), (9, 1)) for deal in range(41, 46))]
    assert [row.entrant for row in compute_standings(NAMES, mostly, rank_by="rating")] == ["cyd", "bob", "ann"]
    assert [row.entrant for row in compute_standings(NAMES, mostly)] == ["bob", "ann", "cyd"]


def test_who_crashed_in_every_match_is_not_above_who_played_and_lost_with_the_same_score() -> None:
    for order in ((0, 1, 2), (2, 1, 0)):
        lost = [
            match(deal, deal, (order[0], 1, order[2]), (0, 2, "crashed"), (9, 1), (0, 2))
            if order[0] == 0
            else match(deal, deal, (2, 1, 0), (0, 2), (9, 1), (0, 3, "crashed"))
            for deal in range(1, 13)
        ]
        assert [row.entrant for row in compute_standings(NAMES, lost)] == ["bob", "cyd", "ann"]
    duels = [
        *(match(deal, deal, (0, 1), (0, 2, "crashed"), (9, 1)) for deal in range(1, 13)),
        *(match(deal, deal, (2, 1), (0, 2), (9, 1)) for deal in range(13, 25)),
    ]
    for rank_by in RANK_BY:
        assert [row.entrant for row in compute_standings(NAMES, duels, rank_by=rank_by)] == ["bob", "cyd", "ann"]
