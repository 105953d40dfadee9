"""One decision of a seat, as a player who makes it sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from games.api import Action, Game, Knowledge, Options, Seat, State
from games.chance import SEED_BYTES, Chance

NO_OPTIONS = Options()


class RandomSource(Protocol):
    """A source of random bytes, such as `random.Random`."""

    def randbytes(self, n: int, /) -> bytes:
        """So many random bytes."""
        ...


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

    def imagine(self, rng: RandomSource) -> State:
        """A whole truth that this seat cannot tell from the real one, each as likely as the deal makes it; for a bot
        whose `wants` has "knowledge". The state is the bot's own, to play on in. Raises LookupError without it."""
        if self.knowledge is None:
            raise LookupError('no knowledge came with this turn: the bot needs wants = ("view", "legal", "knowledge")')
        if not self.seats:
            raise LookupError("this turn was made without the table's seats and options: Turn(.., seats=3, options=..)")
        return self.game.imagine(self.knowledge, self.seats, self.options, Chance(rng.randbytes(SEED_BYTES)))
