"""A table as one person has it before them, and what follows from what they hear or type there. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from bots.sdk.bot import Bot, Turn
from bots.sdk.seat import JoinedTable
from games.api import Line, View
from protocol import messages as m

WARNINGS = (10.0, 30.0, 60.0)  # seconds before a decision is late, the most urgent first
LONG_CLOCK = 3_600.0  # seconds; above that nobody need be told what is left


@dataclass(frozen=True)
class Ask:
    """A request to be sent: the type of message and its fields but the id."""

    kind: type[m.Request]
    fields: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, request: m.Request) -> Ask:
        """The same request."""
        fields = msgspec.structs.asdict(request)
        del fields["id"]
        return cls(type(request), fields)


@dataclass
class Effects:
    """What follows from something heard or typed: lines to show, requests to send."""

    lines: list[Line] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)

    def say(self, text: str, style: str = "") -> None:
        """One more line."""
        self.lines.append([(style, text)])


@dataclass
class Place(JoinedTable):
    """A table where the person sits or watches, as they have it before them."""

    people: list[str]
    state: str = "open"
    turn: Turn | None = None  # the decision in hand
    fresh: bool = False  # nobody was asked for it yet
    sent: Turn | None = None  # the decision that was sent and not yet accepted
    deadline: float = 0.0
    warned: float = 0.0  # at how many seconds before it the person was warned
    view: View | None = None  # the last one seen
    stand_in: Bot | None = None  # plays on where nobody types any more
    starting: bool = False  # the start was asked for

    def names(self) -> list[str]:
        """The names of the seats, first seat first."""
        return self.people

    def seconds_left(self, now: float) -> float | None:
        """For the decision in hand; None if there is none, or no hurry."""
        turn = self.turn  # the terminal's thread asks, too: what it reads is taken once
        if turn is None or turn.clock >= LONG_CLOCK:
            return None
        return max(0.0, self.deadline - now)

    def warning(self, now: float) -> float | None:
        """One of WARNINGS when so few seconds are left and this was not said yet."""
        left = self.seconds_left(now)
        for seconds in WARNINGS:
            if left is not None and left <= seconds < self.warned:
                self.warned = seconds
                return seconds
        return None


def clock_text(clock: m.SeatClock) -> str:
    """A seat's clock for people."""
    if clock.main >= LONG_CLOCK:
        return "as much time as they like" + ", deciding" * clock.running
    return f"{minutes(clock.main)} of main time" + f", deciding, {minutes(clock.left)} left" * clock.running


def minutes(seconds: float) -> str:
    """Seconds as a clock shows them: 5:25."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
