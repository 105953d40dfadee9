"""What a spell or an icon says that costs its own mage the last life (rule 4.1)."""

from __future__ import annotations

import pytest

from games.magecraft import moves
from games.magecraft.rules import MagecraftState
from tests.games.magecraft.given import GAME, book, gems, position

OUT = "That would take your last life, and you would be out."
NAMES = ["Ann", "Bob"]


def fading(hand: str, life: str, score: str = "") -> MagecraftState:
    """Book 1 is a spell that costs light and vanishes a gem."""
    state = position(2, hand=hand)
    mage = state.mages[0]
    mage.life, mage.score = gems(life), gems(score)
    book(mage, state, 1, "fade")
    mage.invalidate_views()
    return state


def said(state: MagecraftState, action: moves.Cast | moves.Vanish) -> str:
    return GAME.words.preview_action(state.view(1), action, NAMES)


@pytest.mark.parametrize(
    ("hand", "life", "score", "is_fatal"),
    [
        ("L", "E", "", True),
        ("L", "EE", "", False),  # another life is left
        ("LF", "E", "", False),  # a gem of the hand can vanish
        ("L", "E", "FFFFFFFFFFFFFFFFFFF", False),  # it wins
    ],
)
def test_a_spell_whose_icon_has_no_other_use_is_fatal(hand: str, life: str, score: str, *, is_fatal: bool) -> None:
    state = fading(hand, life, score)
    assert (OUT in said(state, moves.Cast(1))) == is_fatal
    assert (GAME.words.danger_warning(state.view(1), moves.Cast(1)) == OUT) == is_fatal
    if is_fatal:
        state.apply(1, moves.Cast(1))
        assert not state.mages[0].alive


def test_vanishing_the_last_life_says_so() -> None:
    state = fading("LF", "E")
    state.apply(1, moves.Cast(1))
    assert OUT in said(state, moves.Vanish("earth", "life"))
    assert OUT not in said(state, moves.Vanish("fire", "hand"))
