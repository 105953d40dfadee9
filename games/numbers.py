"""Views and actions as numbers, for programs that learn: a vector for each view, and an id for each action."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import index
from typing import Any, SupportsIndex

from games.api import Action, Game, Options, View


class Numbers:
    """The numbers of a game with so many seats and these options: worked out once, and used for each decision.

    Raises ValueError for a number of seats that the game does not take.
    """

    def __init__(self, game: Game, seats: int, options: Options) -> None:
        game.check_seats(seats)
        self.layout = game.layout(seats, options)
        self.actions: Sequence[Action] = game.actions(seats, options)
        self.ids = {action: number for number, action in enumerate(self.actions)}
        self.encode = game.encode
        self.floats = game.encoder(seats, options)  # of a view, as the bytes of a new vector
        self.longest = game.longest(seats, options)

    def vector(self, view: View) -> array[float]:
        """A view as a new vector."""
        return array("f", self.floats(view))

    def action(self, number: SupportsIndex) -> Action:
        """The action of that id. Raises ValueError where there is none, TypeError for what is no whole number."""
        at = index(number)
        if not 0 <= at < len(self.actions):  # Python would count a negative one from the end
            raise ValueError(f"There is no action {at}; the ids are 0 to {len(self.actions) - 1}.")
        return self.actions[at]

    def legal(self, actions: Sequence[Action]) -> list[int]:
        """The ids of these actions, in their order."""
        ids = self.ids
        return [ids[action] for action in actions]

    def mask(self, actions: Sequence[Action], out: Any) -> None:
        """Writes 1 at the id of each of these actions into what takes item assignment; the rest has to be 0."""
        for number in map(self.ids.__getitem__, actions):
            out[number] = 1
