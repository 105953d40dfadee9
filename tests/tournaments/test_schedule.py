"""Seats and meetings come out even, whatever the numbers."""

from collections import Counter
from itertools import combinations, islice

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.schedule import (
    Pairing,
    commitment_to,
    deal_seed,
    iter_rotation_rounds,
    match_seed_word,
    max_seats_per_entrant,
)


def schedule(entrants: int, seats: int, rounds: int, seed: int) -> list[Pairing]:
    """That many rounds, each of one deal."""
    drawn = enumerate(islice(iter_rotation_rounds(entrants, seats, seed), rounds), 1)
    tables = [(deal, sitting) for deal, tables in drawn for sitting in tables]
    return [Pairing(number, deal, sitting) for number, (deal, sitting) in enumerate(tables, 1)]


NUMBERS = st.tuples(st.integers(1, 12), st.integers(2, 6), st.integers(1, 5), st.integers(0, 2**32))


@settings(max_examples=40, deadline=None)
@given(NUMBERS)
def test_every_entrant_sits_in_every_seat_once_with_every_deal(numbers: tuple[int, int, int, int]) -> None:
    entrants, seats, rounds, seed = numbers
    pairings = schedule(entrants, seats, rounds, seed)
    assert [pairing.number for pairing in pairings] == list(range(1, entrants * rounds + 1))
    sat = Counter(
        (pairing.deal, entrant, seat) for pairing in pairings for seat, entrant in enumerate(pairing.entrants)
    )
    assert set(sat.values()) == {1}
    assert len(sat) == rounds * entrants * seats


@settings(max_examples=40, deadline=None)
@given(NUMBERS)
def test_at_a_table_all_have_as_many_seats_or_one_more(numbers: tuple[int, int, int, int]) -> None:
    entrants, seats, rounds, seed = numbers
    for pairing in schedule(entrants, seats, rounds, seed):
        held = Counter(pairing.entrants)
        assert max(held.values()) == max_seats_per_entrant(entrants, seats)
        assert len(held) == min(entrants, seats)
        assert max(held.values()) - min(held.values()) <= 1


def test_the_same_seed_gives_the_same_schedule_and_another_seed_another() -> None:
    assert schedule(7, 4, 3, 11) == schedule(7, 4, 3, 11)
    assert schedule(7, 4, 3, 11) != schedule(7, 4, 3, 12)


def test_thirty_entrants_meet_each_other_about_equally_often() -> None:
    met = Counter(frozenset(pair) for pairing in schedule(30, 4, 29, 1) for pair in combinations(pairing.entrants, 2))
    assert len(met) == 30 * 29 // 2
    assert sum(met.values()) == 30 * 29 * 6
    assert max(met.values()) <= 1.5 * 12
    assert min(met.values()) >= 12 / 1.5


def test_four_entrants_at_four_seats_follow_each_other_equally_often() -> None:
    follows = Counter(
        (pairing.entrants[seat - 1], pairing.entrants[seat]) for pairing in schedule(4, 4, 12, 3) for seat in range(4)
    )
    assert len(follows) == 12
    assert max(follows.values()) - min(follows.values()) <= 4


def test_deals_and_words_follow_from_the_secret_alone_and_say_nothing_of_each_other() -> None:
    secrets = [bytes((number,)) * 32 for number in range(3)]
    assert len({deal_seed(secret, deal) for secret in secrets for deal in range(3)}) == 9
    assert len({match_seed_word(secret, match) for secret in secrets for match in range(3)}) == 9
    # echo -n "match 1" | openssl dgst -sha256 -mac HMAC -macopt hexkey:0101..., the first 16 digits
    assert match_seed_word(secrets[1], 1) == "914d50713bbe7a5b"
    # echo -n "deal 1" | openssl dgst -sha256 -mac HMAC -macopt hexkey:0101..., and sha256sum of the same 32 bytes
    assert deal_seed(secrets[1], 1).hex() == "fd5427a26f4ce0cf8cd54d93accfb641067e157ef4e5186e0fb74ab39ac87d6b"
    # printf 'deal 1\n\nx7' | openssl dgst, as above
    assert (
        deal_seed(secrets[1], 1, ("", "x7")).hex() == "09597a639d8a3a1617527aa02587a1da8834fbc5f506bbeff4f8c526414dd7fe"
    )
    assert deal_seed(secrets[1], 1, ("", "")) == deal_seed(secrets[1], 1)
    assert commitment_to(secrets[1]) == "72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793"
