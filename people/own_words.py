"""The client's own words, of which a server knows nothing, as people of each language type them."""

from __future__ import annotations

from functools import cache

from languages import plain
from people.language import N_, _
from people.text.lookup import in_all_languages

OWN = N_("yes no undo review rematch next invite")


def said_own(word: str) -> str:
    """One of the words as it is said in the current language."""
    return dict(zip(OWN.split(), _(OWN).split(), strict=True)).get(word, word)


def own_word(line: str) -> str:
    """The line, with a first word of another language replaced by the one that it is said for."""
    first, space, rest = line.strip().partition(" ")
    return f"{_of_others()[plain(first)]}{space}{rest}" if plain(first) in _of_others() else line


@cache
def _of_others() -> dict[str, str]:
    return in_all_languages(OWN.split(), said_own)
