"""The part of the exam that checks `State.observed_action`: an observer must be able to see every difference that
`observed_action` declares."""

from __future__ import annotations

import msgspec

from games.api import Action, Event, Seat, State, to_map
from games.chance import Chance
from games.testing.failed import require

SOME_TRIED = 4  # `observed_action` is checked at one position in this many


def examine_looks(state: State, observer: Seat | None, chance: Chance, spot: str) -> None:
    """Applies two actions of another seat that have different observed actions, and demands that the observer notices a
    difference.

    Otherwise `observed_action` would separate two actions that look the same, and the exam would never compare them.
    """
    movers = sorted(state.to_move() - {observer or 0})
    if not movers or chance.below("looks", SOME_TRIED):
        return
    seat = chance.choice("looks of", movers)
    one, other = (chance.choice("look", state.legal_actions(seat)) for _ in range(2))
    if state.observed_action(seat, one, observer) != state.observed_action(seat, other, observer):
        same = _seen(state, seat, one, observer) == _seen(state, seat, other, observer)
        require(
            not same,
            f"{spot}: `observed_action` tells {to_map(one)} of seat {seat} from {to_map(other)}, and nothing else does",
        )


def _seen(state: State, seat: Seat, action: Action, observer: Seat | None) -> tuple[list[Event], bytes]:
    then = state.clone()
    heard = [told.event for told in then.apply(seat, action) if told.is_for(observer)]
    return heard, msgspec.json.encode(then.knowledge(observer))
