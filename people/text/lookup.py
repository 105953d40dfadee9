"""Finds the command that a typed word means: its full word, its first letters or a short form, in any language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cache, lru_cache

from languages import NAMES, speaking, strip_accents
from people.language import _
from people.text.commands import COMMANDS, OF_CUPS, SAID, Command

NOT_BY_TELNET = frozenset({"invite"})


def translated_word(word: str) -> str:
    """Returns the word or words of a command in the current language."""
    first, _space, second = word.partition(" ")
    if second:
        said = dict(zip(OF_CUPS.split(), _(OF_CUPS).split(), strict=True)).get(second, second)
        return f"{translated_word(first)} {said}"
    if word == "cup":
        return _("cup")
    return dict(zip(SAID.split(), _(SAID).split(), strict=True)).get(word, word)


@cache
def commands_by_translation() -> dict[str, str]:
    """Returns the command for each word that means it in another language than English. The keys have no accents."""
    found = translations_of([*SAID.split(), "cup", *(f"cup {word}" for word in OF_CUPS.split())], translated_word)
    return {said: word for said, word in found.items() if said not in COMMANDS}


def translations_of(words: Iterable[str], say: Callable[[str], str]) -> dict[str, str]:
    """Returns a map from the translations of `words` to the words. `say` translates a word to the current language,
    which is set to each language in turn. The keys have no accents."""
    found = {}
    for name in NAMES:
        with speaking(name):
            found.update({strip_accents(say(word)): word for word in words})
    return found


def available_commands(without: Collection[str] = ()) -> dict[str, Command]:
    """Returns all commands except those whose words are in `without`."""
    return {word: row for word, row in COMMANDS.items() if word not in without}


def matching_commands(word: str, without: Collection[str] = ()) -> list[str]:
    """Returns a list with the command `word` alone, if there is one; otherwise all commands that `word` may
    abbreviate."""
    return list(_commands_of(word, frozenset(without), tuple(COMMANDS)))


@lru_cache(maxsize=256)  # most typed lines begin with one of a few words
def _commands_of(word: str, without: frozenset[str], words: tuple[str, ...]) -> tuple[str, ...]:
    known = [name for name in words if name not in without]
    shortened = (name for name in known if word and name.startswith(word) and not COMMANDS[name].in_full)
    return (word,) if word in known else tuple(shortened)


def short_forms() -> dict[str, str]:
    """Returns the command for each of its short forms, a letter or another word."""
    return _short_forms(tuple(COMMANDS))


@lru_cache(maxsize=2)  # because it is called for every typed line
def _short_forms(words: tuple[str, ...]) -> dict[str, str]:
    return {short: word for word in words for short in COMMANDS[word].short}


@lru_cache(maxsize=2)
def _groups(words: tuple[str, ...]) -> frozenset[str]:
    """Returns the first words of the commands that consist of two words, such as `cup`."""
    return frozenset(word.partition(" ")[0] for word in words if " " in word)


def split_command(line: str) -> tuple[str, str]:
    """Splits a line into its command, one word or the two words of a two-word command, in lower case, and the rest."""
    first, _space, rest = line.partition(" ")
    second, _space, more = rest.strip(" ").partition(" ")
    first, two = first.lower(), f"{first} {second}".lower()
    if second and first in _groups(tuple(COMMANDS)):
        return short_forms().get(two, two), more.strip(" ")
    return first, rest.strip(" ")


def expand_word(word: str) -> str:
    """Returns the command for a short form; any other word in lower case, without a leading slash."""
    short, word = short_forms(), word.lower()
    bare = word.removeprefix("/")
    return short.get(word) or short.get(bare, bare)


def is_too_long(command: str, rest: str) -> bool:
    """Returns whether `rest` has more words than the command has arguments. The line may then be an action of a game
    that begins with the same word."""
    return len(rest.split()) > len(COMMANDS[command].arguments.split())
