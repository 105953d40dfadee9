"""How wide the terminal is, and how much of it is used."""

from __future__ import annotations

import shutil

NARROW, WIDE = 40, 100  # columns: a board is made for no fewer, and reads badly in more


def columns() -> int:
    """Columns to write in."""
    return max(NARROW, min(WIDE, shutil.get_terminal_size().columns))
