"""Limits the rate of log lines, for each cause separately."""

from __future__ import annotations

from collections.abc import Hashable

MOST = 1_000  # most causes that are distinguished at a time; all others count as one cause


class LogThrottle:
    """Allows one log line per cause in each interval of `seconds`, and counts the occurrences without a line."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        # by cause: the time of its last line, and the number of occurrences since
        self._last: dict[Hashable, tuple[float, int]] = {}

    def count_if_due(self, cause: Hashable, now: float) -> int:
        """Counts an occurrence. Returns the number since the cause's last log line, including this one, if a line is
        due now; otherwise 0."""
        if cause not in self._last and len(self._last) >= MOST:
            self._last = {one: kept for one, kept in self._last.items() if kept[0] + self._seconds > now}
            cause = cause if len(self._last) < MOST else None
        when, count = self._last.get(cause, (float("-inf"), 0))
        if now < when + self._seconds:
            self._last[cause] = when, count + 1
            return 0
        self._last[cause] = now, 0
        return count + 1
