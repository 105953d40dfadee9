"""A described position to the last card: piles in the order that is said, chance only where nothing is said."""

from __future__ import annotations

from typing import Any

import pytest

from games.api import PositionRefused
from games.chance import Chance
from games.cheaty_mages.game import IKASAMAGE
from games.cheaty_mages.rules import ArenaState
from games.registry import get_game
from tests.games.cheaty_mages.owned import FEW, changed

FOUL: dict[str, Any] = {"round": 3, "options": {"foul_play": True}}


def position(edition: str = "cheaty-mages", number: int = 1, **said: Any) -> ArenaState:
    match = get_game(edition).build_position(said, Chance.of_number(number))
    assert isinstance(match, ArenaState)
    return match


@pytest.mark.parametrize(
    ("said", "says"),
    [
        (
            {"spells": {1: [{"card": "meteor_strike", "face_down": True}]}},
            "spells.1.1: meteor_strike cannot have been laid face down.",
        ),
        (
            {"judge": "morla", "lasting": [{"card": "confusion", "by": 1, "paid": True}], **FOUL},
            "lasting.1: confusion does not stay in play, so it is not marked as paid for.",
        ),
    ],
)
def test_what_cannot_have_been_is_refused(said: dict[str, Any], says: str) -> None:
    with pytest.raises(PositionRefused) as refused:
        position("ikasamage", **said)
    assert str(refused.value) == says


@pytest.mark.parametrize(
    ("most", "said", "sizes"),
    [(1, [1, 2], "one fighter"), (2, [1, 2, 3], "one or two different fighters")],
)
def test_a_bet_too_large_for_a_file_s_house_is_refused(most: int, said: list[int], sizes: str) -> None:
    own = IKASAMAGE.with_cards(changed(FEW, ("bets = 2", f"bets = {most}")))
    own.build_position({"bets": {1: said[:-1]}}, Chance.of_number(1))
    with pytest.raises(PositionRefused) as refused:
        own.build_position({"bets": {1: said}}, Chance.of_number(1))
    assert str(refused.value) == f"bets.1: a bet is on {sizes} of 1 to 3."
