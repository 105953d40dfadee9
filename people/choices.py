"""The choices of a person, each one line that they may type now. Completion, numbered lists and buttons all show these
choices. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from games.api import to_map
from games.spelling import action_label, typed_action_text
from matches.turn import Turn
from people.confirming import is_decision_held
from people.language import _
from people.state import PersonState
from people.table import PersonTable
from people.text.commands import COMMANDS
from people.text.lookup import translated_word
from people.text.sentences import numbered_rows
from protocol import messages as m
from protocol.messages.parts import Map


@dataclass(frozen=True)
class Choice:
    """One thing that the person may do now: an action of the game or a command."""

    line: str  # the line to type in order to do it
    label: str  # the text of the choice in a list or on a button
    action: Map | None = None  # the action of the game as a map; None for a command
    preview: Callable[[], str] = field(default=str, compare=False)

    @property
    def effect_text(self) -> str:
        """What the choice would do, in one or two sentences; "" if there is no preview. Computed on demand."""
        return self.preview()


def current_choices(person: PersonState) -> list[Choice]:
    """Returns all choices of the person now, the most likely one first."""
    table = person.seats.here
    if is_decision_held(person):
        return [_command("yes"), _command("undo")]
    if table is not None and table.turn is not None:
        return action_choices(table.turn, table.people) if table.is_asked else []
    steps = [*(Choice(step, step) for step in ("n", "p", "q"))] if person.review.is_on else []
    return [*steps, *(_in_lobby(person) if table is None else _at_table(person, table))]


def action_choices(turn: Turn, people: Sequence[str]) -> list[Choice]:
    """Returns a choice for each legal action, in the order of the numbers that `legal` lists."""
    words = turn.game.words
    return [
        Choice(
            typed_action_text(words, action),
            action_label(words, action),
            to_map(action),
            partial(words.preview_action, turn.view, action, people) if turn.view is not None else str,
        )
        for action in turn.legal
    ]


def legal_rows(turn: Turn) -> list[str]:
    """Returns one row for each legal action: its number and its typed form."""
    return numbered_rows(choice.line for choice in action_choices(turn, ()))


def _at_table(person: PersonState, table: PersonTable) -> Iterator[Choice]:
    if table.state == "over":
        if table.seat and table.known is not None:
            yield _command("rematch")
        if person.review.match is not None or person.review.comes or person.settings.server is not None:
            yield _command("review")
    if not table.seat:
        yield _command("next")
    elif table.state == "open" and person.prompt.memory.owners.get(table.id) == person.name:
        if all(table.people):
            yield _command("start")
        else:
            yield from (_command("add", bot) for bot in person.settings.stand_ins.bot_names([table.game]))
    if table.state == "playing" and table.seat and not table.played_by and not table.game.no_resigning_reason:
        yield _command("resign")
    yield _command("leave")


def _in_lobby(person: PersonState) -> Iterator[Choice]:
    for info in person.seats.listed:
        if info.state == "open" and any(seat.kind == "empty" for seat in info.seats):
            yield _at("join", info)
    for info in person.seats.listed:
        if info.state == "playing":
            yield _at("watch", info)
    yield from (_command("open", game) for game in person.games)
    yield _command("tables")


def _at(word: str, info: m.TableInfo) -> Choice:
    names = ", ".join(seat.name for seat in info.seats if seat.name)
    made = _command(word, info.table)
    return Choice(made.line, f"{made.line} ({info.game}: {names})", None, made.preview)


def _command(word: str, argument: str = "") -> Choice:
    line = f"{translated_word(word)} {argument}".rstrip()
    return Choice(line, line, None, partial(_, COMMANDS[word].help))
