"""Prints text for people on stderr, which may quote a server."""

from __future__ import annotations

import os
import sys

from protocol.printable import columns_of, escape, pieces

LEAST = 20  # the smallest width in columns


def shown(text: str, width: int = 0) -> str:
    """Returns the escaped lines in rows of at most `width` columns, 0 for no limit. Later rows of a line are indented,
    so that a peer's long text cannot fake a new line."""
    lines = list(map(escape, text.split("\n")))
    if width:
        width = max(width, LEAST)
        lines = [line if columns_of(line) <= width else "\n  ".join(pieces(line, width - 2)) for line in lines]
    return "\n".join(lines)


def to_stderr(text: str) -> None:
    """Prints the lines."""
    print(shown(text, _width()), file=sys.stderr)


def line_to_stderr(text: str) -> None:
    """Prints the text as one line. It escapes line breaks, because the text may quote a server."""
    to_stderr(escape(text))


def _width() -> int:
    """Returns the width of the terminal in columns, or 0 without a terminal."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError, AttributeError):  # stderr is closed or not a file
        return 0
