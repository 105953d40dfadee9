"""Text for terminals: what may be printed as it is, and how the rest is written."""

from __future__ import annotations

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
