"""A small game for tests of everything but rules: the example game, with a planted fault."""

from __future__ import annotations

from pathlib import Path

from examples.a_game import Chose, Dealt, HighCard, HighCardState, Play, Shown
from examples.a_game import HighCardKnowledge as ToyKnowledge
from examples.a_game import HighCardOptions as ToyOptions
from examples.a_game import HighCardView as ToyView
from examples.a_game import HighCardWords as ToyWords
from games.api import Action, AddressedEvent, Seat

__all__ = [
    "TOY",
    "Chose",
    "Dealt",
    "Play",
    "Shown",
    "ToyGame",
    "ToyKnowledge",
    "ToyOptions",
    "ToyState",
    "ToyView",
    "ToyWords",
    "toy_of",
]


class ToyState(HighCardState):
    """A match whose rules fail at one action that is never legal."""

    @property
    def game(self) -> ToyGame:  # type: ignore[override]
        """A toy of this kind of state."""
        return toy_of(type(self))

    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        if isinstance(action, Play) and action.card == 13 and self.refusal_reason(seat, action) is None:
            raise RuntimeError("the planted fault of the toy game")
        return super().apply(seat, action)


class ToyGame(HighCard):
    id = "toy"
    title = "Toy"
    description = "A small game for tests."
    rules = Path(__file__)
    house_bot = "first"
    reasons = {"points": "somebody had the most points"}
    state_type: type[HighCardState] = ToyState


TOY = ToyGame()


def toy_of(kind: type[ToyState]) -> ToyGame:
    """The same game with states of that kind."""
    game = ToyGame()
    game.state_type = kind
    return game
