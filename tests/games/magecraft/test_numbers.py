"""What the numbers of a view say, beside what the exam demands of every game's."""

from __future__ import annotations

from array import array
from typing import Any

from games.api import options_from
from games.chance import Chance
from games.registry import get_game

GAME = get_game("magecraft")


def test_they_say_who_began_and_whose_turn_it_is() -> None:
    options = options_from(GAME, {})
    layout = GAME.layout(3, options)
    for number in range(6):
        view: Any = GAME.start(3, options, Chance.of_number(number))[0].view(None)
        numbers = array("f", bytes(4 * layout.size))
        GAME.encode(view, numbers)
        for field, seat in (("first", view.progress.first), ("active", view.progress.active)):
            assert list(numbers[layout.slices[field]]) == [float(one == seat) for one in (1, 2, 3)]
