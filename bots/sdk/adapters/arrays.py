"""A game's numbers as numpy arrays, and the spaces that they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from games.api import Action, Game, View, options_from
from games.numbers import Numbers
from games.registry import get_game

Vector: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.int8]

FLOAT, BYTE = np.dtype(np.float32), np.dtype(np.int8)
RENDER_MODES = ["ansi"]


def check_render_mode(mode: str | None) -> None:
    """Raises ValueError for one that there is not."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode is {mode!r}; it is None or one of: {', '.join(RENDER_MODES)}.")


class Arrays(Numbers):
    """Of a game with so many seats, the fewest for 0, and these options.

    Raises KeyError for a game that is not there, ValueError for seats and options that it does not take.
    """

    def __init__(self, game: str | Game, seats: int, options: Mapping[str, Any] | None) -> None:
        self.game = get_game(game) if isinstance(game, str) else game
        self.seats = seats or self.game.min_seats
        self.options = options_from(self.game, options or {})
        super().__init__(self.game, self.seats, self.options)

    def observation_space(self) -> Box[Any]:
        """Where every vector lies: a new space, with a sampler of its own."""
        least, most = self.layout.bounds()
        return Box(np.array(least, np.float32), np.array(most, np.float32), dtype=np.float32)

    def action_space(self) -> Discrete:
        """The ids of all actions."""
        return Discrete(len(self.actions))

    def observation(self, view: View) -> Vector:
        """A view as a new array."""
        return np.frombuffer(self.floats(view), FLOAT)

    def mask_of(self, legal: Sequence[Action]) -> Mask:
        """A new array with a 1 for each of these actions."""
        mask = bytearray(len(self.actions))
        self.mask(legal, mask)
        return np.frombuffer(mask, BYTE)
