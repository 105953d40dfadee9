"""One decision of a seat, as the player of the seat sees it."""

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
        """Returns `n` random bytes."""
        ...


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision of a seat, with everything that the player needs for it.

    Attributes:
        game: The game, with the cards of this match.
        seat: The seat that decides.
        view: The game's view of this seat.
        legal: The legal actions. The answer is one of them.
        number: The number of this decision of the seat, from 1.
        clock: The seconds left for it; infinite without a clock.
        seats: The number of players.
        options: The options of the table.
        knowledge: Everything that the seat knows, if the bot `wants` it.
    """

    game: Game
    seat: Seat
    view: Any  # an instance of `game.view_type`
    legal: Sequence[Action]  # to be treated as read-only
    number: int = 0  # number of the seat's decisions so far, including this one
    clock: float = float("inf")  # seconds left for the decision
    seats: int = 0  # 0 if the caller made the Turn without this number
    options: Options = NO_OPTIONS  # an instance of `game.options_type`
    knowledge: Knowledge | None = None  # None unless the bot wants it

    def determinize(self, rng: RandomSource) -> State:
        """Returns a random full state that this seat cannot tell apart from the real one, with the probabilities of the
        deal.

        The bot's `wants` must include "knowledge".

        Args:
            rng: The source of random numbers, such as the bot's `rng`.

        Returns:
            A new state, which the bot may change.

        Raises:
            LookupError: The turn has no knowledge, or was made without the number of players.
        """
        if self.knowledge is None:
            raise LookupError('no knowledge came with this turn: the bot needs wants = ("view", "legal", "knowledge")')
        if not self.seats:
            raise LookupError("this turn was made without the table's seats and options: Turn(.., seats=3, options=..)")
        return self.game.determinize(self.knowledge, self.seats, self.options, Chance(rng.randbytes(SEED_BYTES)))
