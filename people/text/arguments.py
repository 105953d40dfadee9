"""Converts the words after a typed command to the fields of the command's request."""

from __future__ import annotations

import re
from difflib import get_close_matches

from languages import NAMES, find_name, speaking, strip_accents
from people.language import _
from people.text.typing_context import TypedMemory, TypingContext
from protocol.errors import Refusal
from protocol.messages.parts import Map

CLOSE = 0.7  # the least similarity, from 0 to 1 for equal, of a word that is suggested for a mistyped one
YES, NO = ("true", "on", "yes"), ("false", "off", "no")
NUMBER = re.compile(r"[0-9]{1,9}")


class Arguments:
    """The words after a typed command, and the context in which it was typed. The methods raise Refusal if a required
    word is missing."""

    def __init__(self, rest: str, where: TypingContext, memory: TypedMemory) -> None:
        self.rest, self.where, self.memory = rest, where, memory
        self.words = [word for word in rest.split(" ") if word]
        self.one, self.two = (*self.words, "", "")[:2]
        self.after_one = rest[len(self.one) :].strip(" ")

    def table_field(self) -> Map:
        """Returns the request field `table` with the current table. Raises Refusal if there is none."""
        if not self.where.table:
            raise Refusal("not_seated", _("You are at no table; open, join or watch one."))
        return {"table": self.where.table}

    def game_id(self) -> str:
        """Returns the id of the current table's game or, without a table, of the server's only game. Raises Refusal if
        the server has several games."""
        if self.where.game:
            return self.where.game
        if len(self.where.games) == 1:
            return next(iter(self.where.games))
        raise Refusal("missing_field", _("Say which game: {listed}.", listed=", ".join(self.where.games)))

    def table_id(self, state: str) -> str:
        """Returns the id of the table that the command names. If it names none, returns the only table in that state;
        for "open", a running match in which the typist has left a seat takes precedence. Raises Refusal if several
        tables fit."""
        left = self.where.left() if state == "open" else []
        fitting = [self.one] if self.one else left or self.where.tables(state)
        if not fitting:
            raise Refusal("missing_field", _("No table is {state} now; tables lists all.", state=_(state)))
        if len(fitting) > 1:
            listed = ", ".join(fitting[:9]) + (", ..." if len(fitting) > 9 else "")
            raise Refusal("missing_field", _("Say which table: {listed}; tables lists all.", listed=listed))
        return fitting[0]


def resolve_game_id(word: str, where: TypingContext) -> str:
    """Returns the id of the game that `word` names, by its id or a part of it. Raises Refusal with a suggestion if
    `word` is similar to an id; returns any other word unchanged, so that the server refuses it."""
    if word in where.games or (found := find_name(word, where.games)):
        return word if word in where.games else found
    for like in get_close_matches(strip_accents(word), where.games, 1, CLOSE):
        raise Refusal("no_such_game", _("There is no game {word!r}. Do you mean {like}?", word=word[:20], like=like))
    return word


def game_argument(rest: str, where: TypingContext, memory: TypedMemory) -> str:
    """Returns the id of the game that the words after a command name. Without words, returns the game of the current
    table, or the server's only game."""
    return resolve_game_id(rest, where) if rest else Arguments("", where, memory).game_id()


def require_word(word: str, what: str) -> str:
    """Returns the word. If it is "", raises a Refusal that tells the typist to add `what`."""
    if not word:
        raise Refusal("missing_field", _("Add {what}.", what=what))
    return word


def parse_yes_or_no(word: str) -> bool:
    """Returns True for a word in YES, False for a word in NO. Raises Refusal for any other word."""
    if word not in YES and word not in NO:
        raise Refusal("bad_field", _("Expected yes or no, not {word!r}.", word=word[:20]))
    return word in YES


def parse_switch(word: str, command: str) -> bool:
    """Returns whether `word`, the argument of that command, is `on` or "" and not `off`, in any language. Raises
    Refusal for any other word."""
    states = {"": True, **dict.fromkeys(YES, True), **dict.fromkeys(NO, False)}
    for name in NAMES:
        with speaking(name):
            states |= dict.fromkeys(_("on yes").split(), True) | dict.fromkeys(_("off no").split(), False)
    if word.lower() not in states:
        raise Refusal("bad_field", _("Type {command} on or {command} off.", command=command))
    return states[word.lower()]


def parse_number(word: str, what: str) -> int:
    """Returns the word as a whole number. Raises Refusal with the description `what` if it is none."""
    if not NUMBER.fullmatch(word):
        if word.isascii() and word.isdigit():
            raise Refusal("bad_number", _("Expected {what}, of at most nine digits.", what=what))
        raise Refusal("bad_number", _("Expected {what}, a whole number.", what=what))
    return int(word)
