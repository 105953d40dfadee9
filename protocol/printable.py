"""Text for terminals: what may be printed as it is, how the rest is written, and where a long line is broken."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import category

from wcwidth import wcwidth

SNIPPET_BYTES = 32  # as much of a peer's input as an error repeats
NO_BREAK = "\u00a0"  # a space at which no line is broken; French has one before some signs
MARKS = 4  # on one letter; more make a pile that spills over other lines
# Letters and marks that show nothing and are no format characters (Unicode: default ignorable), and blank symbols.
INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00013441\U00013442\U00016fe4\U0001d159"
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))


@lru_cache(4_096)
def is_mark(letter: str) -> bool:
    """Whether it stands on, below or around the letter before: accents, enclosing marks, the later parts of a Korean
    syllable."""
    return category(letter)[0] == "M" or "\u1160" <= letter <= "\u11ff" or "\ud7b0" <= letter <= "\ud7ff"


def longest_pile(text: str) -> int:
    """How many marks stand on one letter at most."""
    longest = run = 0
    for letter in text:
        run = run + 1 if is_mark(letter) else 0
        longest = max(longest, run)
    return longest


def escape(text: str) -> str:
    """The text with all that is not printable (controls, format characters, surrogates), shows nothing, or is piled too
    high written as \\u{1b}."""
    if text.isascii() and text.isprintable():
        return text
    shown, run = "", 0
    for letter in text:
        run = run + 1 if is_mark(letter) else 0
        plain = (letter.isprintable() or letter == NO_BREAK) and letter not in INVISIBLE and run <= MARKS
        shown += letter if plain else f"\\u{{{ord(letter):x}}}"
    return shown


def snippet(text: str) -> str:
    """A peer's text, ASCII, escaped and cut to SNIPPET_BYTES, to be repeated in an error."""
    kept = ""
    for c in text:
        shown = c if " " <= c <= "~" else f"\\u{{{ord(c):x}}}"
        if len(kept) + len(shown) > SNIPPET_BYTES:
            return kept[: SNIPPET_BYTES - 3] + "..."
        kept += shown
    return kept


def columns_of(text: str) -> int:
    """How many columns of a terminal an escaped text takes: none for an accent, two for a wide letter."""
    return len(text) if text.isascii() else sum(map(_columns, text))


@lru_cache(4_096)
def _columns(letter: str) -> int:
    if is_mark(letter):
        return 1 if category(letter) == "Mc" else 0  # many Indian vowels take a column in most terminals
    return max(wcwidth(letter), 0)  # -1 for what is not printable


@lru_cache(16)  # many hear the same
def pieces(text: str, width: int) -> tuple[str, ...]:
    """A text, escaped, in pieces of at most so many columns, broken at spaces where there are any; at least one.
    A run of spaces is one."""
    found: list[str] = []
    piece = ""
    for word in filter(None, escape(text).split(" ")):
        longer = f"{piece} {word}" if piece else word
        if columns_of(longer) <= width:
            piece = longer
            continue
        if piece:
            found.append(piece)
        *full, piece = cut(word, width)
        found += full
    return (*found, piece)


def cut(word: str, width: int) -> list[str]:
    """A word in pieces of at most so many columns; marks stay with their letter."""
    found, used = [""], 0
    for letter in word:
        wide = _columns(letter)
        if used + wide > width:
            found.append("")
            used = 0
        found[-1] += letter
        used += wide
    return found
