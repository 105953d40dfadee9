"""Measures and cuts text by terminal columns: a Chinese letter takes two columns, a combining accent none."""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from unicodedata import category

from wcwidth import wcwidth

from games.api import Span, StyledLine


def text_columns(text: str) -> int:
    """Returns the number of terminal columns that a printable text takes."""
    return len(text) if text.isascii() else sum(map(_columns_of_letter, text))


@lru_cache(4_096)
def _columns_of_letter(letter: str) -> int:
    """Returns the number of terminal columns of a letter, which does not depend on its neighbours.

    A spacing mark (category Mc), such as many Indian vowels, counts as one column, as in most terminals.
    """
    return max(wcwidth(letter), 1 if category(letter) == "Mc" else 0)


def clip_text(text: str, width: int) -> str:
    """Returns the longest beginning of the text that fits into `width` columns."""
    if text.isascii():
        return text[: max(0, width)]
    used = 0
    for at, letter in enumerate(text):
        used += _columns_of_letter(letter)
        if used > width:
            return text[:at]
    return text


def clip_with_dots(text: str, width: int) -> str:
    """Returns the text if it fits into `width` columns; otherwise as many of its words as fit, followed by `..`."""
    if text_columns(text) <= width:
        return text
    kept = clip_text(text, width - 2)
    return (kept.rpartition(" ")[0] or kept).rstrip(" .,;:") + ".."


def clip_name(name: str, width: int) -> str:
    """Returns the name cut to `width` columns. A number at its end, as in `bot-2`, is kept, because it tells two names
    apart."""
    stem, dash, number = name.rpartition("-")
    if not (stem and number.isdigit() and len(number) < 3):
        return clip_text(name, width)
    return clip_text(stem, width - len(dash + number)) + dash + number


def clip_names(names: Sequence[str], width: int) -> list[str]:
    """Returns each name cut to `width` columns. Names that would become equal keep their beginning and their end, with
    `~` between them."""
    clipped = [clip_name(name, width) for name in names]
    for kept in range(1, width - 1):
        counts = Counter(clipped)
        if len(counts) == len(clipped):
            break
        clipped = [
            f"{clip_text(name, width - 1 - text_columns(name[-kept:]))}~{name[-kept:]}"
            if counts[text] > 1 and text != name
            else text
            for name, text in zip(names, clipped, strict=True)
        ]
    return clipped


def pad_text(text: str, width: int) -> str:
    """Returns the text in exactly `width` columns, cut or filled with spaces."""
    kept = clip_text(text, width)
    return kept + " " * (width - text_columns(kept))


def wrap_text(text: str, width: int, first: str = "", later: str = "") -> list[str]:
    """Returns the text wrapped to rows of at most `width` columns, broken at spaces if possible. The text `first`
    precedes the first row, and `later` each other row."""
    return [*_wrapped(text, width, first, later)]


@lru_cache(4_096)
def _wrapped(text: str, width: int, first: str, later: str) -> list[str]:
    """Does the work of `wrap_text`, with a cache, because a board repeats most of its rows."""
    if text.isascii():
        return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=later)
    begins = text.lstrip(" ")
    rows, row, fresh = [], first + text[: len(text) - len(begins)], True
    for word in begins.split(" "):  # does not break at the no-break spaces that French has before ! ? : ;
        while word:
            gap = "" if fresh else " "
            room = width - text_columns(row + gap)
            if text_columns(word) <= room:
                row, word, fresh = row + gap + word, "", False
                continue
            if fresh or _is_wide(word):  # a script without spaces, such as Chinese, may break anywhere
                part = clip_text(word, room) or (word[:1] if fresh else "")
                row, word = row + (gap + part if part else ""), word[len(part) :]
            rows.append(row)
            row, fresh = later, True
    return rows if fresh else [*rows, row]


def _is_wide(word: str) -> bool:
    return any(wcwidth(letter) == 2 for letter in word)


def pack_spans(parts: Iterable[Span], width: int, between: str = ", ", indent: str = "  ") -> list[StyledLine]:
    """Returns the parts packed into rows of at most `width` columns, with the text `between` any two parts of a row. A
    part that is wider than a row is cut. All rows but the first are indented."""
    rows: list[StyledLine] = []
    used: float = math.inf  # infinite, because there is no row yet
    for style, part in parts:
        text = clip_text(part, width - len(indent))
        gap = between if rows else ""
        if used + text_columns(gap + text) > width:
            rows.append([("", indent)] if rows else [])
            used, gap = len(indent) if len(rows) > 1 else 0, ""
        rows[-1] += [("", gap), (style, text)] if gap else [(style, text)]
        used += text_columns(gap + text)
    return rows
