"""One word takes all options as in the rulebook, and other options beside it hold."""

from __future__ import annotations

from typing import Any

import pytest

from games.api import changed_options, options_from, to_map
from games.chance import Chance
from games.mages_110m.options import RaceOptions
from games.registry import get_game

PRINTED: dict[str, dict[str, Any]] = {
    "ikasamage": {"illegal_plays": "discard", "foul_play": False},
    "cheaty-mages": {"illegal_plays": "discard", "foul_play": "one"},
    "magecraft": {"boards": "chosen", "first_fall": False, "hands": "printed", "darkness": False, "mastery": True},
    "mages-110m": {"surge": "stays", "late_reserve": 0},
}


@pytest.mark.parametrize("name", PRINTED)
def test_printed_takes_every_option_as_the_rulebook_has_it(name: str) -> None:
    game = get_game(name)
    options = to_map(options_from(game, {"printed": True}))
    assert options == {**PRINTED[name], "printed": True}
    assert to_map(options_from(game, options)) == options
    assert to_map(options_from(game, changed_options(game, {"printed": True}))) == options
    assert to_map(options_from(game, {"printed": False})) == to_map(options_from(game, {}))


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("magecraft", {"darkness": True}),
        ("ikasamage", {"illegal_plays": "reject"}),
        ("cheaty-mages", {"foul_play": True}),
        ("mages-110m", {"surge": "spent"}),
    ],
)
def test_an_option_beside_printed_holds_in_what_tables_and_replays_keep(name: str, own: dict[str, Any]) -> None:
    game, given = get_game(name), {"printed": True, **own}
    assert to_map(options_from(game, changed_options(game, given))) == to_map(options_from(game, given))


def test_an_option_that_is_given_beside_printed_holds() -> None:
    assert to_map(options_from(get_game("mages-110m"), {"printed": True, "surge": "spent"}))["surge"] == "spent"
    assert to_map(options_from(get_game("magecraft"), {"printed": True, "darkness": True}))["darkness"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_printed_race_has_seventy_cards_with_nine_cvs_and_the_king(seats: int) -> None:
    game = get_game("mages-110m")
    state, _told = game.start(seats, options_from(game, {"printed": True}), Chance.of_number(1))
    deck = state.race.deck  # type: ignore[attr-defined]
    cards = deck.cards_for(seats, RaceOptions(printed=True))
    assert len(cards) == 70
    assert sum(deck.kinds[card].is_cv for card in cards) == 9
    assert sum(deck.kinds[card].is_king for card in cards) == 1
    held = [card for mage in state.race.mages for card in (*mage.hand, *mage.cvs)]  # type: ignore[attr-defined]
    assert sorted([*held, *state.race.pile]) == sorted(cards)  # type: ignore[attr-defined]
