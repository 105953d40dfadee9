"""Rate limit for log lines, per key."""

from __future__ import annotations

from collections.abc import Hashable

MOST = 1_000  # number of distinct keys; above it all others share one key


class LogThrottle:
    """Allows one line per key in each interval of `seconds`, and counts the suppressed ones."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last: dict[Hashable, tuple[float, int]] = {}  # time of the last line, and lines suppressed since

    def times(self, cause: Hashable, now: float) -> int:
        """Returns the number of occurrences since the last line, including this one; 0 if no line is due now."""
        if cause not in self._last and len(self._last) >= MOST:
            self._last = {one: kept for one, kept in self._last.items() if kept[0] + self._seconds > now}
            cause = cause if len(self._last) < MOST else None
        when, count = self._last.get(cause, (float("-inf"), 0))
        if now < when + self._seconds:
            self._last[cause] = when, count + 1
            return 0
        self._last[cause] = now, 0
        return count + 1
