"""A game's numbers as numpy arrays, and the Gymnasium spaces that contain them."""

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
    """Checks a render mode.

    Args:
        mode: A render mode, or None.

    Raises:
        ValueError: The mode is unknown.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode is {mode!r}; it is None or one of: {', '.join(RENDER_MODES)}.")


class Arrays(NumericEncoding):
    """The numeric encoding of a game as numpy arrays.

    Args:
        game: The id of a game, or a game.
        seats: The number of players; 0 for the game's smallest number.
        options: Option values by name.

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
        """Returns a new space that contains every vector, with its own random numbers."""
        least, most = self.layout.bounds()
        return Box(np.array(least, np.float32), np.array(most, np.float32), dtype=np.float32)

    def action_space(self) -> Discrete:
        """Returns a new space of all action ids."""
        return Discrete(len(self.actions))

    def observation(self, view: View) -> Vector:
        """Encodes a view.

        Args:
            view: The view.

        Returns:
            A new array of float32, of shape `(layout.size,)`.
        """
        return np.frombuffer(self.floats(view), FLOAT)

    def mask_of(self, legal: Sequence[Action]) -> Mask:
        """Returns a mask of actions.

        Args:
            legal: The actions.

        Returns:
            A new array of int8, of shape `(number of actions,)`, with 1 for each of these actions.
        """
        mask = bytearray(len(self.actions))
        self.mask(legal, mask)
        return np.frombuffer(mask, BYTE)
