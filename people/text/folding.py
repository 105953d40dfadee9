"""Wraps lines at the width of a person's terminal. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from protocol.printable import break_word, text_columns

COLUMNS = 80  # the assumed width of a terminal that does not report its own
LEAST_COLUMNS, MOST_COLUMNS = 20, 500
SECOND_COLUMN = 20  # in pages that are lists, a text that begins at or after this position is a second column
LEAST_BOARD = 39  # the width of the narrowest board that games draw; in a narrower terminal its rows are wrapped

_MARKED = re.compile(r"^>([0-9]*) ?")
_SECOND = re.compile(r"\S  +(?=\S)")  # the start of the second column of a list
# Spaces, a number with the word after it, or a word: no row ends between a number and its noun, or a seat and its name.
_TOKEN = re.compile(r" +|(?<![^ ])[0-9]+ [^ ]+|[^ ]+")


def clamp_columns(columns: int) -> int:
    """Returns the number of columns, raised to LEAST_COLUMNS or lowered to MOST_COLUMNS if it is outside of these
    bounds."""
    return max(LEAST_COLUMNS, min(columns, MOST_COLUMNS))


def board_columns(width: int) -> int:
    """Returns the number of columns of a board in a terminal of `width` columns."""
    return max(LEAST_BOARD, width - 2)


def shift_prompt_mark(line: str) -> str:
    """Moves a `>` at the start of a board's line behind the seat number, ` 1>ann`, so that the line does not look like
    the prompt of the input."""
    return _MARKED.sub(r" \1>", line) if line.startswith(">") else line


def wrap_lines(lines: Iterable[str], width: int) -> Iterator[str]:
    """Yields the lines, wrapped at `width` columns. Later rows of a line are indented, so that none of them looks like
    a separate line of the server."""
    for line in lines:
        if text_columns(line) <= width:
            yield line
        else:
            yield from _fold(line, width)


def join_wrapped_rows(lines: Iterable[str], width: int) -> Iterator[str]:
    """Joins the rows of a page that was wrapped at COLUMNS to lines again, if the terminal is narrower: a row that has
    only a second column continues the line before it. Yields the lines, which the caller wraps."""
    before: str | None = None
    for line in lines:
        if before and len(line) - len(line.lstrip(" ")) >= SECOND_COLUMN and width < COLUMNS:
            before += (" " if _SECOND.search(before) else "  ") + line.strip()
            continue
        if before is not None:
            yield before
        before = line
    if before is not None:
        yield before


def _fold(line: str, width: int) -> Iterator[str]:
    hang = _hang(line, width)
    indent = " " * hang
    row, is_empty = "", True  # the current row, and whether it contains only its indent
    for found in _TOKEN.finditer(line):
        for token in break_word(found[0], width - hang):
            if not is_empty and text_columns(row) + text_columns(token) > width:
                yield row.rstrip(" ")
                row, is_empty = indent, True
            if is_empty and row and token.isspace():
                continue
            row += token
            is_empty = is_empty and token.isspace()
    if not is_empty:
        yield row.rstrip(" ")


def _hang(line: str, width: int) -> int:
    """Returns the number of spaces before the second and later rows of a line: up to the second column of a list, or
    two more than before the line."""
    second = _SECOND.search(line)
    if second is not None and second.end() <= width // 2:
        return second.end()
    return min(len(line) - len(line.lstrip(" ")) + 2, width // 2)
