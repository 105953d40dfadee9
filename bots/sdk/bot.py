"""The base class of bots. A bot only chooses actions; the runner in `runner.py` handles its connection and its
clock."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, TypeVar, get_args

from games.api import Action, Event, Outcome
from matches.turn import Turn as Turn
from protocol.messages.parts import WANTS, Want, Wants

T = TypeVar("T")


def best_of(choices: Iterable[T], worth: Callable[[T], float], rng: random.Random) -> T:
    """Returns the choice of the highest worth. Among choices of equal worth it draws one at random, so that a bot
    prefers no seat or card because of its position in a list.

    Args:
        choices: The choices, at least one.
        worth: A function that is called once for each choice.
        rng: The bot's `rng`. It is used only if several choices have the highest worth.

    Returns:
        The choice.

    Raises:
        ValueError: There are no choices.
    """
    worths = [(choice, worth(choice)) for choice in choices]
    most = max(value for _, value in worths)
    best = [choice for choice, value in worths if value == most]
    return best[0] if len(best) == 1 else rng.choice(best)


class Bot(ABC):
    """The base class of bots. A subclass implements `choose`.

    Each match has its own instance. With the same seed and the same turns, an instance should choose the same actions.

    Args:
        seed: The seed of `self.rng`.
    """

    games: ClassVar[tuple[str, ...]] = ()  # the ids of the games that the bot plays; empty: any game
    wants: Wants = WANTS  # which parts of each turn the server sends: some of "view", "legal", "knowledge"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if isinstance(cls.wants, str) or not {*cls.wants} <= {*get_args(Want)}:
            listed = ", ".join(map(repr, get_args(Want)))
            raise TypeError(f"wants is {cls.wants!r}; it is a tuple of some of {listed}")

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)  # the only source of randomness that a bot should use

    @abstractmethod
    def choose(self, turn: Turn) -> Action:
        """Chooses the bot's action for a decision.

        Args:
            turn: The decision to make: the seat's view, the legal actions and the time left.

        Returns:
            One of `turn.legal`.
        """

    def hear(self, event: Event) -> None:  # noqa: B027 (subclasses may leave it empty)
        """Receives an event of the match that the bot's seat may know. Most bots need only their turns, and do not
        override this method.

        Args:
            event: The event. Events arrive in order, those before a decision before its call of `choose`.
        """

    def undone(self, events: Sequence[Event]) -> None:  # noqa: B027 (subclasses may leave it empty)
        """Receives the events of a decision that a person took back, so that they did not happen. Only a bot that
        overrides `hear`, and remembers events, needs to override this method.

        Args:
            events: The last events that `hear` received, in the same order.
        """

    @classmethod
    def listens(cls) -> bool:
        """Returns whether the class overrides `hear`, so that the runner must deliver events to it."""
        return cls.hear is not Bot.hear

    def end(self, outcome: Outcome) -> None:  # noqa: B027
        """Called at the end of the match.

        Args:
            outcome: The scores and places of all seats.
        """
