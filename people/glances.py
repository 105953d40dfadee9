"""Background requests that keep a pinned board and its clocks up to date, one of each kind at a time. Pure."""

from __future__ import annotations

from people.table import PersonTable
from people.text.where import Ask
from protocol import messages as m

CHANGES = (m.Happened, m.Turn, m.Started, m.Watching, m.Presence, m.Late, m.Paused, m.Undone, m.Over)
GAP_SECONDS = 0.25  # between two rounds of questions; the server counts each as a request


class Glances:
    """The background requests for all tables of one person."""

    def __init__(self) -> None:
        self._old: set[str] = set()  # tables with changes since the last request
        self._asked: list[Ask] = []
        self._last = float("-inf")

    def note(self, message: m.Message) -> None:
        """Marks a table for refresh if the message changes its board or its clocks."""
        if isinstance(message, CHANGES):
            self._old.add(message.table)

    def due(self, table: PersonTable | None, now: float) -> list[Ask]:
        """Returns the requests for the current table that are due now."""
        if table is None or table.id not in self._old or self._asked or now < self._last + GAP_SECONDS:
            return []
        self._old.discard(table.id)
        self._last = now
        self._asked = [Ask(m.Look, {"table": table.id}), Ask(m.Clock, {"table": table.id})]
        return list(self._asked)

    def last(self, table: PersonTable) -> list[Ask]:
        """Returns the requests for a table whose match has ended, before any others for it."""
        self._old.discard(table.id)
        look = Ask(m.Look, {"table": table.id})
        self._asked.append(look)
        return [look]

    def take(self, ask: Ask, reply: m.Reply, table: PersonTable | None, now: float) -> bool:
        """Applies the answer to one of these requests to the table. Returns False for any other answer."""
        if not any(one is ask for one in self._asked):
            return False
        self._asked = [one for one in self._asked if one is not ask]
        if table is not None and isinstance(reply, m.Position):
            table.see(reply.view)
        elif table is not None and isinstance(reply, m.Clocks):
            table.pause(on=reply.paused, now=now)
            table.take_clocks(reply.clocks, now)
        return True
