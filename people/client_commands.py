"""Carries out the commands that COMMANDS marks as `own`: the person's program handles them and never sends them to the
server. Pure.
"""

from __future__ import annotations

from collections.abc import Callable

from people import confirming, hosting
from people.context import build_context
from people.effects import Effects
from people.language import _
from people.lessons import create_tutor
from people.state import PersonState
from people.text.arguments import game_argument, parse_switch
from people.text.typing_context import LocalCommand
from protocol.errors import Refusal


def _answer(person: PersonState, meant: LocalCommand, effects: Effects) -> None:
    confirming.answer_confirmation(person, meant.word, effects)


def _review(person: PersonState, meant: LocalCommand, effects: Effects) -> None:
    person.step_review(meant.word, effects)


def _rematch(person: PersonState, _meant: LocalCommand, effects: Effects) -> None:
    effects.asks += person.rematch.rematch_requests(person.seats, person.name, person.settings.nonce)


def _next(person: PersonState, _meant: LocalCommand, effects: Effects) -> None:
    effects.asks += person.turning.watch_next(person.seats.listed, person.seats.here)


def _lessons(person: PersonState, meant: LocalCommand, effects: Effects) -> None:
    game = game_argument(meant.rest, build_context(person), person.prompt.memory)
    if game not in person.games:
        raise Refusal("no_such_game")
    effects.asks += person.guided.open_table_requests(
        create_tutor(person.games[game], person.settings.stand_ins.suggest_action)
    )


def _auto(person: PersonState, meant: LocalCommand, effects: Effects) -> None:
    table, on = person.seats.here, parse_switch(meant.rest, "auto")
    if table is None or not table.seat or table.state == "over":
        raise build_context(person).turn_refusal()
    if not table.game.concern_phrase:
        raise Refusal("bad_field", _("In {title} every decision concerns you.", title=table.game.title))
    table.set_auto(on=on)
    if not on:
        effects.add_line(_("You are asked for every decision again."), "good")
        return
    effects.add_line(
        _("You let things be until something concerns you: {concern}.", concern=table.game.concern_phrase), "good"
    )
    effects.add_line(_("It ends with the match, by auto off, or by an answer of your own."), "dim")
    if not table.fresh and (action := table.unconcerned_action()) is not None:
        table.schedule_action(action, person.settings.now() + person.settings.pause())


def _invite(person: PersonState, meant: LocalCommand, effects: Effects) -> None:
    assert person.settings.host is not None
    about, _gap, number = meant.rest.partition(" ")
    if about == "qr":
        effects.page = hosting.qr_code_page(person.settings.host, number.strip())
    effects.lines += hosting.invitation_lines(person.settings.host)


# The function that carries out each command, by the command's word. Each function may raise Refusal.
OWN: dict[str, Callable[[PersonState, LocalCommand, Effects], None]] = {
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
