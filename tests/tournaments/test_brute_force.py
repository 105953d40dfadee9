"""The cheat that reads everybody's hand: from the own cards, and all that is public, tries every deal it could be."""

from __future__ import annotations

from collections.abc import Iterator

from games.api import Game, State, options_from
from games.chance import Chance, deal_key, numbered_seed
from games.registry import get_game
from tournaments.schedule import commitment_to, deal_seed, match_seed_word

SEEDS, DEALS, SEATS = range(1, 12), range(1, 8), 3
SECRET = bytes(range(32))
NONCES = ("x7", "", "y1")
PUBLIC = (commitment_to(SECRET), *(match_seed_word(SECRET, match) for match in DEALS), *NONCES, "")
"""What every entrant is told before the cup is over."""


def dealt(game: Game, seed: bytes, nonces: tuple[str, ...]) -> State:
    return game.start(SEATS, options_from(game, {}), Chance(deal_key(seed, nonces)))[0]


def guesses() -> Iterator[bytes]:
    """Seeds that follow from small numbers and from what is public."""
    for deal in DEALS:
        for number in SEEDS:
            yield numbered_seed(number, "deal", deal)
            yield numbered_seed(number, f"deal-{deal}")
        for told in PUBLIC:
            yield deal_seed(told.encode(), deal)
            yield deal_seed(told.encode(), deal, NONCES)
            yield deal_seed(bytes(32), deal, (told,))


def found_out(game: Game, truth: State) -> list[State]:
    """Deals that could be the one of which seat 1 holds its cards."""
    mine = truth.view(1)
    there = (dealt(game, seed, nonces) for seed in guesses() for nonces in (("",) * SEATS, ("deal-1",) * SEATS))
    return [state for state in there if state.view(1) == mine]


def test_from_the_own_hand_and_all_that_is_public_nobody_finds_the_deal() -> None:
    game = get_game("magecraft")
    for nonces in ((), NONCES):
        assert found_out(game, dealt(game, deal_seed(SECRET, 1, nonces), ("",) * SEATS)) == []


def test_the_cheat_finds_a_deal_that_follows_from_a_small_number() -> None:
    game = get_game("magecraft")
    truth = dealt(game, numbered_seed(5, "deal-2"), ("",) * SEATS)
    (found,) = found_out(game, truth)
    assert [found.view(seat) for seat in (2, 3)] == [truth.view(seat) for seat in (2, 3)]
