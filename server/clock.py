"""The clocks of a match, pure: told the time, never asking for it. Seconds on the table's monotonic scale.

Each seat has main time for the match and an increment for each decision. A decision has one absolute deadline: the
moment it was asked, plus the increment, plus the main time that is left. What is used beyond the increment is taken
from the main time; an unused increment is lost.
"""

from __future__ import annotations

from protocol.messages import ClockRule, SeatClock


class Clocks:
    """Mutable. Seats are 1..N."""

    __slots__ = ("_asked", "_main", "_rule")

    def __init__(self, rule: ClockRule, seats: int) -> None:
        self._rule = rule
        self._main = [rule.main] * (seats + 1)
        self._asked: dict[int, float] = {}

    def ask(self, seat: int, now: float) -> float:
        """Starts a decision; returns its deadline."""
        self._asked[seat] = now
        return now + self._rule.increment + self._main[seat]

    def answer(self, seat: int, now: float) -> None:
        """The decision was made, by the seat or for it."""
        used = now - self._asked.pop(seat, now)
        over = used - self._rule.increment
        if over > 0:
            self._main[seat] = max(0.0, self._main[seat] - over)

    def refund(self, seconds: float) -> None:
        """The server stood still that long: running decisions get the time back."""
        for seat in self._asked:
            self._asked[seat] += seconds

    def main(self, seat: int) -> float:
        """Main time left at the last answer."""
        return self._main[seat]

    def deadline(self, seat: int) -> float:
        """When the running decision ends; infinity if none is asked."""
        asked = self._asked.get(seat)
        return float("inf") if asked is None else asked + self._rule.increment + self._main[seat]

    def report(self, now: float) -> tuple[SeatClock, ...]:
        """Every seat's clock at this moment."""
        return tuple(self._report(seat, now) for seat in range(1, len(self._main)))

    def _report(self, seat: int, now: float) -> SeatClock:
        if seat not in self._asked:
            return SeatClock(seat, round(self._main[seat], 3))
        return SeatClock(
            seat, round(self._main[seat], 3), running=True, left=round(max(0.0, self.deadline(seat) - now), 3)
        )
