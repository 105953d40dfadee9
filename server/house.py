"""What the server needs of house bots. The command line hands it in, so that the server knows no bot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from games.api import Action, Game, Seat, View

Choose: TypeAlias = Callable[[Seat, View, Sequence[Action], int], Action]
"""From a seat, its view, its legal actions and the number of its turns so far to its action. Must not wait. Its chance
is a function of its seed and that number, not of what it was asked before."""


class House(Protocol):
    """The bots that the server itself can seat. They see what a player in that seat would see."""

    def names(self, game: Game) -> Sequence[str]:
        """The bots that play this game."""
        ...

    def make(self, game: Game, seats: int, options: Mapping[str, Any], name: str, seed: int) -> Choose:
        """A bot for one match with these options of its table; the name is one of `names(game)`."""
        ...
