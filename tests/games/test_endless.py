"""Nobody can drag a match out: however stubborn all seats are, the rules end it, and it has a result."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from games.api import Action, Game, options_from, to_map
from games.chance import Chance
from games.registry import all_games

Habit = Callable[[Sequence[Action]], Action]


def plainest(legal: Sequence[Action]) -> Action:
    """What has the fewest fields: to pass, to let, to end a turn."""
    return min(legal, key=lambda action: (len(to_map(action)), repr(action)))


HABITS: dict[str, Habit] = {"the first": lambda legal: legal[0], "the last": lambda legal: legal[-1], "pass": plainest}


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize("most", [False, True], ids=["few", "many"])
def test_d19_seats_that_always_do_the_same_end_a_match_all_the_same(game: Game, habit: str, most: bool) -> None:
    options, seats = options_from(game, {}), game.max_seats if most else game.min_seats
    state, _told = game.start(seats, options, Chance.of_number(1))
    decisions = 0
    while movers := state.to_move():
        seat = min(movers)
        state.apply(seat, HABITS[habit](state.legal_actions(seat)))
        decisions += 1
        assert decisions <= game.max_game_length(seats, options)
    outcome = state.outcome()
    assert outcome is not None
    assert len(outcome.places) == seats
