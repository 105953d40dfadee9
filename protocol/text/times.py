"""Times as people type them: a span, `30s`, `3m`, `2h`, `7d`, `1w`, and a clock, `300+30`."""

from __future__ import annotations

import re

from protocol.language import _
from protocol.messages.parts import ClockRule

SECONDS_IN = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_TIME = re.compile(r"([1-9][0-9]{0,5})([smhdw])")
_CLOCK = re.compile(r"([0-9]{1,5}(?:\.[0-9]+)?)\+([0-9]{1,4}(?:\.[0-9]+)?)")


def seconds_in(word: str) -> int:
    """Its seconds. Raises ValueError with a sentence."""
    found = _TIME.fullmatch(word)
    if not found:
        raise ValueError(_("A time is a number and one of s, m, h, d, w, such as 2h; not {word!r}.", word=word))
    return int(found[1]) * SECONDS_IN[found[2]]


def clock_rule(word: str) -> ClockRule:
    """The rule for `MAIN+INC`, in seconds. Raises ValueError with a sentence."""
    found = _CLOCK.fullmatch(word)
    if found is None or not 0.05 <= float(found[2]) <= 3_600 or float(found[1]) > 86_400:
        raise ValueError(
            _(
                "A clock is seconds as MAIN+INC, such as 300+30, with 0.05 or more for INC; not {typed!r}.",
                typed=word,
            )
        )
    return ClockRule(main=float(found[1]), increment=float(found[2]))
