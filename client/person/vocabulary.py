"""What completes a half-typed line. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.text.commands import commands, full_word


def lines_of(text: str) -> list[str]:
    """What was typed or pasted, line by line; lines without a word are left out."""
    return [line for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n") if line.strip()]


def next_words(text: str, phrases: Sequence[str]) -> list[str]:
    """The words that may stand where the last word of `text` is being typed.

    `phrases` are whole lines, such as the legal actions written out; commands come after them, at a line's start only.
    """
    words = text.split(" ")
    before, last = [word.lower() for word in words[:-1] if word], words[-1].lower()
    if before:
        before[0] = full_word(before[0])
    if before and before[0] == "why":
        before = before[1:]
    found: dict[str, None] = {}
    for phrase in phrases:
        parts = phrase.split(" ")
        if len(parts) > len(before) and _agree(parts, before) and parts[len(before)].lower().startswith(last):
            found[parts[len(before)]] = None
    if len(words) == 1:
        found |= dict.fromkeys(name for name in commands(says_hello=False) if name.startswith(last))
    return list(found)


def _agree(parts: Sequence[str], before: Sequence[str]) -> bool:
    return all(part.lower().startswith(word) for part, word in zip(parts, before, strict=False))
