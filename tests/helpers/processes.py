"""What runs on this machine, as tests ask it."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

from client.processes.limits import descendant_pids


def running(word: str) -> list[str]:
    """The processes that were started with this word."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if word in (process / "cmdline").read_text(errors="replace").split("\0"):
                found.append(process.name)
    return found


def all_end_but(these: set[int], seconds: float = 20.0) -> None:
    """Whatever else was started here has ended, or does so in a moment. Raises AssertionError."""
    until = time.monotonic() + seconds
    while descendant_pids() - these and time.monotonic() < until:
        time.sleep(0.01)
    assert descendant_pids() <= these
