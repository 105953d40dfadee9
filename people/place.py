"""What may be typed where a person is, and what it means there. Pure."""

from __future__ import annotations

from functools import partial

from people import confirming
from people.human import Human
from people.own_words import OWN, own_word
from people.text.reading import is_command
from people.text.where import Where, idle


def ready_for(human: Human, line: str) -> bool:
    """Whether a line that waits for its turn may be read now: before the match only commands, in the match when there
    is something to decide."""
    seats = [table for table in human.tables.values() if table.seat and table.state != "over"]
    if not seats or any(table.turn is not None and not table.fresh for table in seats):
        return True
    return all(table.state == "open" for table in seats) and decides_nothing(human, line)


def decides_nothing(human: Human, line: str) -> bool:
    """Whether the line is a command, whatever game is played, or one of the client's own words."""
    line = own_word(line.replace("\t", " ")).strip()
    own = [word for word in OWN.split() if word not in confirming.YES]  # which does what was held back
    return line.split(" ")[0] in own or is_command(line, where(human))


def where(human: Human) -> Where:
    """What the meaning of a typed line depends on."""
    table = human.here
    return Where(
        games=human.games,
        tables=partial(_tables, human),
        table=table.id if table is not None else "",
        game=table.game.id if table is not None else "",
        forms=table.game.words.help if table is not None else "",
        aim=table.game.aim if table is not None else "",
        may_resign=table is None or not table.game.no_resigning,
        hint=lambda: human.stand_ins.hint(table) if table is not None else "",
        idle=lambda: idle(table.state, sits=table.seat > 0) if table is not None else "",
        played_by=lambda: table.played_by if table is not None else "",
        left=partial(_left, human),
        delay=partial(_delay, human),
        decision=table.decision if table is not None else lambda: None,
        nonce=human.nonce,
        says_hello=False,
    )


def _tables(human: Human, state: str) -> list[str]:
    """Those in that state; of open ones those with an empty seat, if there are any."""
    found = [info for info in human.known_tables if info.state == state]
    free = [info for info in found if any(seat.kind == "empty" for seat in info.seats)]
    return [info.table for info in (free or found if state == "open" else found)]


def _left(human: Human) -> list[str]:
    there = [info for info in human.known_tables if info.state == "playing" and info.table not in human.tables]
    return [info.table for info in there if any(seat.name == human.name for seat in info.seats)]


def _delay(human: Human, table: str) -> int:
    """Of a table's open hands; 0 for who has a seat there, and so has agreed."""
    info = next((one for one in human.known_tables if one.table == table), None)
    return info.delay if info is not None and all(seat.name != human.name for seat in info.seats) else 0


def forms(human: Human) -> dict[str, str]:
    """How actions are typed, a row each: in the current game, or else in every game."""
    games = [human.here.game] if human.here is not None else human.games.values()
    return {game.id: game.words.help for game in games}
