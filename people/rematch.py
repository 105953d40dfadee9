"""A rematch: another match of the same people, each of them one seat further. The first person who types `rematch`
opens the table, and the others join it.
Pure."""

from __future__ import annotations

from people.following import is_waiting_at, offer_text
from people.language import _
from people.seats import JoinedTables
from people.text.typing_context import RequestDraft
from protocol import messages as m
from protocol.errors import Refusal


class Rematch:
    """The rematch for which one person has requested a table that is not open yet."""

    def __init__(self) -> None:
        self._bots: list[tuple[str, int]] = []  # the house bots to add to the new table, and their seats
        self._of = ""  # the last match's table, where the new one is announced; "" if only bots would read that

    def rematch_requests(self, seats: JoinedTables, name: str, nonce: str) -> list[RequestDraft]:
        """Returns the requests for a rematch of the match that has just ended at the current table: to join another
        player's table for it, or to open one. `seats.listed` must be up to date. Raises Refusal if no rematch is
        possible."""
        table = seats.here
        last = table.known if table is not None else None
        if table is None or last is None or not table.seat or table.state != "over":
            raise Refusal("not_over", _("A rematch is for those who have played a match to its end."))
        people, wanted = {seat.name for seat in last.seats}, _next(table.seat, last)
        for info in seats.listed:
            empty = [seat.seat for seat in info.seats if seat.kind == "empty"]
            if info.state == "open" and info.game == last.game and info.owner in people and empty:
                seat = wanted if wanted in empty else 0
                return [RequestDraft(m.Join, {"table": info.table, "seat": seat, "nonce": nonce, "delay": last.delay})]
        for info in seats.listed:  # without this, two people could wait for each other at two tables forever
            if is_waiting_at(info, table) and info.owner != name:
                or_so = _("open {game} opens a table for a rematch.", game=last.game)
                raise Refusal("already_started", " ".join((offer_text(info), or_so)))
        house = [seat for seat in last.seats if seat.kind == "house"]
        self._bots = [(unnumbered_bot_name(seat.name), _next(seat.seat, last)) for seat in house]
        self._of = table.id if any(seat.kind != "house" and seat.name != name for seat in last.seats) else ""
        opening = {
            "game": last.game,
            "seats": len(last.seats),
            "options": last.options,
            "clock": last.clock,
            "delay": last.delay,
            "seat": wanted,
        }
        says = [RequestDraft(m.Say, {"text": "Rematch? Type rematch.", "table": self._of})] if self._of else []
        return [RequestDraft(m.Open, opening), *says]

    def on_table_opened(self, table: str) -> list[RequestDraft]:
        """Returns the requests that add the bots to the person's new table and announce it, if it was opened for a
        rematch; otherwise []."""
        asks = [RequestDraft(m.Add, {"table": table, "bot": bot, "seat": seat}) for bot, seat in self._bots]
        if self._of:
            asks.append(RequestDraft(m.Say, {"text": f"The rematch is at {table}.", "table": self._of}))
        self.cancel()
        return asks

    def cancel(self) -> None:
        """Cancels the rematch after the server refused to open its table."""
        self._bots, self._of = [], ""


def _next(seat: int, last: m.MatchStarted | m.TableInfo) -> int:
    """Returns the seat that the player of that seat gets in a rematch."""
    return seat % len(last.seats) + 1


def unnumbered_bot_name(name: str) -> str:
    """Returns the name of the bot without the number that a table adds to it: `greedy` for `greedy-2`."""
    bare, dash, number = name.rpartition("-")
    return bare if dash and number.isdigit() else name
