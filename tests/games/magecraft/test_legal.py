"""What is listed as legal and what is refused, held against each other."""

from typing import get_args

import pytest

from games.api import Action
from games.chance import Chance
from games.magecraft import GAMES, legal, revision, rules
from games.magecraft import moves as do
from games.magecraft.options import MagecraftOptions
from games.testing.exam import random_match

GAME = GAMES[0]


def everything() -> list[Action]:
    """All actions that could be typed at a table of up to four, and some that cannot be right."""
    books = range(5)
    places = [(book, place) for book in books for place in range(40)]
    found: list[Action] = [do.INNATE, do.DRAW, do.REVISE, do.DONE, do.END]
    found += [*do.DISCARDS, *do.UNSHIELDS, *do.PAYS, *do.HEALS, *do.ACADEMY_SHIELDS, *do.DISCARD_SHIELDS]
    found += [*do.HAND_VANISHES, *do.LIFE_VANISHES, *do.DARKENS, do.Darken(7), do.Darken(-1)]
    found += [attack for attacks in do.ATTACKS for attack in attacks] + [do.Attack(99, "fire"), do.Attack(-2, "fire")]
    found += [do.Cast(book) for book in books]
    found += [kind(book, place) for kind in (do.Lift, do.Put, do.Master) for book, place in places]
    found += [do.Learn(spell.name, book) for spell in GAME.card_set.spells for book in books]
    return found


def test_every_kind_of_action_has_its_refusal_and_its_deed() -> None:
    kinds = set(get_args(do.MagecraftAction))
    assert set(legal._WHY_NOT) == kinds
    assert set(rules._DOING) == kinds


def test_moves_are_found_by_their_seat_and_their_place() -> None:
    """Rules 1.1 and 5.4: four mages at most, and places up to 200."""
    assert [move.seat for move in do.DARKENS] == [0, 1, 2, 3, 4]
    assert [[(move.seat, move.gem) for move in moves] for moves in do.ATTACKS] == [
        [(seat, gem) for gem in do.GEMS] for seat in range(5)
    ]
    for moves in (revision.LIFTS, revision.PUTS, revision.MASTERS):
        assert [[(move.book, move.place) for move in book] for book in moves] == [
            [(book, place) for place in range(1, 201)] for book in (1, 2, 3)
        ]


def test_an_action_of_another_game_is_none_of_magecraft() -> None:
    class Bet(Action, frozen=True, tag="bet"):
        """No mage bets."""

    state = GAME.start(2, MagecraftOptions(), Chance.of_number(1))[0]
    (seat,) = state.to_move()
    why = state.refusal_reason(seat, Bet())
    assert why is not None
    assert (why.code, why.text) == ("unknown", "That is not an action of Magecraft.")


@pytest.mark.parametrize("seats", [2, 4])
def test_an_action_is_legal_exactly_when_it_is_not_refused(seats: int) -> None:
    universe = everything()
    chance = Chance.of_number(seats)
    looked = 0
    for moment in random_match(GAME, seats, MagecraftOptions(), seats):
        if chance.below("position", 24):
            continue
        for seat in range(1, seats + 1):
            legal = set(moment.state.legal_actions(seat))
            allowed = {action for action in universe if moment.state.refusal_reason(seat, action) is None}
            assert allowed == legal
            looked += 1
    assert looked > 40
