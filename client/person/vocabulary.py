"""What a person may type: commands, one-letter aliases, and what completes a half-typed line. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protocol.text.help import COMMANDS as TELNET_COMMANDS

# The telnet face has the same commands, but for the name, which the client gives by itself.
COMMANDS: dict[str, tuple[str, str]] = {name: row for name, row in TELNET_COMMANDS.items() if name != "hello"}

ALIASES = {
    "?": "legal",
    "h": "help",
    "l": "look",
    "q": "quit",
    "s": "say",
    "'": "say",
    "t": "tell",
    "w": "who",
    "k": "clock",
    "exit": "quit",
    "bye": "quit",
}
GAME_ALIASES = {"b": "bet", "c": "cast", "d": "discard", "p": "pass"}  # where the game has that word
REPLY = "r"  # `/r text` answers who told you something last


def expand(line: str, game_words: Iterable[str]) -> str:
    """The typed line with its alias written out; one leading slash is dropped."""
    line = line.strip().removeprefix("/").lstrip()
    first, space, rest = line.partition(" ")
    if line.startswith("'") and len(first) > 1:
        return f"say {line[1:]}"
    word = first.lower()
    if word in ALIASES:
        return ALIASES[word] + space + rest
    if GAME_ALIASES.get(word) in set(game_words):
        return GAME_ALIASES[word] + space + rest
    return line


def command_of(word: str) -> str:
    """The command that the word names or begins, "" if none or several do."""
    word = word.lower()
    if word in COMMANDS:
        return word
    fitting = [name for name in COMMANDS if name.startswith(word)] if word else []
    return fitting[0] if len(fitting) == 1 else ""


def game_words(help_text: str) -> list[str]:
    """The action words of a game, as its help lists them, a row each."""
    return list(dict.fromkeys(row.split()[0].lower() for row in help_text.split("\n") if row.strip()))


def lines_of(text: str) -> list[str]:
    """What was typed or pasted, line by line; lines without a word are left out."""
    return [line for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n") if line.strip()]


def next_words(text: str, phrases: Sequence[str], commands: Iterable[str] = COMMANDS) -> list[str]:
    """The words that may stand where the last word of `text` is being typed.

    `phrases` are whole lines, such as the legal actions written out; commands come after them, at a line's start only.
    """
    words = text.split(" ")
    before, last = [word.lower() for word in words[:-1] if word], words[-1].lower()
    if before:
        before = expand(" ".join(before), [phrase.split(" ")[0] for phrase in phrases]).split(" ")
    if before and before[0] == "why":
        before = before[1:]
    found: dict[str, None] = {}
    for phrase in phrases:
        parts = phrase.split(" ")
        if len(parts) > len(before) and _agree(parts, before) and parts[len(before)].lower().startswith(last):
            found[parts[len(before)]] = None
    if len(words) == 1:
        found |= dict.fromkeys(name for name in commands if name.startswith(last))
    return list(found)


def _agree(parts: Sequence[str], before: Sequence[str]) -> bool:
    return all(part.lower().startswith(word) for part, word in zip(parts, before, strict=False))
