"""Background requests that keep the board on the screen and its clocks up to date. At most one request for the board
and one for the clocks are unanswered at a time. Pure.
"""

from __future__ import annotations

from people.table import PersonTable
from people.text.typing_context import RequestDraft
from protocol import messages as m

CHANGES = (m.Happened, m.TurnUpdate, m.MatchStarted, m.Watching, m.Presence, m.Late, m.Paused, m.Undone, m.Over)
GAP_SECONDS = 0.25  # between two pairs of requests, because the server's rate limit counts each request


class BoardRefresh:
    """Makes the background requests for the tables of one person, and applies their answers."""

    def __init__(self) -> None:
        self._old: set[str] = set()  # ids of tables that have changed since their last refresh
        self._asked: list[RequestDraft] = []
        self._last = float("-inf")

    def mark_for_refresh(self, message: m.Message) -> None:
        """Marks the message's table for a refresh if such a message changes the board or the clocks."""
        if isinstance(message, CHANGES):
            self._old.add(message.table)

    def due_requests(self, table: PersonTable | None, now: float) -> list[RequestDraft]:
        """Returns the requests for the board and the clocks of `table`, the current table, if a refresh is due now."""
        if table is None or table.id not in self._old or self._asked or now < self._last + GAP_SECONDS:
            return []
        self._old.discard(table.id)
        self._last = now
        self._asked = [RequestDraft(m.LookRequest, {"table": table.id}), RequestDraft(m.Clock, {"table": table.id})]
        return list(self._asked)

    def final_board_requests(self, table: PersonTable) -> list[RequestDraft]:
        """Returns the request for the final board of a table whose match has ended."""
        self._old.discard(table.id)
        look = RequestDraft(m.LookRequest, {"table": table.id})
        self._asked.append(look)
        return [look]

    def apply_answer(self, ask: RequestDraft, reply: m.Reply, table: PersonTable | None, now: float) -> bool:
        """Applies the answer to a background request to the table. Returns False if `ask` is no background request."""
        if not any(one is ask for one in self._asked):
            return False
        self._asked = [one for one in self._asked if one is not ask]
        if table is not None and isinstance(reply, m.Position):
            table.store_view(reply.view)
        elif table is not None and isinstance(reply, m.Clocks):
            table.set_paused(on=reply.paused, now=now)
            table.update_clocks(reply.clocks, now)
        return True
