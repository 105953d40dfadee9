"""Lines for people, folded to the width of their terminal. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from protocol.printable import columns_of, cut

COLUMNS = 80  # if the terminal does not tell its width
LEAST_COLUMNS, MOST_COLUMNS = 20, 500
SECOND_COLUMN = 20  # the least position of a second column, in pages that are lists
LEAST_BOARD = 39  # the narrowest board that games draw; narrower terminals fold it

_MARKED = re.compile(r"^>([0-9]*) ?")
_SECOND = re.compile(r"\S  +(?=\S)")  # the start of the second column of a list
_TOKEN = re.compile(r" +|(?<![^ ])[0-9]+ [^ ]+|[^ ]+")  # a number stays with its word, and a seat with its name


def clamped(columns: int) -> int:
    """Returns a usable width."""
    return max(LEAST_COLUMNS, min(columns, MOST_COLUMNS))


def board_columns(width: int) -> int:
    """Returns the width of a board in a terminal of that width."""
    return max(LEAST_BOARD, width - 2)


def no_prompt(line: str) -> str:
    """Moves a `>` at the start of a board's line behind the seat, ` 1>ann`, so that the line does not look like a
    prompt."""
    return _MARKED.sub(r" \1>", line) if line.startswith(">") else line


def folded(lines: Iterable[str], width: int) -> Iterator[str]:
    """Yields the lines, folded. Continuation rows are indented, so that none looks like another line of the server."""
    for line in lines:
        if columns_of(line) <= width:
            yield line
        else:
            yield from _fold(line, width)


def rejoined(lines: Iterable[str], width: int) -> Iterator[str]:
    """Yields the rows of a page that was folded for COLUMNS, refolded for a narrower terminal: a row with only a second
    column belongs to the line before."""
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
    row, is_empty = "", True  # is_empty: the row contains only its indent
    for found in _TOKEN.finditer(line):
        for token in cut(found[0], width - hang):
            if not is_empty and columns_of(row) + columns_of(token) > width:
                yield row.rstrip(" ")
                row, is_empty = indent, True
            if is_empty and row and token.isspace():
                continue
            row += token
            is_empty = is_empty and token.isspace()
    if not is_empty:
        yield row.rstrip(" ")


def _hang(line: str, width: int) -> int:
    """Returns the indent of continuation rows: the second column of a list, or two more than the line."""
    second = _SECOND.search(line)
    if second is not None and second.end() <= width // 2:
        return second.end()
    return min(len(line) - len(line.lstrip(" ")) + 2, width // 2)
