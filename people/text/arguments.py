"""The words after a typed command, converted to fields of its request."""

from __future__ import annotations

import re
from difflib import get_close_matches

from languages import NAMES, named, plain, speaking
from people.language import _
from people.text.where import Memory, Where
from protocol.errors import Refusal
from protocol.messages.parts import Map

CLOSE = 0.7  # the least similarity of a word that is offered for another; 1 means equal
YES, NO = ("true", "on", "yes"), ("false", "off", "no")
NUMBER = re.compile(r"[0-9]{1,9}")


class Arguments:
    """The words after a command, and its context. Raises Refusal if a required word is missing."""

    def __init__(self, rest: str, where: Where, memory: Memory) -> None:
        self.rest, self.where, self.memory = rest, where, memory
        self.words = [word for word in rest.split(" ") if word]
        self.one, self.two = (*self.words, "", "")[:2]
        self.after_one = rest[len(self.one) :].strip(" ")

    def here(self) -> Map:
        """Returns the current table."""
        if not self.where.table:
            raise Refusal("not_seated", _("You are at no table; open, join or watch one."))
        return {"table": self.where.table}

    def game(self) -> str:
        """Returns the game of the current table, or the only game there is."""
        if self.where.game:
            return self.where.game
        if len(self.where.games) == 1:
            return next(iter(self.where.games))
        raise Refusal("missing_field", _("Say which game: {listed}.", listed=", ".join(self.where.games)))

    def table(self, state: str) -> str:
        """Returns the named table, or else the only one in that state; for a person without a seat, one that they
        left."""
        left = self.where.left() if state == "open" else []
        fitting = [self.one] if self.one else left or self.where.tables(state)
        if not fitting:
            raise Refusal("missing_field", _("No table is {state} now; tables lists all.", state=_(state)))
        if len(fitting) > 1:
            listed = ", ".join(fitting[:9]) + (", ..." if len(fitting) > 9 else "")
            raise Refusal("missing_field", _("Say which table: {listed}; tables lists all.", listed=listed))
        return fitting[0]


def game_named(word: str, where: Where) -> str:
    """Returns the game with that id or part of an id. Suggests the closest one; a word like none is returned
    unchanged."""
    if word in where.games or (found := named(word, where.games)):
        return word if word in where.games else found
    for like in get_close_matches(plain(word), where.games, 1, CLOSE):
        raise Refusal("no_such_game", _("There is no game {word!r}. Do you mean {like}?", word=word[:20], like=like))
    return word


def game_meant(rest: str, where: Where, memory: Memory) -> str:
    """Returns the game named by the words after a command, or that of the current table, or the only one."""
    return game_named(rest, where) if rest else Arguments("", where, memory).game()


def need(word: str, what: str) -> str:
    """Returns the word. If it is missing, raises a Refusal that says what to add."""
    if not word:
        raise Refusal("missing_field", _("Add {what}.", what=what))
    return word


def yes_or_no(word: str) -> bool:
    """Returns the word as a choice. Raises Refusal for any other word."""
    if word not in YES and word not in NO:
        raise Refusal("bad_field", _("Expected yes or no, not {word!r}.", word=word[:20]))
    return word in YES


def switched(word: str, command: str) -> bool:
    """Returns whether the word switches that command on; no word does. Raises Refusal for words but on and off."""
    states = {"": True, **dict.fromkeys(YES, True), **dict.fromkeys(NO, False)}
    for name in NAMES:
        with speaking(name):
            states |= dict.fromkeys(_("on yes").split(), True) | dict.fromkeys(_("off no").split(), False)
    if word.lower() not in states:
        raise Refusal("bad_field", _("Type {command} on or {command} off.", command=command))
    return states[word.lower()]


def number(word: str, what: str) -> int:
    """Returns the word as a number."""
    if not NUMBER.fullmatch(word):
        if word.isascii() and word.isdigit():
            raise Refusal("bad_number", _("Expected {what}, of at most nine digits.", what=what))
        raise Refusal("bad_number", _("Expected {what}, a whole number.", what=what))
    return int(word)
