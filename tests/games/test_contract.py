"""What the contract of games gives to all of them: plain maps, copies and pickles."""

from __future__ import annotations

import pickle
from copy import copy, deepcopy
from typing import TypeVar

import pytest

from games.api import CardsRefused, Game, IllegalAction, Outcome, PositionRefused, options_from, to_map
from games.chance import Chance
from games.cheaty_mages.game import CHEATY_MAGES, IKASAMAGE
from games.magecraft.game import Magecraft
from games.mages_110m.game import Mages110m
from games.registry import all_games
from games.testing.exam import random_match
from tests.bots.coin import COIN
from tests.games.cheaty_mages.owned import FEW, TINY
from tests.games.magecraft.given import CARDS
from tests.games.mages_110m.given import DECK
from tests.helpers.toy import TOY, ToyView

GAMES = [
    *all_games().values(),
    Magecraft(CARDS),
    Mages110m().with_cards(DECK),
    IKASAMAGE.with_cards(TINY),
    CHEATY_MAGES.with_cards(FEW),
]


T = TypeVar("T")


def pickled(value: T) -> T:
    """Through another process, as it were."""
    again: T = pickle.loads(pickle.dumps(value))  # noqa: S301 (our own bytes)
    return again


def test_plain_maps_hold_lists_as_the_wire_does() -> None:
    assert to_map(ToyView(1, (2, 3), ())) == {"seat": 1, "points": [2, 3], "chosen": [], "hand": []}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.id}{game.cards_digest[:4]}")
def test_pickled_and_copied_matches_go_on_as_the_first_would(game: Game) -> None:
    for number, moment in enumerate(random_match(game, game.max_seats, options_from(game, {}), 3)):
        if number % 7 == 0:
            state = moment.state
            for other in (pickled(state), deepcopy(state), copy(state)):
                assert other == state
                assert other.game.id == game.id
                assert other.game.cards_digest == game.cards_digest
                for seat in sorted(state.to_move()):
                    action = state.legal_actions(seat)[-1]
                    assert other.apply(seat, action) == state.clone().apply(seat, action)
                    break


@pytest.mark.parametrize(
    ("game", "cards"), [(IKASAMAGE, TINY), (CHEATY_MAGES, FEW), (Magecraft(), CARDS), (Mages110m(), DECK)]
)
def test_a_copy_is_equal_however_many_card_files_were_read_since(game: Game, cards: str) -> None:
    mine = game.with_cards(cards)
    state, _told = mine.start(2, options_from(mine, {}), Chance(b"seed"))
    for spaces in range(1, 40):
        game.with_cards(cards + spaces * " ")
    assert pickled(state) == state


def test_a_win_is_shared_by_those_who_tie() -> None:
    assert Outcome((3, 1), (1, 2), "points", "").shares == (1.0, 0.0)
    assert Outcome((3, 1, 3), (1, 3, 1), "points", "").shares == (0.5, 0.0, 0.5)


@pytest.mark.parametrize(
    ("game_id", "options", "count"),
    [
        ("ikasamage", {}, 1_652),
        ("ikasamage", {"foul_play": True, "illegal_plays": "discard"}, 4_101),
        ("cheaty-mages", {}, 4_032),
        ("magecraft", {"boards": "chosen"}, 601),
        ("mages-110m", {}, 154),
    ],
)
def test_all_actions_at_four_seats_are_so_many(game_id: str, options: dict[str, object], count: int) -> None:
    game = all_games()[game_id]
    assert len(game.all_actions(4, options_from(game, options))) == count


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.id}{game.cards_digest[:4]}")
def test_a_pickled_game_is_the_same_game(game: Game) -> None:
    other = pickled(game)
    assert (other.id, other.card_file_text()) == (game.id, game.card_file_text())
    assert [card.title for card in other.cards()] == [card.title for card in game.cards()]


def test_a_refusal_is_copied_with_its_code_and_text() -> None:
    why = IllegalAction("not_now", "You have nothing to choose now.")
    for other in (why, copy(why), pickled(why)):
        assert (other.args, other.code, other.text) == ((why.code, why.text), "not_now", why.text)

    class OfMine(IllegalAction):
        def __init__(self, card: int) -> None:
            super().__init__("no_such_card", f"You hold no {card}.")

    assert OfMine(3).args == ("no_such_card", "You hold no 3.")


def test_an_option_that_a_game_has_not_is_refused_with_those_that_it_has() -> None:
    with pytest.raises(ValueError, match=r"^Toy has no option 'luck'; it has: rounds\.$"):
        options_from(TOY, {"rounds": 2, "luck": 1})
    with pytest.raises(ValueError, match=rf"^Coin has no option '{'x' * 32}'; it has: none\.$"):
        options_from(COIN, {"x" * 40: 1})


def test_a_game_without_them_refuses_positions_and_card_files() -> None:
    with pytest.raises(PositionRefused, match=r"^Toy does not support described positions\.$"):
        TOY.build_position({}, Chance.of_number(1))
    with pytest.raises(CardsRefused, match=r"^Toy does not support other cards\.$"):
        TOY.with_cards("")
