"""What runs on this machine, as tests ask it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def running(word: str) -> list[str]:
    """The processes that were started with this word."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if word in (process / "cmdline").read_text(errors="replace").split("\0"):
                found.append(process.name)
    return found


def descendants(pid: int | str = "self") -> set[int]:
    """The processes that this one, or that one, has started, and what they have started."""
    found: set[int] = set()
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in path.read_text().split():
                found |= {int(child), *descendants(child)}
    return found - {os.getpid()}
