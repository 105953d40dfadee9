"""The width of the terminal, and the part of it that the client uses."""

from __future__ import annotations

import shutil

NARROW, WIDE = 40, 100  # columns: the least for which boards are made, and the most that is easy to read


def output_columns() -> int:
    """Returns the number of columns to use for lines of text."""
    return max(NARROW, min(WIDE, shutil.get_terminal_size().columns))
