"""Lines for people, folded to the width of their terminal. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from protocol.printable import columns_of, cut

COLUMNS = 80  # where a terminal does not tell how wide it is
LEAST_COLUMNS, MOST_COLUMNS = 20, 500
SECOND_COLUMN = 20  # where one begins at the least, in pages that are lists
LEAST_BOARD = 39  # the narrowest board that games draw; narrower terminals fold it

_MARKED = re.compile(r"^>([0-9]*) ?")
_SECOND = re.compile(r"\S  +(?=\S)")  # where the second column of a list begins
_TOKEN = re.compile(r" +|(?<![^ ])[0-9]+ [^ ]+|[^ ]+")  # a number stays with its word, as a seat with its name


def clamped(columns: int) -> int:
    """A width that can be used."""
    return max(LEAST_COLUMNS, min(columns, MOST_COLUMNS))


def board_columns(width: int) -> int:
    """How wide a board is drawn in a terminal of that width."""
    return max(LEAST_BOARD, width - 2)


def no_prompt(line: str) -> str:
    """The line of a board, on which games mark with `>` whose turn it is. It does not begin as a prompt does: the mark
    stands behind the seat, ` 1>ann`."""
    return _MARKED.sub(r" \1>", line) if line.startswith(">") else line


def folded(lines: Iterable[str], width: int) -> Iterator[str]:
    """The lines, each in as many as it takes. Those after its first stand further in, so that none of them looks like
    another line of the server's."""
    for line in lines:
        if columns_of(line) <= width:
            yield line
        else:
            yield from _fold(line, width)


def rejoined(lines: Iterable[str], width: int) -> Iterator[str]:
    """The rows of a page that was folded for COLUMNS, in a narrower terminal: what stands in the second column alone is
    part of the line before, and is folded with it."""
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
    row, is_empty = "", True  # whether nothing but the indent stands in the row
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
    """How far the rows after the first stand in: below the second column of a list, or two further than the line."""
    second = _SECOND.search(line)
    if second is not None and second.end() <= width // 2:
        return second.end()
    return min(len(line) - len(line.lstrip(" ")) + 2, width // 2)
