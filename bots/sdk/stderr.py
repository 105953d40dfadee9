"""Prints texts for people on stderr. The texts may quote a server, so they are escaped."""

from __future__ import annotations

import os
import sys

from protocol.printable import break_lines, escape_text, text_columns

LEAST = 20  # lines are wrapped at this number of columns or more


def wrap_escaped(text: str, width: int = 0) -> str:
    """Returns the text with its lines escaped, and wrapped at `width` columns (0: not wrapped). Later rows of a line
    are indented, so that a long text from a server cannot look like a new line."""
    lines = list(map(escape_text, text.split("\n")))
    if width:
        width = max(width, LEAST)
        lines = [line if text_columns(line) <= width else "\n  ".join(break_lines(line, width - 2)) for line in lines]
    return "\n".join(lines)


def print_to_stderr(text: str) -> None:
    """Prints the text on stderr, escaped, and wrapped at the width of the terminal."""
    print(wrap_escaped(text, _width()), file=sys.stderr)


def print_line_to_stderr(text: str) -> None:
    """Prints the text on stderr as one line. Its line breaks are escaped, because the text may quote a server."""
    print_to_stderr(escape_text(text))


def _width() -> int:
    """Returns the width of the terminal behind stderr in columns; 0 if stderr is no terminal."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError, AttributeError):  # stderr is closed or not a file
        return 0
