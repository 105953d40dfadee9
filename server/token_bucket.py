"""Token buckets that limit the work of a name or an address. A single request may overdraw its bucket."""

from __future__ import annotations

from collections.abc import Callable, Hashable

ROUNDING = 1e-6  # in requests: a timer may fire slightly early


class TokenBucket:
    """A token bucket. Work is counted in plain requests. Times are seconds on a monotonic clock."""

    __slots__ = ("_filled", "_ledger", "_most", "_promised", "_rate", "left")

    def __init__(self, rate: float, most: float, now: float, ledger: dict[TokenBucket, float] | None = None) -> None:
        """Creates a full bucket.

        Args:
            rate: Tokens added per second.
            most: The capacity.
            now: The time.
            ledger: Collects the charges of several meters.
        """
        self._rate, self._most, self._ledger = rate, most, ledger
        self.left, self._filled = most, now  # negative if overdrawn
        self._promised = now  # the latest time that `turn` gave to a waiter

    def change(self, rate: float, most: float, now: float) -> None:
        """Sets the rate and the capacity."""
        self.wait(now)
        self._rate, self._most, self._promised = rate, most, now
        self.left = min(self.left, most)

    def charge(self, work: float) -> None:
        """Takes tokens for this amount of work. A negative amount returns them."""
        self.left -= work
        if self._ledger is not None:
            self._ledger[self] = self._ledger.get(self, 0.0) + work

    def wait(self, now: float) -> float:
        """Refills the bucket. Returns the seconds until it is no longer overdrawn."""
        self.left = min(self._most, self.left + (now - self._filled) * self._rate)
        self._filled = now
        if self.left > -ROUNDING:
            self.left = max(0.0, self.left)
            return 0.0
        return -self.left / self._rate

    def turn(self, now: float) -> float:
        """Like `wait`, for one of many waiters. Each waiter gets a later time than the one before, by one plain
        request.

        If all of them woke at the same time, all but one would have to wait again.
        """
        wait = self.wait(now)
        if not wait:
            return 0.0
        self._promised = max(self._promised + 1 / self._rate, now + wait)
        return self._promised - now

    def is_full(self, now: float) -> bool:
        """Returns whether the bucket is full, so that it need not be remembered."""
        self.wait(now)
        return self.left >= self._most


class TokenBuckets:
    """One meter per key, remembered while it is not full. `allowance` returns the rate and the capacity for a key."""

    def __init__(self, allowance: Callable[[Hashable], tuple[float, float]]) -> None:
        self._allowance = allowance
        self._known: dict[Hashable, TokenBucket] = {}
        self._look_at = 256  # number of meters at which the full ones are dropped

    def __len__(self) -> int:
        return len(self._known)

    def waits(self, now: float) -> list[tuple[Hashable, float]]:
        """Returns the keys whose meters are overdrawn, each with its wait in seconds."""
        return [(key, wait) for key, meter in self._known.items() if (wait := meter.wait(now))]

    def of(self, key: Hashable, now: float) -> TokenBucket:
        """Returns the meter of that key, a new one if necessary."""
        meter = self._known.get(key)
        if meter is None:
            if len(self._known) >= self._look_at:
                self._known = {key: meter for key, meter in self._known.items() if not meter.is_full(now)}
                self._look_at = max(256, 2 * len(self._known))
            meter = self._known[key] = TokenBucket(*self._allowance(key), now)
        return meter

    def change(self, now: float) -> None:
        """Applies changed allowances to all meters."""
        for key, meter in self._known.items():
            meter.change(*self._allowance(key), now)
