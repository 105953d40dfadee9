"""Moves a spectator along when the players of a finished match, or of a closed table, go to their next table. A person
who played the match gets a notice instead when another of its players waits at a new table.

Background requests for the list of tables find the new table. Pure.
"""

from __future__ import annotations

from people.effects import Effects
from people.language import _
from people.spectating import MatchRotation
from people.table import PersonTable
from people.text.typing_context import RequestDraft
from protocol import messages as m

LOOK_SECONDS = 3.0  # between two requests for the list of tables
PATIENCE_SECONDS = 900.0  # after the end of the match, no more requests are sent


class NextTableSearch:
    """The table of the person's last match, from whose players the next table is sought. The search stops when the
    person goes to another table."""

    def __init__(self, turning: MatchRotation) -> None:
        self._turning = turning
        self._table: PersonTable | None = None
        self._is_gone = False
        self._until = self._next = 0.0
        self._asked: RequestDraft | None = None
        self._offered = set[str]()  # ids of the tables of which the person was already notified

    def search_after_match(self, table: PersonTable, now: float) -> None:
        """Starts to look for the next table of the players, after a match that the person played or watched."""
        self._table, self._until, self._next = table, now + PATIENCE_SECONDS, now + LOOK_SECONDS
        self._is_gone = False

    def search_after_closing(self, table: PersonTable | None, now: float) -> None:
        """Starts to look for the next table of the players after a table was closed; `table` is None if the person did
        not have that table."""
        if table is not None:
            self.search_after_match(table, now)
            self._is_gone = True

    def due_requests(self, here: PersonTable | None, now: float) -> list[RequestDraft]:
        """Returns the request for the list of tables, if it is due; `here` is the person's current table."""
        if self._table is None or self._asked is not None:
            return []
        if not self._stays(here) or now > self._until:
            self._table = None
            return []
        if now < self._next:
            return []
        self._next = now + LOOK_SECONDS
        self._asked = RequestDraft(m.Tables, {"after": self._table.id})
        return [self._asked]

    def apply_answer(
        self, ask: RequestDraft, reply: m.Reply, here: PersonTable | None, *, busy: bool, name: str
    ) -> Effects | None:
        """Returns the effects of the answer to a request of `due`; None for the answer to any other request.

        A spectator who reads a page (`busy`) gets a notice and is not moved. `name` is the person's name.
        """
        if ask is not self._asked:
            return None
        self._asked = None
        effects, last = Effects(), self._table
        if last is None or not self._stays(here) or not isinstance(reply, m.TableList):
            return effects
        if last.seat and not self._is_gone:
            self._offer(
                [info for info in reply.tables if is_waiting_at(info, last) and not has_seat(info, name)], effects
            )
            return effects
        found = [info.table for info in reply.tables if _follows(info, last, any_game=self._is_gone)]
        if not found:
            self._offer([info for info in reply.tables if _follows(info, last, any_game=True)], effects)
            return effects
        self._table = None
        if self._is_gone:
            effects.add_line(_("You watch {table} now, where they went on.", table=found[0]), "title")
            return Effects(effects.lines, self._turning.watch_table(found[0], None))
        if busy:
            effects.add_line(_("The rematch is at {table}; watch {table} shows it.", table=found[0]), "title")
        else:
            effects.add_line(_("The rematch is at {table}, and you watch it.", table=found[0]), "title")
            effects.asks += self._turning.watch_table(found[0], last)
        return effects

    def _offer(self, tables: list[m.TableInfo], effects: Effects) -> None:
        """Adds a notice for each of those tables of which the person was not notified before."""
        for info in tables:
            if info.table not in self._offered:
                self._offered.add(info.table)
                effects.add_line(offer_text(info), "title")

    def _stays(self, here: PersonTable | None) -> bool:
        return here is None if self._is_gone else here is self._table


def is_waiting_at(info: m.TableInfo, last: PersonTable) -> bool:
    """Returns whether the table has an empty seat, and its owner is a player of the last match who sits there."""
    is_free = info.state == "open" and any(seat.kind == "empty" for seat in info.seats)
    return is_free and info.owner in last.people and has_seat(info, info.owner)


def offer_text(info: m.TableInfo) -> str:
    """Returns a sentence with the owner of the table and the command to join or watch it."""
    words = {"owner": info.owner, "table": info.table, "game": info.game}
    if info.state == "open" and any(seat.kind == "empty" for seat in info.seats):
        return _("{owner} waits at {table} ({game}): join {table} takes a seat there.", **words)
    return _("{owner} is at {table} now ({game}): watch {table} shows it.", **words)


def has_seat(info: m.TableInfo, name: str) -> bool:
    """Returns whether a player of that name has a seat at the table; a house bot of that name does not count."""
    return any(seat.name == name and seat.kind != "house" for seat in info.seats)


def _follows(info: m.TableInfo, last: PersonTable, *, any_game: bool) -> bool:
    game = any_game or info.game == last.game.id
    return game and info.state != "over" and info.owner in last.people and info.table != last.id
