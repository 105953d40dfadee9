"""The width of the terminal, and how much of it is used."""

from __future__ import annotations

import shutil

NARROW, WIDE = 40, 100  # columns: the least that boards are made for, and the most that reads well


def columns() -> int:
    """Returns the number of columns to use."""
    return max(NARROW, min(WIDE, shutil.get_terminal_size().columns))
