"""The clocks of a match. Pure: callers pass the current time, in seconds since the match began.

Each seat has main time for the match and an increment for each decision. A decision has one absolute deadline: the time
when it was requested, plus the increment, plus the remaining main time. Time beyond the increment is taken from the
main time, and an unused increment is lost. Main time is kept in milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protocol.messages import ClockRule, SeatClock


class MatchClocks:
    """The clocks of all seats of a match. Seats are 1..N, each with its own rule."""

    __slots__ = ("_asked", "_increment", "_main", "_stopped", "_whole")

    def __init__(self, rules: Sequence[ClockRule]) -> None:
        self._increment = [0.0, *(rule.increment for rule in rules)]
        self._main = [0.0, *(round(rule.main, 3) for rule in rules)]
        # longest time for a decision, by seat
        self._whole = [0.0, *(round(rule.increment + rule.main, 3) for rule in rules)]
        self._asked: dict[int, float] = {}
        self._stopped: float | None = None  # when the clocks were paused; None while they run

    def start_clock(self, seat: int, now: float) -> None:
        """Starts the clock of a seat that has to decide."""
        self._asked[seat] = now

    def stop_clock(self, seat: int, now: float) -> None:
        """Stops the clock of a seat, for which the player or the server has decided. Time beyond the increment is taken
        from the main time."""
        used = now - self._asked.pop(seat, now)
        over = used - self._increment[seat]
        if over > 0:
            self._main[seat] = main = round(max(0.0, self._main[seat] - over), 3)
            self._whole[seat] = round(self._increment[seat] + main, 3)

    def stop_all(self) -> None:
        """Stops all clocks at the end of the match."""
        self._asked.clear()

    def extend_deadlines(self, seconds: Mapping[int, float]) -> None:
        """Moves the deadlines of running decisions by these seconds, given by seat, during which the server stood
        still."""
        for seat, given in seconds.items():
            if seat in self._asked:
                self._asked[seat] += given

    def pause(self, now: float) -> None:
        """Stops all clocks until `go_on`."""
        self._stopped = now

    def resume(self, now: float) -> float:
        """Restarts the clocks after a pause. Returns the length of the pause in seconds."""
        seconds = now - self._stopped if self._stopped is not None else 0.0
        self._stopped = None
        for seat in self._asked:
            self._asked[seat] += seconds
        return seconds

    def decision_start(self, seat: int, now: float) -> float:
        """Returns the time when the seat's running decision was requested, moved forward by the length of the current
        pause."""
        return self._asked[seat] + (now - self._stopped if self._stopped is not None else 0.0)

    def seconds_left(self, seat: int, now: float) -> float:
        """Returns the seconds left for the running decision, negative if it is late; infinity if none is running."""
        return self.decision_start(seat, now) + self._whole[seat] - now if seat in self._asked else float("inf")

    def main_time_left(self, seat: int) -> float:
        """Returns the seconds of main time that the seat had left after its last decision."""
        return self._main[seat]

    def max_decision_time(self, seat: int) -> float:
        """Returns the longest time for the seat's next decision, in seconds: the increment plus the main time left."""
        return self._whole[seat]

    def deadline(self, seat: int) -> float:
        """Returns the time by which the seat must decide; infinity if it has nothing to decide or the clocks are
        paused."""
        asked = self._asked.get(seat) if self._stopped is None else None
        return float("inf") if asked is None else asked + self._whole[seat]

    def seat_clocks(self, now: float) -> tuple[SeatClock, ...]:
        """Returns the clocks of all seats at the time `now`, seat 1 first."""
        return tuple(self._report(seat, now) for seat in range(1, len(self._main)))

    def _report(self, seat: int, now: float) -> SeatClock:
        if seat not in self._asked:
            return SeatClock(seat, self._main[seat])
        return SeatClock(seat, self._main[seat], running=True, left=round(max(0.0, self.seconds_left(seat, now)), 3))
