"""A span of time as people type it: `30s`, `3m`, `2h`, `7d`, `1w`."""

from __future__ import annotations

import re

from protocol.language import _

SECONDS_IN = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_TIME = re.compile(r"([1-9][0-9]{0,5})([smhdw])")


def seconds_in(word: str) -> int:
    """Its seconds. Raises ValueError with a sentence."""
    found = _TIME.fullmatch(word)
    if not found:
        raise ValueError(_("A time is a number and one of s, m, h, d, w, such as 2h; not {word!r}.", word=word))
    return int(found[1]) * SECONDS_IN[found[2]]
