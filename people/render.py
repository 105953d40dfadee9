"""Renders lines with styles for a terminal: folded to its width, in colour or plain. Pure.

Styles only repeat what the text says, so a plain line loses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from games.api import Line
from games.columns import pad
from people.text.commands import render_reply
from people.text.sentences import Named, ending_text
from protocol.messages import Message, Over
from protocol.printable import columns_of, cut, escape

_CODES = {
    "title": "1",
    "key": "1;36",
    "good": "32",
    "bad": "31",
    "you": "1;33",
    "hidden": "35",
    "dim": "2",
    "changed": "1;35",
}
_TOKEN = re.compile(r" +|[^ ]+")


def plain_lines(message: Message, table: Named | None) -> list[Line]:
    """Returns a message as lines without styles."""
    game = getattr(table, "game", None)
    if isinstance(message, Over) and game is not None:
        message = replace(message, text=ending_text(message, game.words.ending))
    return [[("", text)] for text in render_reply(message, table)]


def safe(line: Line) -> Line:
    """Escapes everything in the line that a terminal could take for a command."""
    return [(style, escape(text)) for style, text in line]


def plain_text(line: Line) -> str:
    """Returns the line without colour."""
    return "".join(text for _style, text in line).rstrip()


def ansi_text(line: Line) -> str:
    """Returns the line in colour. Every colour is switched off again."""
    return "".join(f"\x1b[{_CODES[style]}m{text}\x1b[0m" if style in _CODES else text for style, text in line)


def rows(lines: Iterable[Line], width: int) -> Iterator[Line]:
    """Yields the escaped lines in rows of at most `width` columns. Continuation rows are indented."""
    for line in lines:
        yield from _fold(safe(line), max(width, 20))


def highlight(line: Line, name: str) -> Line:
    """Returns the line with every whole word that is this name in the style `you`."""
    if not name or not any(name.lower() in text.lower() for _style, text in line):
        return line
    whole = _whole(name)
    marked: Line = []
    for style, text in line:
        end = 0
        for found in whole.finditer(text):
            marked += [(style, text[end : found.start()]), ("you", found[0])]
            end = found.end()
        marked.append((style, text[end:]))
    return [(style, text) for style, text in marked if text]


@lru_cache(maxsize=1024)  # people who read at once
def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])", re.IGNORECASE)


def side_by_side(texts: Sequence[str], width: int) -> list[str]:
    """Arranges the texts in as many columns as fit, to be read column by column."""
    widest = max(map(columns_of, texts), default=0) + 2
    columns = max(1, min(width // widest, -(-len(texts) // 4)))  # columns with fewer than four rows save nothing
    height = -(-len(texts) // columns)
    return ["".join(pad(text, widest) for text in texts[row::height]).rstrip() for row in range(height)]


def _fold(line: Line, width: int) -> Iterator[Line]:
    if sum(columns_of(text) for _style, text in line) <= width:
        yield line
        return
    start = plain_text(line)
    indent = " " * min(len(start) - len(start.lstrip(" ")) + 2, width // 2)
    row: Line = []
    used, fresh = 0, True  # fresh: the row contains only its indent
    for style, token in _tokens(line, width - len(indent)):
        if used + columns_of(token) > width and not fresh:
            yield _stripped(row)
            row, used, fresh = [("", indent)], len(indent), True
            if token.isspace():
                continue
        if fresh and row and token.isspace():
            continue
        row.append((style, token))
        used += columns_of(token)
        fresh = fresh and token.isspace()
    if not fresh:
        yield _stripped(row)


def _tokens(line: Line, longest: int) -> Iterator[tuple[str, str]]:
    """Yields words and the spaces between them. A word longer than a row is split."""
    for style, text in line:
        for found in _TOKEN.finditer(text):
            for token in cut(found[0], longest):
                yield style, token


def _stripped(row: Line) -> Line:
    while row and row[-1][1].isspace():
        row = row[:-1]
    return row
