"""The seats of a match: who plays, since when a player is away, what was illegal, and how much was said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, count
from typing import Generic, TypeVar

from games.api import Action
from matches.fold import SPECTATORS
from matches.house import HouseBot
from matches.language import _
from protocol.errors import Refusal
from protocol.messages import ClockRule

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
    name: str = ""  # "" while it is empty
    nonce: str = ""
    clock: ClockRule | None = None  # its own one

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


S = TypeVar("S", bound=SeatState)


class Seats(Generic[S]):
    """The seats of a match, the first one first, and how much was said from each."""

    def __init__(self, chairs: Iterable[S]) -> None:
        self.chairs = list(chairs)
        self.begin_to_talk()

    def chair(self, seat: int) -> S:
        """The seat with that number."""
        return self.chairs[seat - 1]

    def names(self) -> list[str]:
        """The names of the seats, first seat first; "" for an empty one."""
        return [chair.name for chair in self.chairs]

    def free_chair(self, seat: int) -> S:
        """That seat, or the first empty one for 0. Raises Refusal when it is taken or there is none."""
        if seat > len(self.chairs):
            raise no_such_seat(len(self.chairs))
        if seat:
            if self.chair(seat).name:
                raise Refusal("seat_taken")
            return self.chair(seat)
        for chair in self.chairs:
            if not chair.name:
                return chair
        raise Refusal("table_full")

    def name_for(self, bot: str) -> str:
        """What another house bot of that kind is called here: greedy, greedy-2, ..."""
        taken = set(self.names())
        numbered = (f"{bot}-{number}" for number in count(2))
        return next(name for name in chain((bot,), numbered) if name not in taken)

    def hearer(self, name: str) -> int:
        """The number of the seat of that name; 0 stands for all spectators."""
        return next((chair.number for chair in self.chairs if chair.name == name), SPECTATORS)

    def stalled(self, seconds: float) -> None:
        """Gives that time back to absent players."""
        for chair in self.chairs:
            chair.stalled(seconds)

    def begin_to_talk(self) -> None:
        """From now on everybody may say as much as a match takes."""
        self._said = [0] * (len(self.chairs) + 1)  # by hearer

    def check_may_talk(self, hearer: int, most: int) -> None:
        """Whether that seat, or the spectators, may say something more. Raises `too_much_chat` after so many lines."""
        if self._said[hearer] >= most:
            text = _("You have sent {most} lines, the most that a match takes; `tell` still works.", most=most)
            raise Refusal("too_much_chat", text)

    def talks(self, hearer: int) -> None:
        """A seat, or a spectator, says something."""
        self._said[hearer] += 1


def no_such_seat(seats: int) -> Refusal:
    """Of a table with so many."""
    return Refusal("bad_field", _("This table has seats 1 to {chairs}.", chairs=seats), "$.seat")
