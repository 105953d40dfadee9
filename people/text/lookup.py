"""Finds the command for a typed word or prefix, in any language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cache, lru_cache

from languages import NAMES, plain, speaking
from people.language import _
from people.text.commands import COMMANDS, OF_CUPS, SAID, Command

NOT_BY_TELNET = frozenset({"invite"})


def said_word(word: str) -> str:
    """Returns a command in the current language."""
    first, _space, second = word.partition(" ")
    if second:
        said = dict(zip(OF_CUPS.split(), _(OF_CUPS).split(), strict=True)).get(second, second)
        return f"{said_word(first)} {said}"
    if word == "cup":
        return _("cup")
    return dict(zip(SAID.split(), _(SAID).split(), strict=True)).get(word, word)


@cache
def words_of_others() -> dict[str, str]:
    """Maps the words of all languages but English, without accents, to their commands."""
    found = in_all_languages([*SAID.split(), "cup", *(f"cup {word}" for word in OF_CUPS.split())], said_word)
    return {said: word for said, word in found.items() if said not in COMMANDS}


def in_all_languages(words: Iterable[str], say: Callable[[str], str]) -> dict[str, str]:
    """Maps the result of `say` for each word in any language, without accents, to that word."""
    found = {}
    for name in NAMES:
        with speaking(name):
            found.update({plain(say(word)): word for word in words})
    return found


def commands(without: Collection[str] = ()) -> dict[str, Command]:
    """Returns all commands except those."""
    return {word: row for word, row in COMMANDS.items() if word not in without}


def commands_of(word: str, without: Collection[str] = ()) -> list[str]:
    """Returns the command of that name, or else those that begin with it."""
    return list(_commands_of(word, frozenset(without), tuple(COMMANDS)))


@lru_cache(maxsize=256)  # most lines begin with one of a few words
def _commands_of(word: str, without: frozenset[str], words: tuple[str, ...]) -> tuple[str, ...]:
    known = [name for name in words if name not in without]
    shortened = (name for name in known if word and name.startswith(word) and not COMMANDS[name].in_full)
    return (word,) if word in known else tuple(shortened)


def short_forms() -> dict[str, str]:
    """Returns each letter or word that stands for a command."""
    return _short_forms(tuple(COMMANDS))


@lru_cache(maxsize=2)  # used for every typed line
def _short_forms(words: tuple[str, ...]) -> dict[str, str]:
    return {short: word for word in words for short in COMMANDS[word].short}


@lru_cache(maxsize=2)
def _groups(words: tuple[str, ...]) -> frozenset[str]:
    """Returns the first words of two-word commands."""
    return frozenset(word.partition(" ")[0] for word in words if " " in word)


def split(line: str) -> tuple[str, str]:
    """Returns the command's word, or its two words, in lower case, and the rest."""
    first, _space, rest = line.partition(" ")
    second, _space, more = rest.strip(" ").partition(" ")
    first, two = first.lower(), f"{first} {second}".lower()
    if second and first in _groups(tuple(COMMANDS)):
        return short_forms().get(two, two), more.strip(" ")
    return first, rest.strip(" ")


def full_word(word: str) -> str:
    """Returns the word without a leading slash, with a short form expanded."""
    short, word = short_forms(), word.lower()
    bare = word.removeprefix("/")
    return short.get(word) or short.get(bare, bare)


def is_too_long(command: str, rest: str) -> bool:
    """Returns whether more words follow than the command takes. The word may then be a game's action."""
    return len(rest.split()) > len(COMMANDS[command].arguments.split())
