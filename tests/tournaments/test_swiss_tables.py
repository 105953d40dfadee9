"""Tables of a Swiss: as few meet again as can be, and equal scores sit together; compared with all tables there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import pytest

from games.chance import Chance
from protocol.messages import SeatResult
from tournaments.formats.swiss import Swiss
from tournaments.standings import CountedMatch
from tournaments.swiss_tables import SwissField

Tables = Sequence[Sequence[int]]


def all_tables(entrants: Sequence[int], seats: int) -> Iterator[Tables]:
    """Every way to seat all of these."""
    if not entrants:
        yield []
        return
    first, *others = entrants
    for more in combinations(others, seats - 1):
        rest = [one for one in others if one not in more]
        for tables in all_tables(rest, seats):
            yield [(first, *more), *tables]


def can_be_apart(entrants: Sequence[int], seats: int, met: set[frozenset[int]]) -> bool:
    """Whether there are tables of all of these where no two have met."""
    if not entrants:
        return True
    first, *others = entrants
    free = [one for one in others if frozenset((first, one)) not in met]
    return any(
        not any(frozenset(pair) in met for pair in combinations(more, 2))
        and can_be_apart([one for one in others if one not in more], seats, met)
        for more in combinations(free, seats - 1)
    )


def rounds(swiss: Swiss, seats: int, seed: int) -> Iterator[tuple[Tables, set[frozenset[int]]]]:
    """The rounds of a tournament where the winner of a table is drawn, each with the pairs who had met before."""
    chance = Chance.of_number(seed)
    results: dict[int, CountedMatch] = {}
    met: set[frozenset[int]] = set()
    while new := [one for one in swiss.known_pairings(results) if one.number not in results]:
        tables = [one.entrants for one in new]
        yield tables, set(met)
        met |= {frozenset(pair) for table in tables for pair in combinations(table, 2)}
        for pairing in new:
            won = chance.below("winner", seats)
            told = tuple(SeatResult(seat + 1, "", 0, 1 if seat == won else 2) for seat in range(seats))
            results[pairing.number] = CountedMatch(pairing, "", told)


def who_may_sit(byes: Sequence[int], seats: int) -> Iterator[list[int]]:
    """Everybody without those who sit out: whoever has done so least often."""
    out = len(byes) % seats
    most = sorted(byes)[out - 1] if out else -1
    sure = [one for one, count in enumerate(byes) if count < most]
    rest = [one for one, count in enumerate(byes) if count == most]
    for more in combinations(rest, out - len(sure)):
        yield [one for one in range(len(byes)) if one not in (*sure, *more)]


def avoidable(entrants: int, seats: int, length: int, seed: int) -> bool:
    """Whether two met again in some round who could have been kept apart, by other tables or other byes."""
    byes = [0] * entrants
    for tables, met in rounds(Swiss("fresh", entrants, seats, length, seed), seats, seed):
        again = any(frozenset(pair) in met for table in tables for pair in combinations(table, 2))
        if again and any(can_be_apart(sitting, seats, met) for sitting in who_may_sit(byes, seats)):
            return True
        sat = {one for table in tables for one in table}
        byes = [count + (one not in sat) for one, count in enumerate(byes)]
    return False


@pytest.mark.parametrize(
    ("entrants", "seats", "length", "tournaments"), [(8, 2, 5, 20), (16, 4, 4, 6), (15, 4, 5, 3), (11, 3, 5, 3)]
)
def test_no_two_meet_again_who_could_be_kept_apart(entrants: int, seats: int, length: int, tournaments: int) -> None:
    for seed in range(tournaments):
        assert not avoidable(entrants, seats, length, seed)


@pytest.mark.parametrize(
    ("entrants", "seats", "length"),
    [(8, 2, 5), (16, 4, 4), (6, 2, 5), (5, 2, 5), (12, 3, 4), (9, 3, 4), (8, 2, 7), (16, 4, 5), (17, 4, 4)],
)
def test_a_swiss_leaves_later_rounds_without_rematches(entrants: int, seats: int, length: int) -> None:
    for seed in range(2):
        swiss = Swiss("fresh", entrants, seats, length, seed)
        for tables, met in rounds(swiss, seats, seed):
            assert not any(frozenset(pair) in met for table in tables for pair in combinations(table, 2))


def test_a_swiss_with_more_rounds_than_partners_is_paired_all_the_same() -> None:
    assert sum(1 for _ in rounds(Swiss("fresh", 6, 2, 9, 1), 2, 1)) == 9
    assert sum(1 for _ in rounds(Swiss("fresh", 13, 4, 4, 1), 4, 1)) == 4


@pytest.mark.parametrize(("entrants", "seats"), [(8, 2), (9, 2), (6, 3), (9, 3), (10, 3), (8, 4), (10, 5), (12, 6)])
def test_tables_of_a_small_field_are_the_best_of_all(entrants: int, seats: int) -> None:
    chance = Chance.of_number(entrants)
    for number in range(3):
        met = [[0] * entrants for _ in range(entrants)]
        for one, other in combinations(range(entrants), 2):
            met[one][other] = met[other][one] = max(0, chance.below("met", 5) - 2 + number % 2)
        scores = [Fraction(chance.below("score", 7), seats) for _ in range(entrants)]
        order = sorted(range(entrants), key=lambda one: -scores[one])
        field = SwissField(met, scores, [0] * entrants, lambda bound: chance.below("ties", bound))

        def cost(tables: Tables) -> tuple[int, int, Fraction]:
            pairs = [pair for table in tables for pair in combinations(table, 2)]
            return (
                sum(met[one][other] > 0 for one, other in pairs),  # noqa: B023
                sum(met[one][other] for one, other in pairs),  # noqa: B023
                sum((abs(scores[one] - scores[other]) for one, other in pairs), Fraction(0)),  # noqa: B023
            )

        tables = field.pair_round(order, seats)
        seated = sorted(one for table in tables for one in table)
        assert len(set(seated)) == len(seated) == entrants - entrants % seats
        assert cost(tables) == min(map(cost, all_tables(seated, seats)))


def test_who_sits_out_is_chosen_so_that_no_two_meet_again() -> None:
    met = [[0] * 5 for _ in range(5)]
    for one, other in ((0, 1), (0, 2), (0, 3), (1, 2)):
        met[one][other] = met[other][one] = 1
    field = SwissField(met, [Fraction(5 - one) for one in range(5)], [0, 0, 1, 0, 0], lambda _bound: 0)
    assert sorted(map(sorted, field.pair_round(range(5), 2))) == [[0, 4], [2, 3]]
    byes = SwissField(met, [Fraction(5 - one) for one in range(5)], [1, 1, 1, 1, 0], lambda _bound: 0)
    assert {one for table in byes.pair_round(range(5), 2) for one in table} == {0, 1, 2, 3}, (
        "who never sat out does now"
    )


@pytest.mark.parametrize(("entrants", "seats"), [(101, 2), (100, 4), (127, 5)])
def test_a_large_field_is_paired_without_rematches_too(entrants: int, seats: int) -> None:
    swiss = Swiss("fresh", entrants, seats, 4, 1)
    for tables, met in rounds(swiss, seats, 1):
        assert not any(frozenset(pair) in met for table in tables for pair in combinations(table, 2))
