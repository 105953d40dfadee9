"""Wrong proofs, by the name that they are for and the address that they come from together.

A wrong proof delays neither other names at its address nor the same name elsewhere. It does not delay a right one
either: tokens and codes have too many values to be found by trying, so each is looked at, however many wrong ones came
before. Passwords and the operator's word may be easier to find: they are looked at ever more slowly. Many addresses
that try one name share what is looked at, except for the address where its owner was last.
"""

from __future__ import annotations

import logging
from collections.abc import Hashable
from dataclasses import dataclass

import msgspec

from protocol.errors import Refusal
from server.language import _
from server.log_fields import fields
from server.meter import Meters
from server.rarely import Rarely

log = logging.getLogger("magehall.guesses")

FREE = 6  # wrong ones without a wait: people mistype codes, and several may share an address
LONGEST_WAIT = 300.0  # that is told to a program with a wrong token or code
LONGEST_WAIT_FOR_WORDS = 10.0  # for what may be right all the same, and is not looked at
FORGOTTEN_AFTER = 3_600.0  # without another one
KNOWN = 4_096  # names at an address; the one that erred longest ago is forgotten first
ELSEWHERE = 60  # wrong ones for one name from all addresses but that of its owner, at once
ELSEWHERE_A_SECOND = 0.5  # and after that
LIFTED_SECONDS = 3_600.0  # for which no proof of a name is refused unseen, once the operator said so


@dataclass(slots=True)
class _Wrong:
    count: int
    last: float  # when

    def wait(self, now: float) -> float:
        """For how many seconds after the last one a further wrong one is told to wait."""
        if self.count <= FREE or now - self.last > FORGOTTEN_AFTER:
            return 0.0
        return min(LONGEST_WAIT, 2.0 ** min(16, self.count - FREE - 1))


class Lockout(msgspec.Struct, frozen=True):
    """Proofs of that name from that address have to wait."""

    name: str  # folded
    address: str  # "": every address but that where its owner was last
    wrong: int | None  # proofs that were wrong; None where only their rate is known
    seconds: float  # until the next one is looked at


class Guesses:
    """Names are folded; times are seconds on any clock that only goes on."""

    def __init__(self) -> None:
        self._wrong: dict[tuple[str, Hashable], _Wrong] = {}
        self._elsewhere = Meters(lambda _address: (ELSEWHERE_A_SECOND, ELSEWHERE))
        self._lifted: dict[str, float] = {}  # until when, by name
        self._rarely = Rarely(60.0)

    def check(self, name: str, address: Hashable, home: Hashable, now: float) -> None:
        """Whether a proof of that name is looked at, from that address, where its owner was at `home` last.

        Raises `slow_down`.
        """
        wait = 0.0 if _is_home(address, home) else self._elsewhere.of(name, now).wait(now)
        if wait and not self._is_lifted(name, now):
            text = _("Too many wrong proofs of that name came from elsewhere; try again in {wait:.0f} s.", wait=wait)
            raise Refusal("slow_down", text, wait=wait)

    def check_word(self, name: str, address: Hashable, now: float) -> None:
        """Whether a password is looked at, or the operator's word. Raises `slow_down`."""
        wrong = self._wrong.get((name, address))
        if wrong is None or self._is_lifted(name, now):
            return
        wait = wrong.last + min(LONGEST_WAIT_FOR_WORDS, wrong.wait(now)) - now
        if wait > 0:
            raise _too_many(wrong.count, wait)

    def wrong(self, name: str, address: Hashable, home: Hashable, now: float, *, spelt: str = "") -> Refusal:
        """Another wrong one came. Returns what is told: `bad_proof`, or `slow_down` after many. The log has the name as
        it is `spelt`, as folded it may be another word."""
        if not _is_home(address, home):
            self._elsewhere.of(name, now).charge(1)
        if times := self._rarely.times((name, address), now):
            more = f", one of {times} since the last such line" if times > 1 else ""
            told = fields("wrong_proof", name=spelt or name, address=address, count=times)
            log.warning("wrong proof of %s from %s%s", spelt or name, address or "here", more, extra=told)
        if address is None:
            return Refusal("bad_proof")
        before = self._wrong.pop((name, address), None)
        is_old = before is None or now - before.last > FORGOTTEN_AFTER
        wrong = self._wrong[name, address] = _Wrong(1 if before is None or is_old else before.count + 1, now)
        if len(self._wrong) > KNOWN:
            del self._wrong[next(iter(self._wrong))]
        wait = wrong.wait(now)
        return _too_many(wrong.count, wait) if wait and not self._is_lifted(name, now) else Refusal("bad_proof")

    def lockouts(self, now: float) -> list[Lockout]:
        """Returns the names whose proofs have to wait now, the longest wait first."""
        found = [
            Lockout(name, str(address), wrong.count, wrong.last + wait - now)
            for (name, address), wrong in self._wrong.items()
            if (wait := wrong.wait(now)) and wrong.last + wait > now
        ]
        found += [Lockout(str(name), "", None, wait) for name, wait in self._elsewhere.waits(now)]
        return sorted(
            (one for one in found if not self._is_lifted(one.name, now)), key=lambda one: one.seconds, reverse=True
        )

    def lift(self, name: str, now: float) -> int:
        """For an hour no proof of that name has to wait. Returns how many wrong ones had been counted."""
        self._lifted = {one: until for one, until in self._lifted.items() if until > now}
        self._lifted[name] = now + LIFTED_SECONDS
        return sum(self._wrong.pop(key).count for key in list(self._wrong) if key[0] == name)

    def _is_lifted(self, name: str, now: float) -> bool:
        return self._lifted.get(name, 0.0) > now


def _is_home(address: Hashable, home: Hashable) -> bool:
    return address is None or address == home


def _too_many(count: int, wait: float) -> Refusal:
    text = _(
        "{count} wrong proofs of that name came from your address; try again in {wait:.0f} s, or have the operator"
        " unlock the name.",
        count=count,
        wait=wait,
    )
    return Refusal("slow_down", text, wait=wait)
