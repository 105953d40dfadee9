"""110 Metres Mages: what the numbers of a view say, field by field."""

from __future__ import annotations

from array import array

from games.api import options_from
from games.mages_110m.rules import RaceState
from tests.games.mages_110m.given import GAME

KINDS = len(GAME.deck.kinds)


def fields(state: RaceState, seat: int | None) -> dict[str, list[int]]:
    """The numbers of what a seat sees, by field."""
    layout = GAME.layout(state.seats, options_from(GAME, {}))
    numbers = array("f", bytes(4 * layout.size))
    GAME.encode(state.view(seat), numbers)
    return {name: [int(number) for number in numbers[place]] for name, place in layout.slices.items()}


def one_of(place: int, many: int) -> list[int]:
    """A one in that place, counted from 0."""
    return [int(at == place) for at in range(many)]


def cards(**counts: int) -> list[int]:
    """How many of each kind of card."""
    return [counts.get(name, 0) for name in GAME.deck.names]


def test_no_number_can_be_beyond_the_bounds_that_programs_are_told() -> None:
    cards, counts = GAME.deck.max_cards, GAME.deck.mages.counts
    bounds = {
        field.name: (field.least, field.most)
        for field in GAME.layout(2, options_from(GAME, {"late_reserve": 2})).fields
    }
    turns = counts * (cards + 2 * (9 + 3))
    assert GAME.max_game_length(2, options_from(GAME, {})) == turns + counts * cards * 3
    assert bounds["turn"] == (0, turns)
    assert bounds["missing"] == (0, 20 * 9)
    assert (bounds["pile"], bounds["counts"], bounds["king"]) == ((0, cards), (0, counts), (0, 2))
    assert bounds["discard"] == bounds["hand"] == bounds["mage 1 cvs"] == (0, 9)
    assert bounds["mage 1 square"] == (1, 12)
    assert bounds["mage 2 power"] == (0, counts * cards * 12 + 2 * turns)  # the hum brings most: 6 in each of two turns
    assert bounds["mage 2 reserve"] == (0, 2 + counts * cards * (3 + 1) + 2 * turns)
    assert bounds["mage 2 lasting"] == (0, KINDS)
    assert bounds["mage 2 counters"] == (0, 9)
