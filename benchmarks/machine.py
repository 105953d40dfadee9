"""How busy the machine was otherwise: the part of its processor time that other programs took."""

from __future__ import annotations

import os
import time
from pathlib import Path

BUSY = 0.1  # of all processors; with more than this taken by others, seconds on the wall mean little


class Others:
    """Measures from when it is made; exact once all our child processes have ended."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._all, self._ours = _all_seconds(), _our_seconds()

    def part(self) -> float:
        """From 0, where no other program ran, to 1, since the beginning."""
        theirs = (_all_seconds() - self._all) - (_our_seconds() - self._ours)
        available = (time.monotonic() - self._begun) * (os.cpu_count() or 1)
        return max(0.0, theirs / available)


def _all_seconds() -> float:
    """Seconds that all processors together have worked, for this machine or its neighbours."""
    user, nice, system, _idle, _waiting, irq, soft, steal = (
        int(word) for word in Path("/proc/stat").read_text().split(maxsplit=9)[1:9]
    )
    return (user + nice + system + irq + soft + steal) / os.sysconf("SC_CLK_TCK")


def _our_seconds() -> float:
    """The same of this process and its ended children."""
    return sum(os.times()[:4])
