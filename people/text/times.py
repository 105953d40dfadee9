"""Parses time spans that people type (`30s`, `3m`, `2h`, `7d`, `1w`), and formats seconds like a clock."""

from __future__ import annotations

import re

from people.language import _
from protocol import limits

SECONDS_IN = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_TIME = re.compile(r"([1-9][0-9]{0,5})([smhdw])")


def parse_seconds(word: str) -> int:
    """Returns a typed time span in seconds. Raises ValueError with a sentence for the typist."""
    found = _TIME.fullmatch(word)
    if not found:
        raise ValueError(_("A time is a number and one of s, m, h, d, w, such as 2h; not {word!r}.", word=word))
    return int(found[1]) * SECONDS_IN[found[2]]


def parse_delay(word: str) -> int:
    """Returns a typed delay of open hands in seconds. Raises ValueError with a sentence for the typist, also for a
    delay out of bounds."""
    seconds = parse_seconds(word)
    if not limits.LEAST_DELAY <= seconds <= limits.LONGEST_DELAY:
        least, hours = limits.LEAST_DELAY, limits.LONGEST_DELAY // SECONDS_IN["h"]
        text = _(
            "Hands are shown {least} seconds to {hours} hours later, not {word}.", least=least, hours=hours, word=word
        )
        raise ValueError(text)
    return seconds


def format_minutes(seconds: float) -> str:
    """Returns seconds as minutes and seconds: 5:25."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
