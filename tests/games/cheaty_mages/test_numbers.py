"""A crowded arena as numbers, field by field; and how many decisions a match can have at most."""

from __future__ import annotations

from typing import Any

import pytest

from games.api import Seat
from games.chance import Chance
from games.cheaty_mages.game import IKASAMAGE
from games.numbers import Numbers
from games.registry import get_game
from tests.games.cheaty_mages.owned import TINY, changed
from tests.games.cheaty_mages.test_boards import CASTING, JUDGED

Fields = dict[str, dict[int, int]]


def fields(said: dict[str, Any], seat: Seat | None) -> Fields:
    """By the name of a field the numbers in it that are not zero, by their place."""
    match = get_game("cheaty-mages").position(said, Chance.of_number(1))
    numbers = Numbers(match.game, match.seats, match.options)
    vector = numbers.vector(match.view(seat))
    parts = {name: vector[at] for name, at in numbers.layout.slices.items()}
    return {name: {at: int(one) for at, one in enumerate(part) if one} for name, part in parts.items() if any(part)}


EVERYBODY: Fields = {  # kinds of spells in the order of the card list; 1 is a hidden spell, 2 the first kind
    "phase": {1: 1},
    "to_move": {0: 1},
    "starter": {0: 1},
    "judge": {7: 1},
    "judges_gone": {1: 1, 5: 1},
    "round": {0: 3},
    "no_judgement": {0: 1},
    "foul_play": {0: 1},
    "spell_pile": {0: 49},
    "fighter_pile": {0: 5},
    "judge_pile": {0: 5},
    "discard": {0: 1, 11: 2},  # Cure, and Might twice
    "player 1 money": {0: 7},
    "player 1 hand_size": {0: 5},
    "player 1 bets": {0: 2},
    "player 2 money": {0: 1},
    "player 2 hand_size": {0: 3},
    "player 2 bets": {0: 1},
    "player 2 unrefusable": {0: 1},
    "player 2 hides_directs": {0: 1},
    "player 3 hand_size": {0: 1},
    "player 3 bets": {0: 1},
    "player 3 passed": {0: 1},
    "fighter 1 name": {0: 1},
    "fighter 1 spells": {0: 36},
    "fighter 1 by": {0: 2},
    "fighter 2 name": {2: 1},
    "fighter 2 spells": {0: 1, 1: 1, 2: 2, 3: 37},
    "fighter 2 by": {0: 1, 1: 2, 2: 3, 3: 1},
    "fighter 2 face_down": {0: 1, 1: 1},
    "fighter 2 marked": {3: 1},
    "fighter 2 doubles": {3: 3},
    "fighter 3 name": {7: 1},
    "fighter 3 spells": {0: 1, 1: 1, 2: 11},
    "fighter 3 by": {0: 1, 1: 2, 2: 1},
    "fighter 3 face_down": {0: 1, 1: 1},
    "fighter 4 name": {4: 1},
    "fighter 5 name": {9: 1},
    "confusion lies": {0: 1},  # before the judge
    "confusion by": {0: 1},
    "confusion marked": {0: 1},
    "invisibility lies": {2: 1},  # before seat 2
    "invisibility by": {1: 1},
    "invisibility marked": {0: 1},
    "prismatic_ray lies": {2: 1},
    "prismatic_ray by": {1: 1},
}
FIRST: Fields = {
    "seat": {0: 1},
    "hand": {0: 2, 14: 1, 24: 1, 32: 1},
    "bet": {1: 1, 4: 1},
    "fighter 2 spells": {0: 13, 1: 1, 2: 2, 3: 37},  # Might, which it laid
    "fighter 3 spells": {0: 24, 1: 23, 2: 11},  # Cause Unpopularity, which it laid, and Mana Seal, which it has seen
}
LAST_BETS: Fields = {
    "judged": {0: 1},
    "winner": {0: 3},
    "bets_shown": {0: 1, 2: 1, 7: 1, 11: 1, 13: 1, 14: 1},  # on 1 and 3; on 3; on 2, 4 and 5
}


def test_every_fact_of_a_view_has_its_place_among_the_numbers() -> None:
    assert fields(CASTING, None) == EVERYBODY
    assert fields(CASTING, 1) == EVERYBODY | FIRST
    judged = fields(JUDGED, 2)
    assert {name: judged[name] for name in LAST_BETS} == LAST_BETS


FIREBALL = '"fireball"\ntitle = "Fireball"\nkind = "direct"\ncount = 1\nmana = 1\npower = -4'


def with_recalls(count: int) -> str:
    """The tiny arena with so many Recalls for its Fireball, and five cards beside them."""
    recalls = f'"recall"\ntitle = "Recall"\nkind = "support"\ntarget = "none"\ncount = {count}'
    return changed(TINY, (FIREBALL, recalls), ("count = 1\nmana", "count = 4\nmana"))


@pytest.mark.parametrize(
    ("text", "most"),
    [
        # Bet, pass and done for each of two seats, and twice for each of three cards, in the one round; and once more,
        # since the two cards in hands can void a round of two fighters.
        (TINY, 2 * (3 * 2 + 2 * 3)),
        (changed(TINY, ("rounds = 1", "rounds = 3")), 6 * (3 * 2 + 2 * 3)),
        (changed(TINY, ("limit = { 2 = 1 }", "limit = { 2 = 3 }")), 4 * (3 * 2 + 2 * 3)),
        # A Recall can be cast anew each time that the pile has run out, of which there is one less then.
        (with_recalls(1), 2 * (3 * 2 + 2 * (6 + 1 * 1))),
        (with_recalls(2), 2 * (3 * 2 + 2 * (7 + 2 * 1))),
        (with_recalls(4), 2 * (3 * 2 + 2 * (9 + 4 * 3))),
    ],
)
def test_no_match_has_more_decisions_than_its_cards_allow(text: str, most: int) -> None:
    own = IKASAMAGE.with_cards(text)
    assert own.longest(2, own.options_type()) == most
