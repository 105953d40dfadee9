"""A bot: one class, one method. The runner owns connection, clock and reconnection."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import ClassVar, TypeVar, get_args

from games.api import Action, Event, Outcome
from matches.turn import Turn as Turn
from protocol.messages.parts import WANTS, Want, Wants

T = TypeVar("T")


def best_of(choices: Iterable[T], worth: Callable[[T], float], rng: random.Random) -> T:
    """Returns the choice of the highest worth. Among equals the bot's own chance decides, so that no seat or card is
    preferred for its place in a list.

    Args:
        choices: at least one.
        worth: called once for each of them.
        rng: the bot's `rng`; nothing is drawn from it where one choice is the best alone.

    Raises:
        ValueError: there are no choices.
    """
    worths = [(choice, worth(choice)) for choice in choices]
    most = max(value for _, value in worths)
    best = [choice for choice, value in worths if value == most]
    return best[0] if len(best) == 1 else rng.choice(best)


class Bot(ABC):
    """Subclass it and write `choose`. A match is played by one instance; `seed` makes it repeatable."""

    games: ClassVar[tuple[str, ...]] = ()  # the ids it plays; empty = any game
    wants: Wants = WANTS  # what comes with a turn: "view", "legal", "knowledge"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if isinstance(cls.wants, str) or not {*cls.wants} <= {*get_args(Want)}:
            listed = ", ".join(map(repr, get_args(Want)))
            raise TypeError(f"wants is {cls.wants!r}; it is a tuple of some of {listed}")

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)  # the only chance a bot should use

    @abstractmethod
    def choose(self, turn: Turn) -> Action:
        """Returns one of `turn.legal`."""

    def hear(self, event: Event) -> None:  # noqa: B027 (may be left as it is)
        """Something happened at the table; a bot that reads only its turns plays just as well."""

    @classmethod
    def listens(cls) -> bool:
        """Whether it does something with what it hears."""
        return cls.hear is not Bot.hear

    def end(self, outcome: Outcome) -> None:  # noqa: B027
        """The match is over."""
