"""Texts by the columns that they take of a terminal: a Chinese letter takes two, an accent of its own none."""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from unicodedata import category

from wcwidth import wcwidth

from games.api import Line, Span


def columns_of(text: str) -> int:
    """How many columns a printable text takes."""
    return len(text) if text.isascii() else sum(map(_columns_of_letter, text))


@lru_cache(4_096)
def _columns_of_letter(letter: str) -> int:
    """The same whatever stands beside it, so that a text takes what its parts take. A mark with a width of its own, as
    many Indian vowels are, takes a column in most terminals."""
    return max(wcwidth(letter), 1 if category(letter) == "Mc" else 0)


def clip(text: str, width: int) -> str:
    """As much of the text, from its beginning, as fits into so many columns."""
    if text.isascii():
        return text[: max(0, width)]
    used = 0
    for at, letter in enumerate(text):
        used += _columns_of_letter(letter)
        if used > width:
            return text[:at]
    return text


def clip_marked(text: str, width: int) -> str:
    """The text, or as many of its words as fit with `..` behind them."""
    if columns_of(text) <= width:
        return text
    kept = clip(text, width - 2)
    return (kept.rpartition(" ")[0] or kept).rstrip(" .,;:") + ".."


def clip_name(name: str, width: int) -> str:
    """The name; of one that is too long the beginning, and the number at its end, which tells it from others."""
    stem, dash, number = name.rpartition("-")
    if not (stem and number.isdigit() and len(number) < 3):
        return clip(name, width)
    return clip(stem, width - len(dash + number)) + dash + number


def clip_names(names: Sequence[str], width: int) -> list[str]:
    """Each name in at most so many columns, as clip_name; of those that would become the same, the beginning and the
    end."""
    clipped = [clip_name(name, width) for name in names]
    for kept in range(1, width - 1):
        counts = Counter(clipped)
        if len(counts) == len(clipped):
            break
        clipped = [
            f"{clip(name, width - 1 - columns_of(name[-kept:]))}~{name[-kept:]}"
            if counts[text] > 1 and text != name
            else text
            for name, text in zip(names, clipped, strict=True)
        ]
    return clipped


def pad(text: str, width: int) -> str:
    """The text in exactly so many columns: cut, or with spaces behind it."""
    kept = clip(text, width)
    return kept + " " * (width - columns_of(kept))


def wrapped(text: str, width: int, first: str = "", later: str = "") -> list[str]:
    """The text in rows of at most so many columns, broken at spaces where there are any; `first` stands before the
    first row and `later` before the others."""
    return [*_wrapped(text, width, first, later)]


@lru_cache(4_096)
def _wrapped(text: str, width: int, first: str, later: str) -> list[str]:
    """A board has mostly the rows that it had before."""
    if text.isascii():
        return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=later)
    begins = text.lstrip(" ")
    rows, row, fresh = [], first + text[: len(text) - len(begins)], True  # fresh: nothing but the indent is in the row
    for word in begins.split(" "):  # and not at a space that is not to be broken, as French has before signs
        while word:
            gap = "" if fresh else " "
            room = width - columns_of(row + gap)
            if columns_of(word) <= room:
                row, word, fresh = row + gap + word, "", False
                continue
            if fresh or _is_wide(word):  # breaks anywhere, as its script has no spaces
                part = clip(word, room) or (word[:1] if fresh else "")
                row, word = row + (gap + part if part else ""), word[len(part) :]
            rows.append(row)
            row, fresh = later, True
    return rows if fresh else [*rows, row]


def _is_wide(word: str) -> bool:
    return any(wcwidth(letter) == 2 for letter in word)


def joined(parts: Iterable[Span], width: int, between: str = ", ", indent: str = "  ") -> list[Line]:
    """The parts in rows of at most so many columns, each whole where it fits into one; later rows stand further in."""
    rows: list[Line] = []
    used: float = math.inf  # of no row yet
    for style, part in parts:
        text = clip(part, width - len(indent))
        gap = between if rows else ""
        if used + columns_of(gap + text) > width:
            rows.append([("", indent)] if rows else [])
            used, gap = len(indent) if len(rows) > 1 else 0, ""
        rows[-1] += [("", gap), (style, text)] if gap else [(style, text)]
        used += columns_of(gap + text)
    return rows
