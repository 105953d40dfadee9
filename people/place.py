"""What may be typed where a person is, and what it means there. Pure."""

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

NOT_HERE = frozenset({"hello"})  # said by the program


def ready_for(person: PersonState, line: str) -> bool:
    """Whether a line that waits for its turn may be read now: before the match only commands, in the match when there
    is something to decide."""
    seats = [table for table in person.seats.tables.values() if table.seat and table.state != "over"]
    if not seats or any(table.turn is not None and not table.fresh for table in seats):
        return True
    return all(table.state == "open" for table in seats) and decides_nothing(person, line)


def decides_nothing(person: PersonState, line: str) -> bool:
    """Whether the line is a command, whatever game is played, other than the one that does what was held back."""
    line, there = line.replace("\t", " ").strip(" "), where(person)
    return is_command(line, there) and written_out(line, there) != "yes"


def where(person: PersonState) -> Where:
    """What the meaning of a typed line depends on."""
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
    """The commands that are none there."""
    if settings.server is not None:
        return NOT_BY_TELNET
    return NOT_HERE if settings.host is not None else NOT_HERE | {"invite"}


def _decision(person: PersonState) -> Decision | None:
    """The decision that is awaited at the current table."""
    table, server = person.seats.here, person.settings.server
    decision = table.decision() if table is not None else None
    if decision is None or server is None:
        return decision
    return replace(decision, read=partial(_read, server, decision))


def _read(server: Server, decision: Decision, line: str) -> list[Map]:
    """The actions that a line stands for; to find out what a mistyped one may mean costs something."""
    try:
        return decision.read(line)
    except Refusal:
        server.charge_for_spelling()
        raise


def _tables(person: PersonState, state: str) -> list[str]:
    """Those in that state; of open ones those with an empty seat, if there are any."""
    found = [info for info in person.seats.listed if info.state == state]
    free = [info for info in found if any(seat.kind == "empty" for seat in info.seats)]
    return [info.table for info in (free or found if state == "open" else found)]


def _left(person: PersonState) -> list[str]:
    there = [info for info in person.seats.listed if info.state == "playing" and info.table not in person.seats.tables]
    return [info.table for info in there if has_seat(info, person.name)]


def _delay(person: PersonState, table: str) -> int:
    """Of a table's open hands; 0 for who has a seat there, and so has agreed."""
    info = next((one for one in person.seats.listed if one.table == table), None)
    return info.delay if info is not None and not has_seat(info, person.name) else 0


def forms(person: PersonState) -> dict[str, str]:
    """How actions are typed, a row each: in the current game, or else in every game."""
    games = [person.seats.here.game] if person.seats.here is not None else person.games.values()
    return {game.id: game.words.help for game in games}
