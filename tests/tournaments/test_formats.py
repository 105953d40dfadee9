"""Who plays whom in each format: evenly, from results alone, and the same whichever match ends first."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import combinations

import pytest

from games.chance import Chance
from protocol.messages import SeatResult
from tournaments.formats.api import DEALS, Format
from tournaments.formats.registry import FORMATS, make_format
from tournaments.schedule import Pairing
from tournaments.standings import CountedMatch


def result(pairing: Pairing, strength: tuple[int, ...] = ()) -> CountedMatch:
    """The stronger entrant, by number, comes out before the weaker one; or as the strengths say."""
    scores = [strength[one] if strength else -one for one in pairing.entrants]
    rows = [
        SeatResult(seat, f"e{one}", score, 1 + sum(other > score for other in scores))
        for seat, (one, score) in enumerate(zip(pairing.entrants, scores, strict=True), 1)
    ]
    return CountedMatch(pairing, f"t{pairing.number}", tuple(rows))


def played(made: Format, order: int = 0) -> list[Pairing]:
    """All pairings of the format, played in an order drawn anew each time."""
    chance = Chance.of_number(order)
    results: dict[int, CountedMatch] = {}
    while waiting := [one for one in made.known_pairings(results) if one.number not in results]:
        pairing = chance.choice("next", waiting)
        results[pairing.number] = result(pairing)
    return list(made.known_pairings(results))


CASES = [
    (kind, deals, entrants, seats, rounds)
    for kind, deals, entrants, seats, rounds in (
        ("round_robin", "fresh", 5, 3, 4),
        ("round_robin", "rotated", 4, 4, 3),
        ("round_robin", "rotated", 2, 4, 3),
        ("round_robin", "duplicate", 9, 4, 12),
        ("gauntlet", "fresh", 7, 3, 3),
        ("swiss", "fresh", 11, 3, 6),
        ("swiss", "duplicate", 8, 4, 5),
        ("knockout", "fresh", 13, 4, 3),
        ("knockout", "duplicate", 16, 2, 40),
        ("knockout", "fresh", 7, 3, 1),
    )
]


@pytest.mark.parametrize(("kind", "deals", "entrants", "seats", "rounds"), CASES)
def test_the_order_in_which_matches_end_changes_no_pairing(
    kind: str, deals: str, entrants: int, seats: int, rounds: int
) -> None:
    first = played(make_format(kind, deals, entrants, seats, rounds, 7), 0)
    assert [one.number for one in first] == list(range(1, len(first) + 1))
    for order in (1, 2):
        assert played(make_format(kind, deals, entrants, seats, rounds, 7), order) == first
    assert played(make_format(kind, deals, entrants, seats, rounds, 8), 0) != first


@pytest.mark.parametrize(("kind", "deals", "entrants", "seats", "rounds"), CASES)
def test_a_format_that_begins_anew_with_all_results_pairs_as_before(
    kind: str, deals: str, entrants: int, seats: int, rounds: int
) -> None:
    first = played(make_format(kind, deals, entrants, seats, rounds, 7))
    results = {one.number: result(one) for one in first}
    again = make_format(kind, deals, entrants, seats, rounds, 7)
    assert list(again.known_pairings(results)) == first
    assert again.planned == len(first)
    results.popitem()
    last_is_open = make_format(kind, deals, entrants, seats, rounds, 7)
    assert last_is_open.stages_reached(results) == again.stages_reached(results)


@pytest.mark.parametrize(("kind", "deals", "entrants", "seats", "rounds"), CASES)
def test_nobody_sits_twice_where_there_are_enough_entrants(
    kind: str, deals: str, entrants: int, seats: int, rounds: int
) -> None:
    for pairing in played(make_format(kind, deals, entrants, seats, rounds, 7)):
        assert len(pairing.entrants) == seats or kind == "knockout"
        if entrants >= seats:
            assert len(set(pairing.entrants)) == len(pairing.entrants)


@pytest.mark.parametrize(("kind", "deals", "entrants", "seats", "rounds"), CASES)
def test_with_fresh_deals_none_comes_again_and_with_duplicate_ones_nobody_meets_one_again(
    kind: str, deals: str, entrants: int, seats: int, rounds: int
) -> None:
    pairings = played(make_format(kind, deals, entrants, seats, rounds, 7))
    by_deal: dict[int, list[int]] = {}
    for pairing in pairings:
        by_deal.setdefault(pairing.deal, []).extend(pairing.entrants)
    if deals == "fresh":
        assert len(by_deal) == len(pairings)
    elif deals == "duplicate":
        assert all(len(set(met)) == len(met) for met in by_deal.values())
        assert max(map(len, by_deal.values())) >= 2 * seats
    else:
        assert all(set(Counter(met).values()) == {seats} for met in by_deal.values())


@pytest.mark.parametrize(("kind", "deals", "entrants", "seats", "rounds"), CASES)
def test_matches_and_deals_are_numbered_from_1_on(
    kind: str, deals: str, entrants: int, seats: int, rounds: int
) -> None:
    pairings = played(make_format(kind, deals, entrants, seats, rounds, 7))
    assert [pairing.number for pairing in pairings] == list(range(1, 1 + len(pairings)))
    used = {pairing.deal for pairing in pairings}
    assert used == set(range(1, 1 + len(used)))


PAIRED_BEFORE = (
    ("round_robin", "fresh", 5, 3, 9, "ac4ef8caf1c5"),
    ("round_robin", "fresh", 9, 4, 12, "c1dd8b33e691"),
    ("round_robin", "rotated", 3, 4, 9, "fc7fea659cb2"),
    ("round_robin", "rotated", 2, 5, 9, "98f5d262f1ac"),
    ("round_robin", "duplicate", 10, 4, 12, "9fd5a6afbd64"),
    ("round_robin", "duplicate", 9, 4, 60, "28df11921306"),
    ("round_robin", "duplicate", 130, 4, 6, "414b5158cdba"),
    ("round_robin", "rotated", 4, 4, 6, "f3420d645e7b"),
    ("gauntlet", "fresh", 6, 3, 12, "624950b88868"),
    ("gauntlet", "fresh", 8, 4, 6, "4285c0863a88"),
    ("swiss", "fresh", 11, 3, 9, "69728e065d78"),
    ("swiss", "fresh", 33, 4, 8, "bb2025584e73"),
    ("swiss", "duplicate", 8, 4, 7, "49f8c42fe0af"),
    ("knockout", "fresh", 13, 4, 3, "545581c29151"),
    ("knockout", "duplicate", 16, 2, 4, "26448a01398d"),
    ("knockout", "fresh", 31, 6, 2, "46a5695decdd"),
    ("knockout", "fresh", 11, 4, 1, "b6f959e2c980"),
)


@pytest.mark.parametrize(("kind", "deals", "entrants", "seats", "rounds", "digest"), PAIRED_BEFORE)
def test_a_cup_is_paired_as_before_or_an_audit_would_find_it_false(
    kind: str, deals: str, entrants: int, seats: int, rounds: int, digest: str
) -> None:
    pairings = [
        (pairing.number, pairing.deal, *pairing.entrants)
        for pairing in played(make_format(kind, deals, entrants, seats, rounds, 7))
    ]
    assert hashlib.sha256(repr(pairings).encode()).hexdigest()[:12] == digest


def test_in_duplicate_rounds_all_sit_out_and_have_each_seat_about_as_often() -> None:
    pairings = played(make_format("round_robin", "duplicate", 10, 4, 40, 1))
    plays = Counter(one for pairing in pairings for one in pairing.entrants)
    assert set(plays.values()) == {32}
    seats = Counter((one, seat) for pairing in pairings for seat, one in enumerate(pairing.entrants))
    assert max(seats.values()) - min(seats.values()) <= 4
    met = Counter(pair for pairing in pairings for pair in combinations(sorted(pairing.entrants), 2))
    assert len(met) == 45
    assert max(met.values()) <= 2 * min(met.values())


def test_a_gauntlet_has_its_first_entrant_at_every_table_and_the_others_equally_often() -> None:
    pairings = played(make_format("gauntlet", "fresh", 7, 3, 4, 1))
    assert all(0 in pairing.entrants for pairing in pairings)
    others = Counter(one for pairing in pairings for one in pairing.entrants if one)
    assert set(others.values()) == {4}
    seats = Counter(pairing.entrants.index(0) for pairing in pairings)
    assert max(seats.values()) - min(seats.values()) <= 1


def test_a_gauntlet_s_last_table_is_filled_with_others_who_play_once_more() -> None:
    pairings = played(make_format("gauntlet", "fresh", 6, 3, 4, 1))
    assert len(pairings) == 12
    assert all(len({*pairing.entrants}) == 3 for pairing in pairings)
    rounds = 40
    played_by = Counter(
        one for pairing in played(make_format("gauntlet", "fresh", 6, 3, rounds, 1)) for one in pairing.entrants
    )
    assert all(rounds < played_by[one] < rounds + 16 for one in range(1, 6)), "each fills it now and then"


def test_in_a_swiss_cup_who_wins_meets_who_wins_and_seldom_the_same_again() -> None:
    pairings = played(make_format("swiss", "fresh", 16, 2, 4, 1))
    met = Counter(tuple(sorted(pairing.entrants)) for pairing in pairings)
    assert max(met.values()) == 1
    last = {frozenset(pairing.entrants) for pairing in pairings[-8:]}
    assert frozenset({0, 1}) in {frozenset(one.entrants) for one in pairings}, "the two best meet"
    assert any(0 in table for table in last)


def test_in_a_swiss_cup_everybody_sits_out_once_before_anybody_does_twice() -> None:
    pairings = played(make_format("swiss", "fresh", 7, 3, 7, 1))
    plays = Counter(one for pairing in pairings for one in pairing.entrants)
    assert set(plays.values()) == {6}


def test_the_one_of_an_odd_number_who_sits_out_in_a_swiss_cup_has_the_lowest_score() -> None:
    pairings = played(make_format("swiss", "fresh", 9, 2, 2, 1))
    second = {one for pairing in pairings[4:] for one in pairing.entrants}
    first = {one for pairing in pairings[:4] for one in pairing.entrants}
    (out,) = set(range(9)) - second
    assert out in first
    assert out in {max(pairing.entrants) for pairing in pairings[:4]}, "it lost"


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (5, 2), (16, 2), (3, 3), (7, 3), (13, 4), (32, 4), (7, 6)])
def test_a_knockout_leaves_the_best_in_the_final(entrants: int, seats: int) -> None:
    made = make_format("knockout", "fresh", entrants, seats, 2, 1)
    pairings = played(made)
    results = {one.number: result(one) for one in pairings}
    reached = made.stages_reached(results)
    assert len(pairings) == made.planned
    assert reached[0] == max(reached.values())
    assert 0 in pairings[-1].entrants
    finalists = {one for one, stage in reached.items() if stage == max(reached.values())}
    assert 2 <= len(finalists) <= seats
    assert set(reached) == set(range(entrants))


def test_a_swiss_cup_goes_on_without_those_who_gave_up_and_ends_where_too_few_stay() -> None:
    made = make_format("swiss", "fresh", 8, 2, 6, 1)
    results = {one.number: result(one) for one in made.known_pairings({})}
    second = made.known_pairings(results, {7, 6, 5})[4:]
    assert sorted(one for pairing in second for one in pairing.entrants) != list(range(8))
    assert {one for pairing in second for one in pairing.entrants} < set(range(5))
    assert (len(second), made.planned) == (2, 4 + 2 * 5)
    results |= {one.number: result(one) for one in second}
    assert len(made.known_pairings(results, set(range(1, 8)))) == made.planned == 6
    assert len(made.known_pairings(results, set())) == 6, "it has ended for good"


@pytest.mark.parametrize(("entrants", "seats"), [(5, 2), (33, 2), (9, 4), (33, 4), (11, 4), (31, 6)])
def test_in_a_knockout_nobody_goes_on_twice_running_without_playing(entrants: int, seats: int) -> None:
    made = make_format("knockout", "fresh", entrants, seats, 1, 1)
    results: dict[int, CountedMatch] = {}
    out: set[int] = set()
    while waiting := [one for one in made.known_pairings(results) if one.number not in results]:
        playing = {one for pairing in waiting for one in pairing.entrants}
        assert out <= playing, "who sat out plays now"
        still_in = {
            one
            for one, stage in made.stages_reached(results).items()
            if stage == max(made.stages_reached(results).values())
        }
        out = still_in - playing
        results |= {one.number: result(one) for one in waiting}


@pytest.mark.parametrize(
    ("kind", "deals", "entrants", "seats", "rounds", "says"),
    [
        ("scramble", "fresh", 4, 4, 1, "no format scramble"),
        ("swiss", "marked", 4, 4, 1, "Deals are"),
        ("swiss", "fresh", 3, 4, 1, "fewer entrants"),
        ("round_robin", "duplicate", 7, 4, 1, "two tables of 4"),
        ("round_robin", "fresh", 0, 4, 1, "needs an entrant"),
        ("round_robin", "fresh", 4, 1, 1, "two seats"),
        ("round_robin", "fresh", 4, 4, 0, "a round"),
        ("swiss", "rotated", 8, 4, 1, "round robin"),
        ("gauntlet", "duplicate", 8, 4, 1, "fresh deals"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_sentence(
    kind: str, deals: str, entrants: int, seats: int, rounds: int, says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        make_format(kind, deals, entrants, seats, rounds, 1)


def test_every_format_and_kind_of_deals_is_tried_here() -> None:
    assert {case[0] for case in CASES} == set(FORMATS)
    assert {case[1] for case in CASES} == set(DEALS)
