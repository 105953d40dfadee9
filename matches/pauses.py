"""The pauses of a match: all its people agree to one, and any of them ends it. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from protocol.entries import PauseWanted

MOST = 20  # times that a seat may ask for a pause in a match


class Pauses:
    """Who of the people with a seat wants a pause. Programs and house bots are not asked."""

    def __init__(self, people: Iterable[int]) -> None:
        self.people = set(people)  # the seats that still play
        self.wanting: set[int] = set()
        self.is_on = False
        self.ended: list[tuple[float, float]] = []  # the pauses that have ended: when, and their seconds
        self.began = 0.0  # when the pause began that is on
        self._asked: dict[int, int] = {}  # how often, by seat

    def take(self, entry: PauseWanted) -> None:
        """A seat wants a pause or no more; the pause begins with the last who wants it and ends with the first who
        does not."""
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
    def rested(self) -> float:
        """Seconds of all pauses that have ended."""
        return sum(seconds for _at, seconds in self.ended)

    def leave(self, seat: int) -> None:
        """A house bot plays that seat from now on: it is asked no more."""
        self.people.discard(seat)
        self.wanting.discard(seat)

    def may_ask(self, seat: int) -> bool:
        """Whether that seat may ask for one more pause."""
        return seat in self.people and self._asked.get(seat, 0) < MOST
