"""The seats of a match, as far as the referee knows them: who plays, since when a player is away, what was illegal."""

from __future__ import annotations

from dataclasses import dataclass

from games.api import Action
from matches.house import HouseBot

LEAST_ABSENCE = 0.1  # seconds of grace: each absence costs at least this, so that their number is limited


@dataclass(slots=True)
class Thought:
    """What a house bot chooses for a turn, and when it says so."""

    turn: int
    at: float
    late: float  # by then a bot that thinks has to have chosen
    action: Action | None = None  # none yet
    is_awaited: bool = False  # nobody looks for the action until it is told of


@dataclass(slots=True)
class SeatState:
    """One seat of a match. `house` plays it if set. Times are seconds since the match began."""

    number: int
    grace: float  # seconds left for being away
    house: HouseBot | None = None
    house_name: str = ""
    thought: Thought | None = None
    away: float | None = None  # since when
    illegal_now: int = 0
    illegal_all: int = 0

    @property
    def is_program(self) -> bool:
        """Whether a program plays, which is allowed fewer illegal actions than a person."""
        return True

    def went(self, now: float, how: str) -> None:
        """The player is away, left, or is back; the time between is taken from the seat's grace."""
        if how in ("away", "left"):
            self.away = now
        elif self.away is not None:
            self.grace -= max(LEAST_ABSENCE, now - self.away)
            self.away = None

    def erred(self) -> None:
        """Counts an illegal action."""
        self.illegal_now += 1
        self.illegal_all += 1

    def stalled(self, seconds: float) -> None:
        """Gives that time back to an absent player."""
        if self.away is not None:
            self.away += seconds
