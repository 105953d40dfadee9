"""Computes the context in which a typed line is read: the current table, its open decision, the commands that exist.
Pure.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from people.following import has_seat
from people.services import ServerServices
from people.settings import PersonSettings
from people.state import PersonState
from people.text.lookup import NOT_BY_TELNET
from people.text.reading import expand_line, is_command
from people.text.typing_context import AwaitedDecision, TypingContext, idle_code
from protocol.errors import Refusal
from protocol.messages.parts import Map

NOT_HERE = frozenset({"hello"})  # commands that a client's user cannot type, because the client itself sends them


def is_ready_for(person: PersonState, line: str) -> bool:
    """Returns whether a line that was typed ahead may be carried out now: before the match only if it is a command,
    during the match only while the person has a decision to make."""
    seats = [table for table in person.seats.tables.values() if table.seat and table.state != "over"]
    if not seats or any(table.turn is not None and not table.fresh for table in seats):
        return True
    return all(table.state == "open" for table in seats) and is_plain_command(person, line)


def is_plain_command(person: PersonState, line: str) -> bool:
    """Returns whether the line is a command, whatever the game, and not `yes`, which confirms a held decision."""
    line, there = line.replace("\t", " ").strip(" "), build_context(person)
    return is_command(line, there) and expand_line(line, there) != "yes"


def build_context(person: PersonState) -> TypingContext:
    """Returns the context in which a line that the person types now is read."""
    table = person.seats.here
    return TypingContext(
        games=person.games,
        tables=partial(_tables, person),
        table=table.id if table is not None else "",
        game=table.game.id if table is not None else "",
        forms=table.game.words.help_text if table is not None else "",
        aim=table.game.objective if table is not None else "",
        may_resign=table is None or not table.game.no_resigning_reason,
        hint=lambda: person.settings.stand_ins.hint_text(table) if table is not None else "",
        idle=lambda: idle_code(table.state, sits=table.seat > 0) if table is not None else "",
        played_by=lambda: table.played_by if table is not None else "",
        left=partial(_left, person),
        delay=partial(_delay, person),
        decision=partial(_decision, person),
        nonce=person.settings.nonce,
        pinned=person.settings.pinned,
        is_stranger=lambda: not person.name,
        without=_not_here(person.settings),
    )


def _not_here(settings: PersonSettings) -> frozenset[str]:
    """Returns the commands that a person with these settings cannot use."""
    if settings.server is not None:
        return NOT_BY_TELNET
    return NOT_HERE if settings.host is not None else NOT_HERE | {"invite"}


def _decision(person: PersonState) -> AwaitedDecision | None:
    """Returns the open decision at the current table; None if there is none. Inside a server, reading a mistyped line
    for it costs the person a charge."""
    table, server = person.seats.here, person.settings.server
    decision = table.awaited_decision() if table is not None else None
    if decision is None or server is None:
        return decision
    return replace(decision, read=partial(_read, server, decision))


def _read(server: ServerServices, decision: AwaitedDecision, line: str) -> list[Map]:
    """Returns the actions that a line stands for. Charges the person for a line that cannot be read, because the search
    for similar words takes server time."""
    try:
        return decision.read(line)
    except Refusal:
        server.charge_for_spelling()
        raise


def _tables(person: PersonState, state: str) -> list[str]:
    """Returns the ids of the listed tables in that state. Of open tables, only those with an empty seat are returned if
    there is one."""
    found = [info for info in person.seats.listed if info.state == state]
    free = [info for info in found if any(seat.kind == "empty" for seat in info.seats)]
    return [info.table for info in (free or found if state == "open" else found)]


def _left(person: PersonState) -> list[str]:
    there = [info for info in person.seats.listed if info.state == "playing" and info.table not in person.seats.tables]
    return [info.table for info in there if has_seat(info, person.name)]


def _delay(person: PersonState, table: str) -> int:
    """Returns the delay of a table's open hands in seconds; 0 if there are none, or if the person has a seat at that
    table and so has agreed to them already."""
    info = next((one for one in person.seats.listed if one.table == table), None)
    return info.delay if info is not None and not has_seat(info, person.name) else 0


def action_forms(person: PersonState) -> dict[str, str]:
    """Returns the help on how to type actions, by game id: of the current table's game or, without a table, of every
    game."""
    games = [person.seats.here.game] if person.seats.here is not None else person.games.values()
    return {game.id: game.words.help_text for game in games}
