"""A rematch of the same people, each one seat further. The first who wants it opens the table, and the others join.
Pure."""

from __future__ import annotations

from people.following import offer, waits
from people.language import _
from people.seats import Seats
from people.text.where import Ask
from protocol import messages as m
from protocol.errors import Refusal


class Rematch:
    """The table that a person opens for a rematch."""

    def __init__(self) -> None:
        self._bots: list[tuple[str, int]] = []  # with their seats
        self._of = ""  # the table whose people get a notice of the new one; "" if only bots are there

    def wanted(self, seats: Seats, name: str, nonce: str) -> list[Ask]:
        """Returns the requests for a rematch of the match that has just ended. `seats.listed` are the current tables.
        Raises Refusal."""
        table = seats.here
        last = table.known if table is not None else None
        if table is None or last is None or not table.seat or table.state != "over":
            raise Refusal("not_over", _("A rematch is for those who have played a match to its end."))
        people, wanted = {seat.name for seat in last.seats}, _next(table.seat, last)
        for info in seats.listed:
            empty = [seat.seat for seat in info.seats if seat.kind == "empty"]
            if info.state == "open" and info.game == last.game and info.owner in people and empty:
                seat = wanted if wanted in empty else 0
                return [Ask(m.Join, {"table": info.table, "seat": seat, "nonce": nonce, "delay": last.delay})]
        for info in seats.listed:  # two tables with one person each would wait forever
            if waits(info, table) and info.owner != name:
                or_so = _("open {game} opens a table for a rematch.", game=last.game)
                raise Refusal("already_started", " ".join((offer(info), or_so)))
        house = [seat for seat in last.seats if seat.kind == "house"]
        self._bots = [(bot_kind(seat.name), _next(seat.seat, last)) for seat in house]
        self._of = table.id if any(seat.kind != "house" and seat.name != name for seat in last.seats) else ""
        opening = {
            "game": last.game,
            "seats": len(last.seats),
            "options": last.options,
            "clock": last.clock,
            "delay": last.delay,
            "seat": wanted,
        }
        says = [Ask(m.Say, {"text": "Rematch? Type rematch.", "table": self._of})] if self._of else []
        return [Ask(m.Open, opening), *says]

    def opened(self, table: str) -> list[Ask]:
        """Returns the requests that follow if the person's new table was opened for a rematch."""
        asks = [Ask(m.Add, {"table": table, "bot": bot, "seat": seat}) for bot, seat in self._bots]
        if self._of:
            asks.append(Ask(m.Say, {"text": f"The rematch is at {table}.", "table": self._of}))
        self.refused()
        return asks

    def refused(self) -> None:
        """Cancels the rematch after its table was refused."""
        self._bots, self._of = [], ""


def _next(seat: int, last: m.Started | m.TableInfo) -> int:
    """Returns the seat in a rematch of the player in that seat."""
    return seat % len(last.seats) + 1


def bot_kind(name: str) -> str:
    """Returns the bot behind a name at a table: `greedy` for `greedy-2`."""
    bare, dash, number = name.rpartition("-")
    return bare if dash and number.isdigit() else name
