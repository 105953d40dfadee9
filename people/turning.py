"""Lets a spectator go from one running match to the next. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from people.language import _
from people.table import PersonTable
from people.text.where import Ask
from protocol import messages as m
from protocol.errors import Refusal


class Turning:
    """Where a spectator goes next; one per person. A match that may not be watched is skipped the next time."""

    def __init__(self) -> None:
        self._wanted = ""  # the latest requested table
        self._leaves = ""  # the table to leave for it; "" for none

    def on(self, tables: Sequence[m.TableInfo], here: PersonTable | None) -> list[Ask]:
        """Returns the requests for the next running match; `tables` are the current ones, in order. Raises Refusal."""
        running = [info.table for info in tables if info.state == "playing"]
        at_id = here.id if here is not None else ""
        at = next((running.index(one) for one in (self._wanted, at_id) if one in running), -1)
        following = [one for one in (*running[at + 1 :], *running[: at + 1]) if one != at_id]
        if not following:
            raise Refusal("no_such_table", _("No other match is running."))
        return self.to(following[0], here)

    def to(self, table: str, here: PersonTable | None) -> list[Ask]:
        """Returns the requests to watch that match instead of the current one."""
        self._wanted, self._leaves = table, here.id if here is not None and not here.seat else ""
        return [Ask(m.Watch, {"table": table})]

    def came(self, table: str) -> list[Ask]:
        """Returns the requests after that table is watched: the table that was only watched before is left."""
        leaves = self._leaves if table == self._wanted else ""
        self._wanted = self._leaves = ""
        return [Ask(m.Leave, {"table": leaves})] if leaves else []
