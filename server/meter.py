"""What a name and an address may cause in work: a bucket that fills with time, and that may be overdrawn once."""

from __future__ import annotations

from collections.abc import Callable, Hashable

ROUNDING = 1e-6  # requests: a wait that is over may have ended a hair early


class Meter:
    """Work is counted in plain requests. Times are seconds on any clock that only goes on."""

    __slots__ = ("_filled", "_ledger", "_most", "_promised", "_rate", "left")

    def __init__(self, rate: float, most: float, now: float, ledger: dict[Meter, float] | None = None) -> None:
        """Adds each charge to the `ledger`, too."""
        self._rate, self._most, self._ledger = rate, most, ledger
        self.left, self._filled = most, now  # negative: more was done than was allowed
        self._promised = now  # the last moment that was promised to somebody who waits

    def change(self, rate: float, most: float, now: float) -> None:
        """Sets the rate at which it fills, and its maximum."""
        self.wait(now)
        self._rate, self._most, self._promised = rate, most, now
        self.left = min(self.left, most)

    def charge(self, work: float) -> None:
        """So much was done, or with a negative number given back."""
        self.left -= work
        if self._ledger is not None:
            self._ledger[self] = self._ledger.get(self, 0.0) + work

    def wait(self, now: float) -> float:
        """For how many seconds nothing more may be done."""
        self.left = min(self._most, self.left + (now - self._filled) * self._rate)
        self._filled = now
        if self.left > -ROUNDING:
            self.left = max(0.0, self.left)
            return 0.0
        return -self.left / self._rate

    def turn(self, now: float) -> float:
        """As `wait`, for one of many who wait: each has a moment of their own, a plain request after the one before.
        If all came at once, they would stand in everybody's way, and most in vain."""
        wait = self.wait(now)
        if not wait:
            return 0.0
        self._promised = max(self._promised + 1 / self._rate, now + wait)
        return self._promised - now

    def is_full(self, now: float) -> bool:
        """Whether nothing of it is used: it need not be remembered."""
        self.wait(now)
        return self.left >= self._most


class Meters:
    """One meter a key, remembered only while something of it is used. `allowance` gives each key's rate and most."""

    def __init__(self, allowance: Callable[[Hashable], tuple[float, float]]) -> None:
        self._allowance = allowance
        self._known: dict[Hashable, Meter] = {}
        self._look_at = 256  # so many are known before the full ones are forgotten

    def __len__(self) -> int:
        return len(self._known)

    def waits(self, now: float) -> list[tuple[Hashable, float]]:
        """Returns the keys whose meters are overdrawn, each with its wait in seconds."""
        return [(key, wait) for key, meter in self._known.items() if (wait := meter.wait(now))]

    def of(self, key: Hashable, now: float) -> Meter:
        """The meter of that key."""
        meter = self._known.get(key)
        if meter is None:
            if len(self._known) >= self._look_at:
                self._known = {key: meter for key, meter in self._known.items() if not meter.is_full(now)}
                self._look_at = max(256, 2 * len(self._known))
            meter = self._known[key] = Meter(*self._allowance(key), now)
        return meter

    def change(self, now: float) -> None:
        """Applies changed allowances."""
        for key, meter in self._known.items():
            meter.change(*self._allowance(key), now)
