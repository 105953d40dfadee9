"""Renders styled lines for a terminal: wrapped at its width, in colour or plain. Pure.

The styles add no information to the text, so a line without colour says the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from games.api import StyledLine
from games.columns import pad_text
from people.text.commands import render_reply
from people.text.sentences import Named, ending_text
from protocol.messages import Message, Over
from protocol.printable import break_word, escape_text, text_columns

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


def plain_lines(message: Message, table: Named | None) -> list[StyledLine]:
    """Returns the lines for a message, all of them in the style "". `table` supplies the names of its seats."""
    game = getattr(table, "game", None)
    if isinstance(message, Over) and game is not None:
        message = replace(message, text=ending_text(message, game.words.ending_sentence))
    return [[("", text)] for text in render_reply(message, table)]


def escape_line(line: StyledLine) -> StyledLine:
    """Returns the line with all characters escaped that a terminal could take for a control sequence."""
    return [(style, escape_text(text)) for style, text in line]


def plain_text(line: StyledLine) -> str:
    """Returns the text of the line without styles."""
    return "".join(text for _style, text in line).rstrip()


def ansi_text(line: StyledLine) -> str:
    """Returns the line with ANSI codes for its styles. Each part of the line ends with the code that resets the
    style."""
    return "".join(f"\x1b[{_CODES[style]}m{text}\x1b[0m" if style in _CODES else text for style, text in line)


def wrap_rows(lines: Iterable[StyledLine], width: int) -> Iterator[StyledLine]:
    """Escapes the lines and wraps them. Yields rows of at most `width` columns; later rows of a line are indented."""
    for line in lines:
        yield from _fold(escape_line(line), max(width, 20))


def highlight_name(line: StyledLine, name: str) -> StyledLine:
    """Returns the line with the style `you` for every whole word that is this name."""
    if not name or not any(name.lower() in text.lower() for _style, text in line):
        return line
    whole = _whole(name)
    marked: StyledLine = []
    for style, text in line:
        end = 0
        for found in whole.finditer(text):
            marked += [(style, text[end : found.start()]), ("you", found[0])]
            end = found.end()
        marked.append((style, text[end:]))
    return [(style, text) for style, text in marked if text]


@lru_cache(maxsize=1024)  # the number of people who may read on one server at the same time
def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])", re.IGNORECASE)


def arrange_columns(texts: Sequence[str], width: int) -> list[str]:
    """Arranges the texts in as many columns as fit into `width`. Consecutive texts are below each other."""
    widest = max(map(text_columns, texts), default=0) + 2
    columns = max(1, min(width // widest, -(-len(texts) // 4)))  # columns of fewer than four rows would save no space
    height = -(-len(texts) // columns)
    return ["".join(pad_text(text, widest) for text in texts[row::height]).rstrip() for row in range(height)]


def _fold(line: StyledLine, width: int) -> Iterator[StyledLine]:
    if sum(text_columns(text) for _style, text in line) <= width:
        yield line
        return
    start = plain_text(line)
    indent = " " * min(len(start) - len(start.lstrip(" ")) + 2, width // 2)
    row: StyledLine = []
    used, fresh = 0, True  # the columns used in the row, and whether the row contains only its indent
    for style, token in _tokens(line, width - len(indent)):
        if used + text_columns(token) > width and not fresh:
            yield _stripped(row)
            row, used, fresh = [("", indent)], len(indent), True
            if token.isspace():
                continue
        if fresh and row and token.isspace():
            continue
        row.append((style, token))
        used += text_columns(token)
        fresh = fresh and token.isspace()
    if not fresh:
        yield _stripped(row)


def _tokens(line: StyledLine, longest: int) -> Iterator[tuple[str, str]]:
    """Yields the words of the line, and the spaces between them, with their styles. A word of more than `longest`
    columns is split."""
    for style, text in line:
        for found in _TOKEN.finditer(text):
            for token in break_word(found[0], longest):
                yield style, token


def _stripped(row: StyledLine) -> StyledLine:
    while row and row[-1][1].isspace():
        row = row[:-1]
    return row
