"""Text of and for terminals: what a typed line is made of, what may be printed, and how the rest is written."""

from __future__ import annotations

import re

from protocol.errors import RemoteProtocolError

_NUMBER = re.compile(r"[0-9]{1,9}\Z")  # isdigit and int take far more than this

SNIPPET_BYTES = 32  # as much of a peer's input as an error repeats


def escape(text: str) -> str:
    """The text with all that is not printable (controls, format characters, surrogates) written as \\u{1b}."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in text)


def snippet(text: str) -> str:
    """A peer's text, ASCII, escaped and cut to SNIPPET_BYTES, to be repeated in an error."""
    kept = ""
    for c in text[: SNIPPET_BYTES + 1]:
        shown = c if " " <= c <= "~" else f"\\u{{{ord(c):x}}}"
        if len(kept) + len(shown) > SNIPPET_BYTES:
            return kept[: SNIPPET_BYTES - 3] + "..."
        kept += shown
    return kept


def words(line: str) -> list[str]:
    """The words of a typed line: only the ASCII space parts them."""
    return [word for word in line.split(" ") if word]


def number(word: str) -> int:
    """A typed number: one to nine ASCII digits. Raises RemoteProtocolError `bad_number`."""
    if not _NUMBER.match(word):
        raise RemoteProtocolError("bad_number", f"{snippet(word)} is not a whole number.")
    return int(word)
