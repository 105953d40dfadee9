"""What is done for a seat whose time is up: by lot wherever it would tell others what is hidden, or could be foreseen.

Others hear at once who is late. Where they cannot see what was chosen they must not know it all the same; and where
they see it, that it was the first of what could be chosen would tell them what is not in hand.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import islice
from typing import Any

import pytest

from games.api import Action, Game, Seat, State
from games.chance import Chance
from games.magecraft.rules import MagecraftState
from games.mages_110m import moves
from games.mages_110m.rules import RaceState
from games.registry import all_games
from games.testing.exam import random_match

TRIES = 100
STEPS = 250


def varies(state: State, seat: Seat) -> bool:
    """Whether chance decides."""
    first = state.default_action(seat, Chance.of_number(0))
    return any(state.default_action(seat, Chance.of_number(number)) != first for number in range(1, TRIES))


def what_is_wrong(game: Game, seats: int, number: int) -> tuple[str, int]:
    """A sentence for the first default that tells too much, "" for none; and how many were worth a look."""
    chance, looked = Chance.of_number(number).fork("defaults"), 0
    for moment in islice(random_match(game, seats, game.options_type(), number), STEPS):
        state = moment.state
        for seat in sorted(state.to_move()):
            observer = chance.choice("observer", [None, *(other for other in range(1, seats + 1) if other != seat)])

            def looks(action: Action, state: State = state, seat: Seat = seat, by: Any = observer) -> Hashable:
                return state.observed_action(seat, action, by)

            done, legal = state.default_action(seat, Chance.of_number(0)), state.legal_actions(seat)
            if sum(looks(action) == looks(done) for action in legal) > 1:
                looked += 1
                if not varies(state, seat):
                    return f"{done} can be foreseen, and is secret", looked
            other = state.redeal(observer, chance)
            instead = other.default_action(seat, Chance.of_number(0))
            if done != instead and done in other.legal_actions(seat):
                looked += 1
                if not varies(state, seat) and not varies(other, seat):
                    return f"{done}, and with another hand {instead}, where {done} could be done too", looked
    return "", looked


@pytest.mark.parametrize("game_id", sorted(all_games()))
def test_g02_what_is_done_for_a_late_seat_tells_nothing_of_its_hand_and_cannot_be_foreseen(game_id: str) -> None:
    game = all_games()[game_id]
    tables = (game.min_seats, 3, game.max_seats) * 3
    found = [what_is_wrong(game, seats, number) for number, seats in enumerate(tables)]
    assert {wrong for wrong, _ in found} == {""}
    assert sum(looked for _, looked in found) > 5, "else nothing was checked"


def the_first(state: State, seat: Seat, _chance: Chance) -> Action:
    return state.legal_actions(seat)[0]


def let_it_be(state: RaceState, seat: Seat, chance: Chance) -> Action:
    legal = state.legal_actions(seat)
    return moves.LetBe() if moves.LetBe() in legal else chance.choice("late", legal)


@pytest.mark.parametrize(
    ("kind", "game_id", "default", "says"),
    [(MagecraftState, "magecraft", the_first, "with another hand"), (RaceState, "mages-110m", let_it_be, "foreseen")],
)
def test_a_default_that_is_no_lot_is_found(
    kind: type[State], game_id: str, default: Callable[..., Action], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "default_action", default)
    assert any(says in what_is_wrong(all_games()[game_id], 3, number)[0] for number in range(3))
