"""What is said once in a while, however often there is cause to say it."""

from __future__ import annotations

from collections.abc import Hashable

MOST = 1_000  # causes that are told apart; beyond them all others count as one


class Rarely:
    """Lets each cause through once in so many seconds, and counts the times between."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last: dict[Hashable, tuple[float, int]] = {}  # when it was let through, and how often it was not since

    def times(self, cause: Hashable, now: float) -> int:
        """How often there was cause since the last time, this time included; 0 where nothing is to be said now."""
        if cause not in self._last and len(self._last) >= MOST:
            self._last = {one: kept for one, kept in self._last.items() if kept[0] + self._seconds > now}
            cause = cause if len(self._last) < MOST else None
        when, count = self._last.get(cause, (float("-inf"), 0))
        if now < when + self._seconds:
            self._last[cause] = when, count + 1
            return 0
        self._last[cause] = now, 0
        return count + 1
