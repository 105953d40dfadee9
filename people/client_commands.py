"""Carries out the commands that COMMANDS marks as `own`: the person's program handles them and never sends them to the
server. Pure.
"""

from __future__ import annotations

from collections.abc import Callable

from people import confirming, hosting
from people.context import where
from people.effects import Effects
from people.language import _
from people.lessons import tutor_of
from people.state import PersonState
from people.text.arguments import game_meant, parse_switch
from people.text.typing_context import Own
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


def _auto(person: PersonState, meant: Own, effects: Effects) -> None:
    table, on = person.seats.here, parse_switch(meant.rest, "auto")
    if table is None or not table.seat or table.state == "over":
        raise where(person).not_your_turn()
    if not table.game.concern:
        raise Refusal("bad_field", _("In {title} every decision concerns you.", title=table.game.title))
    table.let_be(on=on)
    if not on:
        effects.say(_("You are asked for every decision again."), "good")
        return
    effects.say(_("You let things be until something concerns you: {concern}.", concern=table.game.concern), "good")
    effects.say(_("It ends with the match, by auto off, or by an answer of your own."), "dim")
    if not table.fresh and (action := table.unconcerned()) is not None:
        table.decide_alone(action, person.settings.now() + person.settings.pause())


def _invite(person: PersonState, meant: Own, effects: Effects) -> None:
    assert person.settings.host is not None
    about, _gap, number = meant.rest.partition(" ")
    if about == "qr":
        effects.page = hosting.codes(person.settings.host, number.strip())
    effects.lines += hosting.invitation(person.settings.host)


# The function that carries out each command, by the command's word. Each function may raise Refusal.
OWN: dict[str, Callable[[PersonState, Own, Effects], None]] = {
    "yes": _answer,
    "no": _answer,
    "undo": _answer,
    "rematch": _rematch,
    "review": _review,
    "next": _next,
    "lessons": _lessons,
    "invite": _invite,
    "auto": _auto,
}
