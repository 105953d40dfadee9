"""The context of a typed line: what may be typed, and what it means there. Pure."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from people.following import has_seat
from people.served import Server
from people.settings import PersonSettings
from people.state import PersonState
from people.text.lookup import NOT_BY_TELNET
from people.text.reading import is_command, written_out
from people.text.where import Decision, Where, idle
from protocol.errors import Refusal
from protocol.messages.parts import Map

NOT_HERE = frozenset({"hello"})  # sent by the program


def ready_for(person: PersonState, line: str) -> bool:
    """Returns whether a waiting line may be read now: before the match only commands, during it when there is a
    decision to make."""
    seats = [table for table in person.seats.tables.values() if table.seat and table.state != "over"]
    if not seats or any(table.turn is not None and not table.fresh for table in seats):
        return True
    return all(table.state == "open" for table in seats) and decides_nothing(person, line)


def decides_nothing(person: PersonState, line: str) -> bool:
    """Returns whether the line is a command in every game, other than the one that confirms a held decision."""
    line, there = line.replace("\t", " ").strip(" "), where(person)
    return is_command(line, there) and written_out(line, there) != "yes"


def where(person: PersonState) -> Where:
    """Returns the context for the meaning of a typed line."""
    table = person.seats.here
    return Where(
        games=person.games,
        tables=partial(_tables, person),
        table=table.id if table is not None else "",
        game=table.game.id if table is not None else "",
        forms=table.game.words.help if table is not None else "",
        aim=table.game.aim if table is not None else "",
        may_resign=table is None or not table.game.no_resigning,
        hint=lambda: person.settings.stand_ins.hint(table) if table is not None else "",
        idle=lambda: idle(table.state, sits=table.seat > 0) if table is not None else "",
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
    """Returns the commands that do not exist here."""
    if settings.server is not None:
        return NOT_BY_TELNET
    return NOT_HERE if settings.host is not None else NOT_HERE | {"invite"}


def _decision(person: PersonState) -> Decision | None:
    """Returns the open decision at the current table."""
    table, server = person.seats.here, person.settings.server
    decision = table.decision() if table is not None else None
    if decision is None or server is None:
        return decision
    return replace(decision, read=partial(_read, server, decision))


def _read(server: Server, decision: Decision, line: str) -> list[Map]:
    """Returns the actions that a line stands for. Finding the meaning of a mistyped line is charged."""
    try:
        return decision.read(line)
    except Refusal:
        server.charge_for_spelling()
        raise


def _tables(person: PersonState, state: str) -> list[str]:
    """Returns the tables in that state; of open ones those with an empty seat, if there are any."""
    found = [info for info in person.seats.listed if info.state == state]
    free = [info for info in found if any(seat.kind == "empty" for seat in info.seats)]
    return [info.table for info in (free or found if state == "open" else found)]


def _left(person: PersonState) -> list[str]:
    there = [info for info in person.seats.listed if info.state == "playing" and info.table not in person.seats.tables]
    return [info.table for info in there if has_seat(info, person.name)]


def _delay(person: PersonState, table: str) -> int:
    """Returns the delay of a table's open hands; 0 for a player with a seat there, who has agreed."""
    info = next((one for one in person.seats.listed if one.table == table), None)
    return info.delay if info is not None and not has_seat(info, person.name) else 0


def forms(person: PersonState) -> dict[str, str]:
    """Returns how actions are typed, a row each: in the current game, otherwise in every game."""
    games = [person.seats.here.game] if person.seats.here is not None else person.games.values()
    return {game.id: game.words.help for game in games}
