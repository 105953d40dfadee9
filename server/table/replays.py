"""Replays of finished matches, made when they are asked for: some lines at a time, so that others get their turn."""

from __future__ import annotations

import logging

from matches.record import written
from protocol.errors import Refusal
from server.table.live import LiveMatch
from server.table.table import Table

log = logging.getLogger("magehall.table")

KEPT = 8  # a match takes some 10 ms, and its lines are asked for in parts; so many are kept, those asked for last
LINES_A_SLICE = 20


class Writing:
    """The lines of one replay so far, without their ends."""

    def __init__(self, live: LiveMatch) -> None:
        self.live = live
        self.length = len(live.entries) + 2  # of the whole replay: `match` and `over` are lines, too
        self._begin()

    def grow(self, lines: int) -> bool:
        """Writes some more. True when so many lines are there, or all. Raises `internal` where it cannot be written."""
        try:
            for _ in range(LINES_A_SLICE):
                if len(self.lines) >= lines:
                    return True
                line = next(self._rest, None)
                if line is None:
                    return True
                self.lines.append(line[:-1].decode())
        except Exception:
            log.exception("the replay of table %s cannot be written", self.live.match.header.table)
            self._begin()  # else it would seem to end here
            raise Refusal("internal") from None
        return False

    def _begin(self) -> None:
        match = self.live.match
        self.lines: list[str] = []
        self._rest = written(match.game, match.header, self.live.entries)


class Replays:
    """One a server. Knows no secret of a match that is still played."""

    def __init__(self) -> None:
        self._kept: dict[str, Writing] = {}  # by table, the one asked for last at the end

    def of(self, table: Table) -> Writing:
        """The replay of the table's match. Raises `not_started`, `not_over`."""
        live = table.live()
        if live.match.over is None:
            raise Refusal("not_over")
        writing = self._kept.pop(table.id, None)
        if writing is None or writing.live is not live:
            writing = Writing(live)
        self._kept[table.id] = writing
        for oldest in list(self._kept)[:-KEPT]:
            del self._kept[oldest]
        return writing
