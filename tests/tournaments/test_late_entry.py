"""Entrants who come after the start of a cup: which rounds they play, and what their coming changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from protocol import limits
from protocol.messages import SeatResult
from tests.tournaments.cups_played import settings
from tournaments.bundle import log_length, log_lines, parse_cup_log
from tournaments.cup import (
    RUNNING,
    Cup,
    CupStateChanged,
    CupStateError,
    EntrantEntered,
    MatchEnded,
    MatchPaired,
    RoundDrawn,
    fold_entries,
)
from tournaments.schedule import Pairing


def begun(kind: str, deals: str, entrants: int, seats: int, rounds: int) -> Cup:
    """A cup that has started and takes late entrants."""
    cup = Cup(settings(format=kind, deals=deals, seats=seats, rounds=rounds, late_entry=True))
    for number in range(entrants):
        enter(cup, f"e{number}")
    cup.apply(CupStateChanged(1.0, RUNNING))
    return cup


def enter(cup: Cup, name: str, nonce: str = "") -> None:
    cup.apply(EntrantEntered(0.0, name, (name,), nonce=nonce))


def begin(cup: Cup, matches: int) -> list[Pairing]:
    """Begins that many matches more; a round of a Swiss is drawn when it is due."""
    if cup.awaits_draw:
        cup.apply(RoundDrawn(2.0))
    found = []
    for pairing, _ in zip(cup.waiting_pairings(), range(matches), strict=False):
        found.append(pairing)
    for pairing in found:
        cup.apply(MatchPaired(2.0, pairing.number, f"t{pairing.number}"))
    return found


def play(cup: Cup, matches: int) -> Iterator[Pairing]:
    """Plays that many matches more, where the entrant with the lower number wins."""
    for _ in range(matches):
        for pairing in begin(cup, 1):
            rows = tuple(
                SeatResult(seat, cup.entrant_names[one], -one, 1 + sum(other < one for other in pairing.entrants))
                for seat, one in enumerate(pairing.entrants, 1)
            )
            cup.apply(MatchEnded(3.0, pairing.number, f"t{pairing.number}", rows))
            yield pairing


def test_a_late_entrant_of_a_round_robin_plays_every_round_that_has_not_begun() -> None:
    cup = begun("round_robin", "fresh", 4, 3, 6)
    before = list(play(cup, 5))  # the second round has begun
    enter(cup, "late")
    assert cup.planned_match_count == 2 * 4 + 4 * 5
    after = list(play(cup, 100))
    assert len(before) + len(after) == cup.planned_match_count
    sat = Counter(one for pairing in after for one in pairing.entrants)
    assert sat[4] == 4 * 3, "a seat of each kind in each round, as everybody"
    assert not any(4 in pairing.entrants for pairing in after[:3]), "the round that had begun is played as it was drawn"
    assert [pairing.number for pairing in (*before, *after)] == list(range(1, 29))
    assert [pairing.deal for pairing in (*before, *after)] == list(range(1, 29))


def test_a_late_entrant_of_duplicate_deals_meets_no_deal_twice() -> None:
    cup = begun("round_robin", "duplicate", 8, 4, 9)
    list(play(cup, 3))
    for name in ("late", "later"):
        enter(cup, name)
    after = list(play(cup, 100))
    for deal in {pairing.deal for pairing in after}:
        own = [one for pairing in after if pairing.deal == deal for one in pairing.entrants]
        assert len(own) == len(set(own))
    assert {pairing.deal for pairing in after} == set(range(2, 10))
    assert {8, 9} < {one for pairing in after for one in pairing.entrants}
    assert all(cup.deals.matches_with_deal(pairing.deal, cup.pairings()) for pairing in after)


def test_a_late_entrant_of_a_swiss_is_paired_from_the_next_round_on() -> None:
    cup = begun("swiss", "fresh", 6, 2, 4)
    list(play(cup, 1))
    enter(cup, "late")
    first = list(play(cup, 2))
    second = list(play(cup, 3))
    assert not any(6 in pairing.entrants for pairing in first)
    assert any(6 in pairing.entrants for pairing in second), "with a bye behind it, it sits out for no one"
    rest = list(play(cup, 100))
    assert (cup.planned_match_count, len(cup.results)) == (12, 12)
    assert len(rest) == 6


def test_the_log_alone_tells_which_rounds_a_late_entrant_plays() -> None:
    for kind, seats in (("round_robin", 3), ("swiss", 2)):
        cup = begun(kind, "fresh", 5, seats, 5)
        list(play(cup, 2))
        begin(cup, 1)
        enter(cup, "late")
        list(play(cup, 9))
        enter(cup, "later")
        list(play(cup, 6))
        again = fold_entries(cup.settings, cup.entries)
        assert list(again.pairings()) == list(cup.pairings()), kind
        assert (again.planned_match_count, again.entrant_names) == (cup.planned_match_count, cup.entrant_names)
        told, _about = parse_cup_log(list(log_lines(cup, "1", 0, log_length(cup))))
        assert list(told.pairings()) == list(cup.pairings())


def test_the_nonce_of_a_late_entrant_changes_no_deal() -> None:
    cup = Cup(settings(format="swiss", deals="fresh", seats=2, rounds=4, late_entry=True))
    for name in ("a", "b"):
        enter(cup, name, f"nonce-{name}")
    cup.apply(CupStateChanged(1.0, RUNNING))
    before = [cup.deal_seed(deal) for deal in range(1, 5)]
    enter(cup, "late", "chosen-to-fit")
    assert [cup.deal_seed(deal) for deal in range(1, 5)] == before


@pytest.mark.parametrize("kind", ["round_robin", "swiss"])
def test_no_entrant_comes_once_the_last_round_has_begun(kind: str) -> None:
    cup = begun(kind, "fresh", 4, 2, 2)
    rounds = 4 if kind == "round_robin" else 2
    list(play(cup, rounds))
    begin(cup, 1)
    with pytest.raises(CupStateError, match="The last round"):
        enter(cup, "late")
    assert cup.entrant_names == ["e0", "e1", "e2", "e3"]
    list(play(cup, 100))
    assert len(cup.results) == 2 * rounds - 1, "one goes on; nothing else changed"


def test_a_cup_that_takes_no_late_entrants_and_other_formats_say_so() -> None:
    cup = Cup(settings(deals="fresh"))
    for number in range(3):
        enter(cup, f"e{number}")
    cup.apply(CupStateChanged(1.0, RUNNING))
    with pytest.raises(CupStateError, match="friday takes no more entrants"):
        enter(cup, "late")
    for kind in ("gauntlet", "knockout"):
        with pytest.raises(CupStateError, match="This format takes no late entrants"):
            enter(begun(kind, "fresh", 4, 2, 2), "late")


def test_late_entrants_cannot_make_a_cup_larger_than_a_cup_may_be() -> None:
    cup = begun("round_robin", "fresh", 20, 2, limits.MATCHES_A_CUP // 20)
    with pytest.raises(CupStateError, match="a cup has at most"):
        enter(cup, "late")
    assert (len(cup.entrant_names), cup.planned_match_count) == (20, limits.MATCHES_A_CUP)


def test_nonces_are_not_told_in_the_log_before_the_start() -> None:
    cup = Cup(settings(deals="fresh"))
    for number in range(3):
        enter(cup, f"e{number}", f"secret-{number}")
    assert "secret-" not in "".join(log_lines(cup, "1", 0, 99))
    cup.apply(CupStateChanged(1.0, RUNNING))
    assert "secret-2" in "".join(log_lines(cup, "1", 0, 99))
