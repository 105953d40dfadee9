"""How many decisions a match of Cheaty Mages can have at most."""

from __future__ import annotations

import pytest

from games.cheaty_mages.game import IKASAMAGE
from tests.games.cheaty_mages.owned import TINY, changed

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
    assert own.max_game_length(2, own.options_type()) == most
