"""A bot: one class, one method. The runner owns connection, clock and reconnection."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from games.api import Action, Event, Game, Outcome, Seat


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision: all that is needed to make it."""

    game: Game
    seat: Seat
    view: Any  # the game's view of this seat
    legal: Sequence[Action]  # what may be done; the answer is one of them
    number: int = 0  # this seat's turns so far, this one included
    clock: float = float("inf")  # seconds left for it


class Bot(ABC):
    """Subclass it and write `choose`. A match is played by one instance; `seed` makes it repeatable."""

    games: ClassVar[tuple[str, ...]] = ()  # the ids it plays; empty = any game

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)  # the only chance a bot should use

    @abstractmethod
    def choose(self, turn: Turn) -> Action:
        """Returns one of `turn.legal`."""

    def hear(self, event: Event) -> None:  # noqa: B027 (may be left as it is)
        """Something happened at the table; a bot that reads only its turns plays just as well."""

    def end(self, outcome: Outcome) -> None:  # noqa: B027
        """The match is over."""
