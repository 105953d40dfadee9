"""Encodes views and legal actions of a game as numpy arrays, and describes the arrays by Gymnasium spaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from games.api import Action, Game, View, options_from
from games.encoding import NumericEncoding
from games.registry import get_game

Vector: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.int8]

FLOAT, BYTE = np.dtype(np.float32), np.dtype(np.int8)
RENDER_MODES = ["ansi"]


def check_render_mode(mode: str | None) -> None:
    """Raises an error if a render mode is unknown.

    Args:
        mode: A render mode, or None.

    Raises:
        ValueError: The mode is unknown.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode is {mode!r}; it is None or one of: {', '.join(RENDER_MODES)}.")


class ArrayEncoding(NumericEncoding):
    """The numeric encoding of one game's views and actions as numpy arrays.

    Args:
        game: The game, or its id.
        seats: The number of players; 0 for the game's smallest number.
        options: The values of the game's options, by name.

    Raises:
        KeyError: The game does not exist.
        ValueError: The game does not take the number of players or an option.
    """

    def __init__(self, game: str | Game, seats: int, options: Mapping[str, Any] | None) -> None:
        self.game = get_game(game) if isinstance(game, str) else game
        self.seats = seats or self.game.min_seats
        self.options = options_from(self.game, options or {})
        super().__init__(self.game, self.seats, self.options)

    def observation_space(self) -> Box[Any]:
        """Returns a new Gymnasium space that contains the vectors of all views. Each space has random numbers of its
        own."""
        least, most = self.layout.bounds()
        return Box(np.array(least, np.float32), np.array(most, np.float32), dtype=np.float32)

    def action_space(self) -> Discrete:
        """Returns a new Gymnasium space that contains the ids of all actions."""
        return Discrete(len(self.actions))

    def observation(self, view: View) -> Vector:
        """Encodes a view as a vector.

        Args:
            view: The view of a seat.

        Returns:
            A new array of float32, of shape `(layout.size,)`.
        """
        return np.frombuffer(self.floats(view), FLOAT)

    def action_mask(self, legal: Sequence[Action]) -> Mask:
        """Encodes legal actions as a mask.

        Args:
            legal: The legal actions.

        Returns:
            A new array of int8, of shape `(number of actions,)`, with 1 for each of these actions.
        """
        mask = bytearray(len(self.actions))
        self.mask(legal, mask)
        return np.frombuffer(mask, BYTE)
