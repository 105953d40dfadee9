"""Lets a spectator go from one running match to the next one in the server's list. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from people.language import _
from people.table import PersonTable
from people.text.typing_context import RequestDraft
from protocol import messages as m
from protocol.errors import Refusal


class MatchRotation:
    """Chooses the match that one spectator watches next, in the order of the list of tables. A match that the server
    refuses to show is skipped at the next request."""

    def __init__(self) -> None:
        self._wanted = ""  # the id of the table that was requested last
        self._leaves = ""  # the id of the table to leave once `_wanted` is watched; "" for none

    def watch_next(self, tables: Sequence[m.TableInfo], here: PersonTable | None) -> list[RequestDraft]:
        """Returns the requests to watch the running match after the current one in `tables`. Raises Refusal if no other
        match is running."""
        running = [info.table for info in tables if info.state == "playing"]
        at_id = here.id if here is not None else ""
        at = next((running.index(one) for one in (self._wanted, at_id) if one in running), -1)
        following = [one for one in (*running[at + 1 :], *running[: at + 1]) if one != at_id]
        if not following:
            raise Refusal("no_such_table", _("No other match is running."))
        return self.watch_table(following[0], here)

    def watch_table(self, table: str, here: PersonTable | None) -> list[RequestDraft]:
        """Returns the request to watch that table. If the person only watches the current table `here`, `came` leaves
        it."""
        self._wanted, self._leaves = table, here.id if here is not None and not here.seat else ""
        return [RequestDraft(m.Watch, {"table": table})]

    def leave_previous(self, table: str) -> list[RequestDraft]:
        """Returns the request that leaves the table watched before, now that `table` is watched; [] if there is
        none."""
        leaves = self._leaves if table == self._wanted else ""
        self._wanted = self._leaves = ""
        return [RequestDraft(m.Leave, {"table": leaves})] if leaves else []
