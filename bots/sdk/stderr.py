"""Text for people on stderr, in which a server may be quoted."""

from __future__ import annotations

import os
import sys

from protocol.printable import columns_of, escape, pieces

LEAST = 20  # columns


def shown(text: str, width: int = 0) -> str:
    """The lines, escaped, in rows of so many columns, 0 for any number. Rows after a line's first stand further in, so
    that a peer who fills a row does not say how the next one begins."""
    lines = list(map(escape, text.split("\n")))
    if width:
        width = max(width, LEAST)
        lines = [line if columns_of(line) <= width else "\n  ".join(pieces(line, width - 2)) for line in lines]
    return "\n".join(lines)


def to_stderr(text: str) -> None:
    """Prints the lines."""
    print(shown(text, _width()), file=sys.stderr)


def line_to_stderr(text: str) -> None:
    """Prints one line, whatever a server that is quoted in it says."""
    to_stderr(escape(text))


def _width() -> int:
    """How many columns the terminal has; 0 without one."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError, AttributeError):  # closed, or no file
        return 0
