"""Views and actions as numbers for programs that learn: a vector for each view and an id for each action."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import index
from typing import Any, SupportsIndex

from games.api import Action, Game, Options, View


class NumericEncoding:
    """The numeric encoding of a game for one number of seats and one set of options.

    Creating an encoding takes time, so create it once and use it for all decisions.

    Args:
        game: The game.
        seats: The number of players.
        options: The table's options.

    Raises:
        ValueError: The game does not take that number of players.
    """

    def __init__(self, game: Game, seats: int, options: Options) -> None:
        game.check_seats(seats)
        self.layout = game.layout(seats, options)
        self.actions: Sequence[Action] = game.all_actions(seats, options)
        self.ids = {action: number for number, action in enumerate(self.actions)}
        self.encode = game.encode
        self.floats = game.make_encoder(seats, options)  # a function that encodes a view as the bytes of 32-bit floats
        self.longest = game.max_game_length(seats, options)

    def vector(self, view: View) -> array[float]:
        """Encodes a view.

        Args:
            view: The view.

        Returns:
            A new array of 32-bit floats, of the layout's size.
        """
        return array("f", self.floats(view))

    def action(self, number: SupportsIndex) -> Action:
        """Returns the action with an id.

        Args:
            number: The id, from 0.

        Returns:
            The action.

        Raises:
            ValueError: No action has that id.
            TypeError: The id is not an integer.
        """
        at = index(number)
        if not 0 <= at < len(self.actions):  # Python would count a negative index from the end
            raise ValueError(f"There is no action {at}; the ids are 0 to {len(self.actions) - 1}.")
        return self.actions[at]

    def legal(self, actions: Sequence[Action]) -> list[int]:
        """Returns the ids of actions.

        Args:
            actions: The actions.

        Returns:
            Their ids, in the same order.
        """
        ids = self.ids
        return [ids[action] for action in actions]

    def mask(self, actions: Sequence[Action], out: Any) -> None:
        """Marks actions in a mask.

        Args:
            actions: The actions.
            out: A list or an array of zeros. It gets 1 at the id of each action.
        """
        for number in map(self.ids.__getitem__, actions):
            out[number] = 1
