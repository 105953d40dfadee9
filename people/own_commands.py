"""Carries out the commands that COMMANDS marks as the program's own, on a terminal and on a telnet line alike. Pure."""

from __future__ import annotations

from collections.abc import Callable

from people import confirming
from people.effects import Effects
from people.state import TypingState
from people.text.where import Own


def _answer(person: TypingState, meant: Own, effects: Effects) -> None:
    confirming.answer(person, meant.word, effects)


def _review(person: TypingState, meant: Own, effects: Effects) -> None:
    person.review.step(meant.word, person.width(), effects)


def _rematch(person: TypingState, _meant: Own, effects: Effects) -> None:
    effects.asks += person.rematch.wanted(person.seats, person.name, person.nonce)


def _next(person: TypingState, _meant: Own, effects: Effects) -> None:
    effects.asks += person.turning.on(person.seats.listed, person.seats.here)


# By the command's word; each raises Refusal.
OWN: dict[str, Callable[[TypingState, Own, Effects], None]] = {
    "yes": _answer,
    "no": _answer,
    "undo": _answer,
    "rematch": _rematch,
    "review": _review,
    "next": _next,
}
