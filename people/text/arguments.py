"""The words after a typed command, as its request needs them."""

from __future__ import annotations

import re
from difflib import get_close_matches

from languages import NAMES, named, plain, speaking
from people.language import _
from people.text.where import Memory, Where
from protocol.errors import Refusal
from protocol.messages.parts import Map

CLOSE = 0.7  # how alike a word is that is offered for another; 1 is the same
YES, NO = ("true", "on", "yes"), ("false", "off", "no")
NUMBER = re.compile(r"[0-9]{1,9}")


class Arguments:
    """The words after a command, and where it was typed. Raises Refusal if something needed is missing."""

    def __init__(self, rest: str, where: Where, memory: Memory) -> None:
        self.rest, self.where, self.memory = rest, where, memory
        self.words = [word for word in rest.split(" ") if word]
        self.one, self.two = (*self.words, "", "")[:2]
        self.after_one = rest[len(self.one) :].strip(" ")

    def here(self) -> Map:
        """The current table."""
        if not self.where.table:
            raise Refusal("not_seated", _("You are at no table; open, join or watch one."))
        return {"table": self.where.table}

    def game(self) -> str:
        """The game of the current table, or the only game there is."""
        if self.where.game:
            return self.where.game
        if len(self.where.games) == 1:
            return next(iter(self.where.games))
        raise Refusal("missing_field", _("Say which game: {listed}.", listed=", ".join(self.where.games)))

    def table(self, state: str) -> str:
        """The table that is named, or else the only one in that state; for who looks for a seat, one that they left."""
        left = self.where.left() if state == "open" else []
        fitting = [self.one] if self.one else left or self.where.tables(state)
        if not fitting:
            raise Refusal("missing_field", _("No table is {state} now; tables lists all.", state=_(state)))
        if len(fitting) > 1:
            listed = ", ".join(fitting[:9]) + (", ..." if len(fitting) > 9 else "")
            raise Refusal("missing_field", _("Say which table: {listed}; tables lists all.", listed=listed))
        return fitting[0]


def game_named(word: str, where: Where) -> str:
    """The game that a word means: its id or a part of it. Offers the closest one; what is like none stays as it is."""
    if word in where.games or (found := named(word, where.games)):
        return word if word in where.games else found
    for like in get_close_matches(plain(word), where.games, 1, CLOSE):
        raise Refusal("no_such_game", _("There is no game {word!r}. Do you mean {like}?", word=word[:20], like=like))
    return word


def game_meant(rest: str, where: Where, memory: Memory) -> str:
    """The game that the words after a command name, or else that of the current table, or the only one."""
    return game_named(rest, where) if rest else Arguments("", where, memory).game()


def need(word: str, what: str) -> str:
    """The word; if it is missing, a Refusal that says what to add."""
    if not word:
        raise Refusal("missing_field", _("Add {what}.", what=what))
    return word


def yes_or_no(word: str) -> bool:
    """The word as a choice; any other is a Refusal."""
    if word not in YES and word not in NO:
        raise Refusal("bad_field", _("Expected yes or no, not {word!r}.", word=word[:20]))
    return word in YES


def switched(word: str, command: str) -> bool:
    """Whether a word after that command switches it on; no word does. Raises Refusal for any other than on and off."""
    states = {"": True, **dict.fromkeys(YES, True), **dict.fromkeys(NO, False)}
    for name in NAMES:
        with speaking(name):
            states |= dict.fromkeys(_("on yes").split(), True) | dict.fromkeys(_("off no").split(), False)
    if word.lower() not in states:
        raise Refusal("bad_field", _("Type {command} on or {command} off.", command=command))
    return states[word.lower()]


def number(word: str, what: str) -> int:
    """The word as a number."""
    if not NUMBER.fullmatch(word):
        if word.isascii() and word.isdigit():
            raise Refusal("bad_number", _("Expected {what}, of at most nine digits.", what=what))
        raise Refusal("bad_number", _("Expected {what}, a whole number.", what=what))
    return int(word)
