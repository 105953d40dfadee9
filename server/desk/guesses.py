"""Wrong proofs, of names and of who is the operator, by the address they came from: after the first few each makes the
next wait longer."""

from __future__ import annotations

from collections.abc import Hashable

from protocol.errors import Refusal
from server.language import _

FREE = 6  # mistakes that cost nothing: people mistype codes, and several may share an address
LONGEST_WAIT = 300.0
FORGOTTEN_AFTER = 3_600.0  # without another one
KNOWN = 4_096  # addresses; the one that erred longest ago is forgotten first


class Guesses:
    """Times are seconds on any clock that only goes on."""

    def __init__(self) -> None:
        self._wrong: dict[Hashable, tuple[int, float]] = {}  # by address: how many, and when the last one came

    def wait(self, address: Hashable, now: float) -> float:
        """For how many seconds no proof from there is looked at."""
        count, last = self._wrong.get(address, (0, now))
        if now - last > FORGOTTEN_AFTER:
            del self._wrong[address]
            return 0.0
        wait = min(LONGEST_WAIT, 2.0 ** (count - FREE)) if count >= FREE else 0.0
        return max(0.0, last + wait - now)

    def check(self, address: Hashable, now: float) -> None:
        """Whether a proof from there is looked at now. Raises `slow_down`."""
        wait = self.wait(address, now)
        if wait:
            raise Refusal(
                "slow_down", _("Too many wrong proofs came from your address; try again in {wait:.0f} s.", wait=wait)
            )

    def wrong(self, address: Hashable, now: float) -> None:
        """Another wrong one came from there."""
        if address is None:
            return
        count, _last = self._wrong.pop(address, (0, now))
        self._wrong[address] = (count + 1, now)
        if len(self._wrong) > KNOWN:
            del self._wrong[next(iter(self._wrong))]
