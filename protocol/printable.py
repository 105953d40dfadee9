"""Makes text safe for terminals: escapes unprintable characters, measures columns, and breaks long lines."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import category

from wcwidth import wcwidth

SNIPPET_BYTES = 32  # most bytes of a peer's input that an error message repeats
NO_BREAK = "\u00a0"  # a space at which no line breaks; French writes it before some punctuation
MARKS = 4  # most marks (such as accents) on one letter; more of them would cover other lines
# Letters and marks that are invisible but are not format characters (Unicode: default ignorable), and blank symbols.
INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00013441\U00013442\U00016fe4\U0001d159"
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))


@lru_cache(4_096)
def is_mark(letter: str) -> bool:
    """Returns whether the character combines with the letter before it: an accent, an enclosing mark, or a later part
    of a Korean syllable."""
    return category(letter)[0] == "M" or "\u1160" <= letter <= "\u11ff" or "\ud7b0" <= letter <= "\ud7ff"


def most_stacked_marks(text: str) -> int:
    """Returns the largest number of marks that follow one letter in the text."""
    longest = run = 0
    for letter in text:
        run = run + 1 if is_mark(letter) else 0
        longest = max(longest, run)
    return longest


def escape_text(text: str) -> str:
    """Returns the text with unsafe characters written as \\u{1b}: controls, format characters, surrogates, invisible
    characters, and marks beyond the first MARKS on one letter."""
    if text.isascii() and text.isprintable():
        return text
    shown, run = "", 0
    for letter in text:
        run = run + 1 if is_mark(letter) else 0
        plain = (letter.isprintable() or letter == NO_BREAK) and letter not in INVISIBLE and run <= MARKS
        shown += letter if plain else f"\\u{{{ord(letter):x}}}"
    return shown


def escaped_snippet(text: str) -> str:
    """Returns a peer's text for an error message: escaped to ASCII and cut to SNIPPET_BYTES."""
    kept = ""
    for c in text:
        shown = c if " " <= c <= "~" else f"\\u{{{ord(c):x}}}"
        if len(kept) + len(shown) > SNIPPET_BYTES:
            return kept[: SNIPPET_BYTES - 3] + "..."
        kept += shown
    return kept


def text_columns(text: str) -> int:
    """Returns the terminal columns that an escaped text takes. An accent takes none, a wide letter two."""
    return len(text) if text.isascii() else sum(map(_columns, text))


@lru_cache(4_096)
def _columns(letter: str) -> int:
    if is_mark(letter):
        return 1 if category(letter) == "Mc" else 0  # many Indic vowel signs take a column in most terminals
    return max(wcwidth(letter), 0)  # wcwidth returns -1 for an unprintable character


@lru_cache(16)  # because several receivers often get the same text
def break_lines(text: str, width: int) -> tuple[str, ...]:
    """Returns the text, escaped, as one or more pieces of at most `width` columns. It breaks the text at spaces if
    possible, and replaces several spaces in a row by one."""
    found: list[str] = []
    piece = ""
    for word in filter(None, escape_text(text).split(" ")):
        longer = f"{piece} {word}" if piece else word
        if text_columns(longer) <= width:
            piece = longer
            continue
        if piece:
            found.append(piece)
        *full, piece = break_word(word, width)
        found += full
    return (*found, piece)


def break_word(word: str, width: int) -> list[str]:
    """Returns the word as pieces of at most `width` columns. A mark is never separated from its letter."""
    found, used = [""], 0
    for letter in word:
        wide = _columns(letter)
        if used + wide > width:
            found.append("")
            used = 0
        found[-1] += letter
        used += wide
    return found
