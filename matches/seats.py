"""The state of a match's seats for the referee: the house bot that plays, the player's absence, and counts of illegal
actions and chat lines."""

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

LEAST_ABSENCE = 0.1  # least seconds of grace that each absence uses up, which limits the number of absences


@dataclass(slots=True)
class PlannedAction:
    """The action that a house bot chooses for a turn, and the time when the referee performs it."""

    turn: int
    at: float  # time when the referee performs the action
    late: float  # time from which the bot counts as late, if it has not chosen an action
    action: Action | None = None  # None until the bot has chosen an action
    is_awaited: bool = False  # true once `ask` has returned; an answer after that must wake the referee


@dataclass(slots=True)
class SeatState:
    """One seat of a match. If `house` is set, it plays the seat. Times are in seconds since the match began."""

    number: int
    grace: float  # seconds that the player may still be away
    house: HouseBot | None = None
    house_name: str = ""
    thought: PlannedAction | None = None
    away: float | None = None  # when the player's absence began; None: present
    illegal_now: int = 0  # illegal actions in the current decision
    illegal_all: int = 0  # illegal actions in the match
    name: str = ""  # "" while the seat is empty
    nonce: str = ""
    clock: ClockRule | None = None  # the seat's own clock; None: the table's clock

    @property
    def is_program(self) -> bool:
        """Whether a program plays the seat. Programs are allowed fewer illegal actions than people."""
        return True

    def record_presence(self, now: float, how: str) -> None:
        """Records that the player is away, left, or is back. The time of the absence is taken from the seat's grace."""
        if how in ("away", "left"):
            self.away = now
        elif self.away is not None:
            self.grace -= max(LEAST_ABSENCE, now - self.away)
            self.away = None

    def count_illegal_action(self) -> None:
        """Counts an illegal action."""
        self.illegal_now += 1
        self.illegal_all += 1

    def add_grace(self, seconds: float) -> None:
        """Gives an absent player this many seconds of grace back, during which the server stood still."""
        if self.away is not None:
            self.away += seconds


S = TypeVar("S", bound=SeatState)


class SeatStates(Generic[S]):
    """The seats of a match, seat 1 first, and the number of chat lines from each."""

    def __init__(self, seat_states: Iterable[S]) -> None:
        self.seat_states = list(seat_states)
        self.reset_chat_counts()

    def seat_state(self, seat: int) -> S:
        """Returns the seat with that number."""
        return self.seat_states[seat - 1]

    def names(self) -> list[str]:
        """Returns the names of the seats, seat 1 first; "" for an empty one."""
        return [seat_state.name for seat_state in self.seat_states]

    def free_seat_state(self, seat: int) -> S:
        """Returns that seat, or for 0 the first empty one. Raises Refusal if it is taken or does not exist."""
        if seat > len(self.seat_states):
            raise no_such_seat_refusal(len(self.seat_states))
        if seat:
            if self.seat_state(seat).name:
                raise Refusal("seat_taken")
            return self.seat_state(seat)
        for seat_state in self.seat_states:
            if not seat_state.name:
                return seat_state
        raise Refusal("table_full")

    def new_house_bot_name(self, bot: str) -> str:
        """Returns an unused name for another house bot of that kind: greedy, greedy-2, ..."""
        taken = set(self.names())
        numbered = (f"{bot}-{number}" for number in count(2))
        return next(name for name in chain((bot,), numbered) if name not in taken)

    def receiver_number(self, name: str) -> int:
        """Returns the number of the seat of the player with that name. Returns 0, the number of the spectators, if
        there is none."""
        return next((seat_state.number for seat_state in self.seat_states if seat_state.name == name), SPECTATORS)

    def add_grace(self, seconds: float) -> None:
        """Gives all absent players this many seconds of grace back, during which the server stood still."""
        for seat_state in self.seat_states:
            seat_state.add_grace(seconds)

    def reset_chat_counts(self) -> None:
        """Sets the numbers of chat lines to 0, because a match begins."""
        self._said = [0] * (len(self.seat_states) + 1)  # chat lines by seat; index 0 is for the spectators

    def check_chat_limit(self, hearer: int, most: int) -> None:
        """Raises `too_much_chat` if the receiver (a seat, or 0 for all spectators) has sent `most` chat lines."""
        if self._said[hearer] >= most:
            text = _("You have sent {most} lines, the most that a match takes; `tell` still works.", most=most)
            raise Refusal("too_much_chat", text)

    def count_chat_line(self, hearer: int) -> None:
        """Counts a chat line of a seat, or 0 for a spectator."""
        self._said[hearer] += 1


def no_such_seat_refusal(seats: int) -> Refusal:
    """Returns the error for a seat that a table of that many seats does not have."""
    return Refusal("bad_field", _("This table has seats 1 to {count}.", count=seats), "$.seat")
