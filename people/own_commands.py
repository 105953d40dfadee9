"""Carries out the commands that COMMANDS marks as the person's own, which are never sent. Pure."""

from __future__ import annotations

from collections.abc import Callable

from people import confirming, hosting
from people.effects import Effects
from people.lessons import tutor_of
from people.place import where
from people.state import PersonState
from people.text.arguments import game_meant
from people.text.where import Own
from protocol.errors import Refusal


def _answer(person: PersonState, meant: Own, effects: Effects) -> None:
    confirming.answer(person, meant.word, effects)


def _review(person: PersonState, meant: Own, effects: Effects) -> None:
    person.step_through(meant.word, effects)


def _rematch(person: PersonState, _meant: Own, effects: Effects) -> None:
    effects.asks += person.rematch.wanted(person.seats, person.name, person.settings.nonce)


def _next(person: PersonState, _meant: Own, effects: Effects) -> None:
    effects.asks += person.turning.on(person.seats.listed, person.seats.here)


def _lessons(person: PersonState, meant: Own, effects: Effects) -> None:
    game = game_meant(meant.rest, where(person), person.prompt.memory)
    if game not in person.games:
        raise Refusal("no_such_game")
    effects.asks += person.guided.prepare(tutor_of(person.games[game], person.settings.stand_ins.advise))


def _invite(person: PersonState, meant: Own, effects: Effects) -> None:
    assert person.settings.host is not None
    about, _gap, number = meant.rest.partition(" ")
    if about == "qr":
        effects.page = hosting.codes(person.settings.host, number.strip())
    effects.lines += hosting.invitation(person.settings.host)


# By the command's word; each raises Refusal.
OWN: dict[str, Callable[[PersonState, Own, Effects], None]] = {
    "yes": _answer,
    "no": _answer,
    "undo": _answer,
    "rematch": _rematch,
    "review": _review,
    "next": _next,
    "lessons": _lessons,
    "invite": _invite,
}
