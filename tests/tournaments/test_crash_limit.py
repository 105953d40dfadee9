"""An entrant whose process keeps dying is out after the same matches, however many are played at once."""

from __future__ import annotations

import random

import pytest

from protocol.messages import ClockRule, SeatResult
from tournaments.crash_limit import DEATHS_IN_A_ROW, CrashLimit
from tournaments.cup import (
    RUNNING,
    Cup,
    CupSettings,
    CupStateChanged,
    EntrantDropped,
    EntrantEntered,
    MatchEnded,
    MatchPaired,
)
from tournaments.schedule import Pairing

ENTRANTS = 5


def opened() -> Cup:
    told = CupSettings("friday", "", "toy", 3, ClockRule(), "round_robin", "fresh", 8, 1, bytes(32))
    cup = Cup(told)
    for number in range(ENTRANTS):
        cup.apply(EntrantEntered(0.0, f"e{number}", (f"e{number}",)))
    cup.apply(CupStateChanged(0.0, RUNNING))
    return cup


def dies(match: int, number: int) -> bool:
    """Entrant 0 always; entrant 1 mostly; entrant 2 now and then; the others never."""
    chance = random.Random(f"{match} {number}").random()
    return chance < {0: 1.0, 1: 0.8, 2: 0.3}.get(number, 0.0)


def end(cup: Cup, limit: CrashLimit, pairing: Pairing) -> None:
    seats = list(enumerate(pairing.entrants, 1))
    died = tuple(seat for seat, number in seats if not cup.entrants[number].dropped and dies(pairing.number, number))
    results = tuple(SeatResult(seat, f"e{number}", 0, seat) for seat, number in seats)
    cup.apply(MatchEnded(0.0, pairing.number, cup.tables[pairing.number], results, died))
    for number in dict.fromkeys(pairing.entrants):
        if limit.disqualifying_matches(number):
            cup.apply(EntrantDropped(0.0, f"e{number}", "it keeps dying"))


def played(at_once: int, seed: int) -> dict[int, tuple[tuple[int, ...], tuple[str, ...]]]:
    """By match: whose processes died in it, and who was out when it began. Matches end in any order."""
    rng, cup = random.Random(seed), opened()
    limit = CrashLimit(cup)
    out: dict[int, tuple[str, ...]] = {}
    going_on: list[Pairing] = []
    while True:
        may_begin = [pairing for pairing in cup.waiting_pairings() if not limit.entrants_to_wait_for(pairing)]
        if may_begin and len(going_on) < at_once and rng.random() < 0.7:
            pairing = rng.choice(may_begin[:4])
            cup.apply(MatchPaired(0.0, pairing.number, f"t{pairing.number}"))
            out[pairing.number] = tuple(name for name in cup.drop_reasons if int(name[1:]) in pairing.entrants)
            going_on.append(pairing)
        elif going_on:
            end(cup, limit, going_on.pop(rng.randrange(len(going_on))))
        elif not may_begin:
            break
    assert len(cup.results) == cup.planned_match_count
    return {match: (cup.died.get(match, ()), out[match]) for match in sorted(out)}


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("at_once", [2, 4, 30])
def test_d23_the_same_matches_put_an_entrant_out_however_many_are_played_at_once(at_once: int, seed: int) -> None:
    assert played(at_once, seed) == played(1, 0)


def test_d23_after_so_many_deaths_in_a_row_an_entrant_is_out_and_the_matches_are_named() -> None:
    cup = opened()
    limit = CrashLimit(cup)
    mine = [pairing for pairing in cup.waiting_pairings() if 0 in pairing.entrants][: DEATHS_IN_A_ROW + 1]
    for pairing in mine[:DEATHS_IN_A_ROW]:
        assert 0 not in limit.entrants_to_wait_for(pairing)
        cup.apply(MatchPaired(0.0, pairing.number, f"t{pairing.number}"))
    assert 0 in limit.entrants_to_wait_for(mine[-1]), "if it dies in all that go on it does not play in this one"
    for pairing in reversed(mine[:DEATHS_IN_A_ROW]):
        assert limit.disqualifying_matches(0) == []
        results = tuple(SeatResult(seat, "", 0, 1) for seat in (1, 2, 3))
        cup.apply(MatchEnded(0.0, pairing.number, f"t{pairing.number}", results, (pairing.entrants.index(0) + 1,)))
    assert limit.disqualifying_matches(0) == [pairing.number for pairing in mine[:DEATHS_IN_A_ROW]]
    cup.apply(EntrantDropped(0.0, "e0", "why"))
    assert 0 not in limit.entrants_to_wait_for(mine[-1])
    assert cup.drop_reasons == {"e0": "why"}


def out_after(deaths: str) -> int:
    """Returns the number of matches after which entrant 0 is out, 0 if it is not. `deaths` has a letter for each of its
    matches: x where its process dies."""
    cup = opened()
    limit = CrashLimit(cup)
    for count, died in enumerate(deaths, 1):
        pairing = next(one for one in cup.waiting_pairings() if 0 in one.entrants)
        assert 0 not in limit.entrants_to_wait_for(pairing)
        cup.apply(MatchPaired(0.0, pairing.number, f"t{pairing.number}"))
        results = tuple(SeatResult(seat, "", 0, 1) for seat in (1, 2, 3))
        seats = (pairing.entrants.index(0) + 1,) if died == "x" else ()
        cup.apply(MatchEnded(0.0, pairing.number, f"t{pairing.number}", results, seats))
        if limit.disqualifying_matches(0):
            return count
    return 0


@pytest.mark.parametrize(
    ("deaths", "out"),
    [
        ("xxxxx", 5),
        ("xxxx.xxxx.xxxxx", 15),  # a match that it survives begins a new row
        ("......xxxxxx", 12),  # six survived: six deaths
        (".......xxxxxx.", 0),
    ],
)
def test_d23_the_deaths_that_put_out_grow_with_the_matches_survived(deaths: str, out: int) -> None:
    assert out_after(deaths) == out
