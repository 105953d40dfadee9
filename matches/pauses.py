"""The pauses of a match: a pause begins when all people at the table want it, and any of them can end it. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from protocol.entries import PauseWanted

MOST = 20  # most requests for a pause that one seat may make in a match


class Pauses:
    """Tracks which seats of people want a pause. Programs and house bots are not asked."""

    def __init__(self, people: Iterable[int]) -> None:
        self.people = set(people)  # the seats of people who still play
        self.wanting: set[int] = set()
        self.is_on = False
        self.ended: list[tuple[float, float]] = []  # end time and length in seconds of each earlier pause
        self.began = 0.0  # when the current pause began, in seconds since the match began
        self._asked: dict[int, int] = {}  # number of requests by seat

    def apply(self, entry: PauseWanted) -> None:
        """Applies a seat's request for a pause or for its end.

        The pause begins when the seats of all people want it, and ends as soon as one of them no longer does.
        """
        if not entry.on and (self.is_on or not entry.seat):
            self.wanting.clear()
            self.is_on = False
        elif entry.on:
            self.wanting.add(entry.seat)
            self._asked[entry.seat] = self._asked.get(entry.seat, 0) + 1
            if self.people <= self.wanting and not self.is_on:
                self.is_on, self.began = True, entry.at
        else:
            self.wanting.discard(entry.seat)

    @property
    def paused_seconds(self) -> float:
        """The total length of all earlier pauses, in seconds."""
        return sum(seconds for _at, seconds in self.ended)

    def paused_seconds_until(self, at: float) -> float:
        """Returns the total length, in seconds, of the pauses before the time `at`, the current one included."""
        spans = [(end - seconds, end) for end, seconds in self.ended]
        spans += [(self.began, at)] if self.is_on else []
        return sum(max(0.0, min(at, end) - began) for began, end in spans)

    def remove_seat(self, seat: int) -> None:
        """Removes a seat from the seats of people, because a house bot plays it from now on."""
        self.people.discard(seat)
        self.wanting.discard(seat)

    def can_request_pause(self, seat: int) -> bool:
        """Returns whether that seat may request another pause."""
        return seat in self.people and self._asked.get(seat, 0) < MOST
