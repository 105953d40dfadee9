"""Another match of the same people, each a seat further: who wants it first opens a table like the last, and the others
join. Pure."""

from __future__ import annotations

from people.following import offer, waits
from people.human import Human
from people.language import _
from people.text.where import Ask
from protocol import messages as m
from protocol.errors import Refusal

WORD = "rematch"


def rematch(human: Human) -> list[Ask]:
    """What to ask for a rematch of the match that has just ended; `human.known_tables` are those of now. Raises
    Refusal."""
    table = human.here
    last = table.started if table is not None else None
    if table is None or last is None or not table.seat or table.state != "over":
        raise Refusal("not_over", _("A rematch is for those who have played a match to its end."))
    people, wanted = {seat.name for seat in last.seats}, _next(table.seat, last)
    for info in human.known_tables:
        empty = [seat.seat for seat in info.seats if seat.kind == "empty"]
        if info.state == "open" and info.game == last.game and info.owner in people and empty:
            seat = wanted if wanted in empty else 0
            return [Ask(m.Join, {"table": info.table, "seat": seat, "nonce": human.nonce, "delay": last.delay})]
    for info in human.known_tables:  # two tables with one person each would wait for ever
        if waits(info, table) and info.owner != human.name:
            or_so = _("open {game} opens a table for a rematch.", game=last.game)
            raise Refusal("already_started", " ".join((offer(info), or_so)))
    house = [seat for seat in last.seats if seat.kind == "house"]
    human.to_add = [(bot_kind(seat.name), _next(seat.seat, last)) for seat in house]
    human.rematch_of = table.id
    options = {
        "game": last.game,
        "seats": len(last.seats),
        "options": last.options,
        "clock": last.clock,
        "delay": last.delay,
        "seat": wanted,
    }
    return [Ask(m.Open, options), Ask(m.Say, {"text": "Rematch? Type rematch.", "table": table.id})]


def _next(seat: int, last: m.Started) -> int:
    """Whoever had that seat has this one in a rematch."""
    return seat % len(last.seats) + 1


def bot_kind(name: str) -> str:
    """The bot that has that name at a table: `greedy` for `greedy-2`."""
    bare, dash, number = name.rpartition("-")
    return bare if dash and number.isdigit() else name
