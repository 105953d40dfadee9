"""Stores the lines that the user has typed, for later runs. Leaves out tokens, codes and private messages."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from prompt_toolkit.history import FileHistory

from languages import strip_accents
from people.text.arguments import CLOSE
from people.text.commands import COMMANDS
from people.text.lookup import commands_by_translation, expand_word, matching_commands
from protocol import messages as m

HISTORY_LINES = 2_000
_SECRET_WORDS = ("code", "token")
_SECRET_REQUESTS = (m.Hello, m.Tell, m.Password, m.Operator)


def is_storable(line: str) -> bool:
    """Returns whether the line may be stored. A line with a token, code or password may not, even if its command is
    mistyped; nor may a private message."""
    typed = expand_word(line.strip().split(" ")[0])
    first = commands_by_translation().get(strip_accents(typed), typed)
    known = matching_commands(first)
    private = any(COMMANDS[word].request in _SECRET_REQUESTS for word in known)
    mistyped = not known and get_close_matches(strip_accents(typed), _secret_words(), 1, CLOSE)
    return bool(first) and first not in _SECRET_WORDS and not private and not mistyped


def _secret_words() -> list[str]:
    """Returns the commands, in all languages, whose lines are never stored."""
    secret = [word for word, row in COMMANDS.items() if row.request in _SECRET_REQUESTS]
    return [*secret, *(said for said, word in commands_by_translation().items() if word in secret)]


class History(FileHistory):
    """prompt_toolkit's history file without the lines that `is_storable` refuses. It is cut to HISTORY_LINES when it is
    opened.

    Raises OSError.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        there = list(super().load_history_strings())
        kept = [entry for entry in reversed(there) if is_storable(entry)]
        # an older version of magehall stored lines that are refused now
        if len(kept) > HISTORY_LINES or len(kept) < len(there):
            path.write_text("", encoding="utf-8")
            for entry in kept[-HISTORY_LINES:]:
                super().store_string(entry)

    def store_string(self, string: str) -> None:
        if is_storable(string):
            super().store_string(string)
