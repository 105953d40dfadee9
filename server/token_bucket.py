"""Token buckets, which limit the work for a name or an address. A single request may overdraw its bucket."""

from __future__ import annotations

from collections.abc import Callable, Hashable

# tokens by which a bucket may be overdrawn and still count as refilled, because a timer may fire slightly early
ROUNDING = 1e-6


class TokenBucket:
    """A token bucket. A token is the work of one plain request. Times are seconds on a monotonic clock."""

    __slots__ = ("_filled", "_ledger", "_most", "_promised", "_rate", "left")

    def __init__(self, rate: float, most: float, now: float, ledger: dict[TokenBucket, float] | None = None) -> None:
        """Creates a full bucket.

        Args:
            rate: The tokens that are added per second.
            most: The tokens that the bucket can contain.
            now: The present time.
            ledger: A map to which the bucket adds the work that it is charged, for statistics over several buckets.
        """
        self._rate, self._most, self._ledger = rate, most, ledger
        # tokens in the bucket, negative if it is overdrawn; and when it was last refilled
        self.left, self._filled = most, now
        self._promised = now  # the latest time that `turn` gave to one of the waiters

    def set_rate(self, rate: float, most: float, now: float) -> None:
        """Changes the rate and the capacity of the bucket."""
        self.refill_wait(now)
        self._rate, self._most, self._promised = rate, most, now
        self.left = min(self.left, most)

    def charge(self, work: float) -> None:
        """Takes `work` tokens from the bucket. A negative amount returns tokens."""
        self.left -= work
        if self._ledger is not None:
            self._ledger[self] = self._ledger.get(self, 0.0) + work

    def refill_wait(self, now: float) -> float:
        """Refills the bucket. Returns the seconds until it will no longer be overdrawn."""
        self.left = min(self._most, self.left + (now - self._filled) * self._rate)
        self._filled = now
        if self.left > -ROUNDING:
            self.left = max(0.0, self.left)
            return 0.0
        return -self.left / self._rate

    def reserve_turn(self, now: float) -> float:
        """Like `wait`, for one of several waiters. Each waiter gets a time that is later than that of the waiter
        before, by the time of one plain request.

        If all waiters woke up at the same time, all but one would have to wait again.
        """
        wait = self.refill_wait(now)
        if not wait:
            return 0.0
        self._promised = max(self._promised + 1 / self._rate, now + wait)
        return self._promised - now

    def is_full(self, now: float) -> bool:
        """Returns whether the bucket is full, so that it may be forgotten."""
        self.refill_wait(now)
        return self.left >= self._most


class TokenBuckets:
    """One token bucket per key. A bucket may be forgotten while it is full. `allowance` returns the rate and the
    capacity for a key."""

    def __init__(self, allowance: Callable[[Hashable], tuple[float, float]]) -> None:
        self._allowance = allowance
        self._known: dict[Hashable, TokenBucket] = {}
        self._look_at = 256  # number of buckets at which those that are full are forgotten

    def __len__(self) -> int:
        return len(self._known)

    def overdrawn_waits(self, now: float) -> list[tuple[Hashable, float]]:
        """Returns the keys whose buckets are overdrawn, each with its wait in seconds."""
        return [(key, wait) for key, meter in self._known.items() if (wait := meter.refill_wait(now))]

    def bucket_for(self, key: Hashable, now: float) -> TokenBucket:
        """Returns the token bucket of that key. Creates one if the key has none."""
        meter = self._known.get(key)
        if meter is None:
            if len(self._known) >= self._look_at:
                self._known = {key: meter for key, meter in self._known.items() if not meter.is_full(now)}
                self._look_at = max(256, 2 * len(self._known))
            meter = self._known[key] = TokenBucket(*self._allowance(key), now)
        return meter

    def apply_allowance(self, now: float) -> None:
        """Applies a changed `allowance` to all buckets."""
        for key, meter in self._known.items():
            meter.set_rate(*self._allowance(key), now)
