"""Counts wrong proofs of names, for each pair of a name and an address.

A wrong proof delays neither other names at its address nor the same name at other addresses. It does not delay a right
proof by token or code either: these have too many values to guess, so the server checks each one, even after many wrong
ones. Passwords and the operator's word may be easier to guess, so after wrong ones the server checks them more and more
slowly.

All addresses that try one name share a limit on its checks. The address that the name's owner last used has a limit of
its own.
"""

from __future__ import annotations

import logging
from collections.abc import Hashable
from dataclasses import dataclass
from math import ceil

import msgspec

from protocol.errors import Refusal
from server.language import _
from server.log_fields import extra_fields
from server.log_throttle import LogThrottle
from server.token_bucket import TokenBuckets

log = logging.getLogger("magehall.guesses")

FREE = 6  # wrong proofs for which there is no wait, because people mistype codes and several may share an address
LONGEST_WAIT = 300.0  # longest wait in seconds after a wrong token or code, as the answer states it
# longest wait in seconds for passwords and the operator's word; until then they are not checked, even if they are right
LONGEST_WAIT_FOR_WORDS = 10.0
FORGOTTEN_AFTER = 3_600.0  # seconds without a wrong proof after which earlier ones are forgotten
KNOWN = 4_096  # most pairs of name and address that are remembered; the oldest is dropped first
ELSEWHERE = 60  # wrong proofs of one name that are allowed at once, from all addresses together except its owner's
ELSEWHERE_A_SECOND = 0.5  # wrong proofs of one name per second that are allowed after that
LIFTED_SECONDS = 3_600.0  # how long the operator's command `unlock` lets every proof be checked


@dataclass(slots=True)
class _Wrong:
    count: int
    last: float  # when the latest wrong proof came

    def seconds_to_wait(self, now: float) -> float:
        """Returns how long after the latest wrong proof the next one has to wait, in seconds."""
        if self.count <= FREE or now - self.last > FORGOTTEN_AFTER:
            return 0.0
        return min(LONGEST_WAIT, 2.0 ** min(16, self.count - FREE - 1))


class Lockout(msgspec.Struct, frozen=True):
    """A name and an address from which the server does not check proofs of it for now."""

    name: str  # the name in its folded form
    address: str  # the address; "" means every address except the one that the name's owner last used
    wrong: int | None  # number of wrong proofs; None if only their rate is known
    seconds: float  # seconds until the next proof is checked


class FailedLogins:
    """Counts wrong proofs of names. Names are given in their folded form; times are seconds on a monotonic clock."""

    def __init__(self) -> None:
        self._wrong: dict[tuple[str, Hashable], _Wrong] = {}
        self._elsewhere = TokenBuckets(lambda _address: (ELSEWHERE_A_SECOND, ELSEWHERE))
        self._lifted: dict[str, float] = {}  # by name: when the operator's unlock ends
        self._rarely = LogThrottle(60.0)

    def check_proof_allowed(self, name: str, address: Hashable, home: Hashable, now: float) -> None:
        """Raises Refusal (`slow_down`) if a proof of that name from that address must not be checked yet.

        `home` is the address that the name's owner last used.
        """
        wait = 0.0 if _is_home(address, home) else self._elsewhere.bucket_for(name, now).refill_wait(now)
        if wait and not self._is_lifted(name, now):
            text = _("Too many wrong proofs of that name came from elsewhere; try again in {wait} s.", wait=ceil(wait))
            raise Refusal("slow_down", text, wait=wait)

    def check_password_allowed(self, name: str, address: Hashable, now: float) -> None:
        """Raises Refusal (`slow_down`) if a password of the name, or the operator's word, must not be checked yet from
        that address."""
        wrong = self._wrong.get((name, address))
        if wrong is None or self._is_lifted(name, now):
            return
        wait = wrong.last + min(LONGEST_WAIT_FOR_WORDS, wrong.seconds_to_wait(now)) - now
        if wait > 0:
            raise _too_many(wrong.count, wait)

    def record_failure(self, name: str, address: Hashable, home: Hashable, now: float, *, spelt: str = "") -> Refusal:
        """Counts a wrong proof, and returns the refusal for the client: `bad_proof`, or `slow_down` after too many.

        `spelt` is the name as the log shows it, because the folded form may look like a different word.
        """
        if not _is_home(address, home):
            self._elsewhere.bucket_for(name, now).charge(1)
        if times := self._rarely.count_if_due((name, address), now):
            more = f", one of {times} since the last such line" if times > 1 else ""
            told = extra_fields("wrong_proof", name=spelt or name, address=address, count=times)
            log.warning("wrong proof of %s from %s%s", spelt or name, address or "here", more, extra=told)
        if address is None:
            return Refusal("bad_proof")
        before = self._wrong.pop((name, address), None)
        is_old = before is None or now - before.last > FORGOTTEN_AFTER
        wrong = self._wrong[name, address] = _Wrong(1 if before is None or is_old else before.count + 1, now)
        if len(self._wrong) > KNOWN:
            del self._wrong[next(iter(self._wrong))]
        wait = wrong.seconds_to_wait(now)
        return _too_many(wrong.count, wait) if wait and not self._is_lifted(name, now) else Refusal("bad_proof")

    def current_lockouts(self, now: float) -> list[Lockout]:
        """Returns the lockouts that are in force at `now`, the longest wait first."""
        found = [
            Lockout(name, str(address), wrong.count, wrong.last + wait - now)
            for (name, address), wrong in self._wrong.items()
            if (wait := wrong.seconds_to_wait(now)) and wrong.last + wait > now
        ]
        found += [Lockout(str(name), "", None, wait) for name, wait in self._elsewhere.overdrawn_waits(now)]
        return sorted(
            (one for one in found if not self._is_lifted(one.name, now)), key=lambda one: one.seconds, reverse=True
        )

    def lift_lockout(self, name: str, now: float) -> int:
        """Lets every proof of that name be checked for LIFTED_SECONDS. Returns the number of its wrong proofs so
        far."""
        self._lifted = {one: until for one, until in self._lifted.items() if until > now}
        self._lifted[name] = now + LIFTED_SECONDS
        return sum(self._wrong.pop(key).count for key in list(self._wrong) if key[0] == name)

    def _is_lifted(self, name: str, now: float) -> bool:
        return self._lifted.get(name, 0.0) > now


def _is_home(address: Hashable, home: Hashable) -> bool:
    return address is None or address == home


def _too_many(count: int, wait: float) -> Refusal:
    text = _(
        "{count} wrong proofs of that name came from your address; try again in {wait} s, or have the operator"
        " unlock the name.",
        count=count,
        wait=ceil(wait),
    )
    return Refusal("slow_down", text, wait=wait)
