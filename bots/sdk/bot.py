"""A bot: one class, one method. The runner owns connection, clock and reconnection."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

from games.api import Action, Event, Game, Knowledge, Options, Outcome, Seat, State
from games.chance import SEED_BYTES, Chance
from protocol.messages.parts import WANTS, Want, Wants

NO_OPTIONS = Options()


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision: all that is needed to make it."""

    game: Game
    seat: Seat
    view: Any  # the game's view of this seat
    legal: Sequence[Action]  # what may be done; the answer is one of them
    number: int = 0  # this seat's turns so far, this one included
    clock: float = float("inf")  # seconds left for it
    seats: int = 0  # at the table
    options: Options = NO_OPTIONS  # of the table
    knowledge: Knowledge | None = None  # all that the seat knows, for a bot that wants it

    def imagine(self, rng: random.Random) -> State:
        """A whole truth that this seat cannot tell from the real one, each as likely as the deal makes it; for a bot
        whose `wants` has "knowledge". The state is the bot's own, to play on in. Raises LookupError without it."""
        if self.knowledge is None:
            raise LookupError('no knowledge came with this turn: the bot needs wants = ("view", "legal", "knowledge")')
        if not self.seats:
            raise LookupError("this turn was made without the table's seats and options: Turn(.., seats=3, options=..)")
        return self.game.imagine(self.knowledge, self.seats, self.options, Chance(rng.randbytes(SEED_BYTES)))


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
