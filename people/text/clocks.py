"""Parses a clock rule that a person typed, such as `300+30`."""

from __future__ import annotations

import re

from people.language import _
from protocol.messages.parts import ClockRule

_CLOCK = re.compile(r"([0-9]{1,5}(?:\.[0-9]+)?)\+([0-9]{1,4}(?:\.[0-9]+)?)")


def parse_clock_rule(word: str) -> ClockRule:
    """Returns the clock rule for `MAIN+INC`, the main time and the increment in seconds. Raises ValueError with a
    sentence for the typist."""
    found = _CLOCK.fullmatch(word)
    if found is None or not 0.05 <= float(found[2]) <= 3_600 or float(found[1]) > 86_400:
        raise ValueError(
            _("A clock is seconds as MAIN+INC, such as 300+30, with 0.05 or more for INC; not {typed!r}.", typed=word)
        )
    return ClockRule(main=float(found[1]), increment=float(found[2]))
