"""Replays of finished matches, written on request in slices, so that other sessions get their turn."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Mapping

import trio

from games.api import Game
from matches.record import Record, written
from protocol.errors import Refusal
from server.config import DEFAULTS, Config
from server.failures import log_failure
from server.log_fields import fields
from server.store.rows import Store, StoreFailed
from server.table.archive import TABLE_ID, NotThere, record_of
from server.table.live import LiveMatch
from server.table.table import Table

log = logging.getLogger("magehall.table")

KEPT = 8  # cached replays; a match takes some 10 ms, and its lines are requested in parts
LINES_A_SLICE = 20
LOOK_SECONDS = 0.005  # between checks whether a match was read, times the number of waiting requests


class Writing:
    """The lines of one replay so far, without line ends. `live` is the match at its table, while there is one."""

    def __init__(self, record: Record, live: LiveMatch | None = None) -> None:
        self.live = live
        self.length = len(record.entries) + 2  # lines of the whole replay, including `match` and `over`
        self._record = record
        self._begin()

    @property
    def word(self) -> str:
        """The word of the cup's match, or ""."""
        return self._record.header.word

    def grow(self, lines: int) -> bool:
        """Writes some more lines. Returns True when that many are written, or all. Raises `internal` if the replay
        cannot be written."""
        try:
            for _ in range(LINES_A_SLICE):
                if len(self.lines) >= lines:
                    return True
                line = next(self._rest, None)
                if line is None:
                    return True
                self.lines.append(line[:-1].decode())
        except Exception:
            log_failure(log, "the replay of table %s cannot be written", self._record.header.table)
            self._begin()  # otherwise the replay would seem to end here
            raise Refusal("internal") from None
        return False

    def _begin(self) -> None:
        self.lines: list[str] = []
        self._rest = written(self._record.game, self._record.header, self._record.entries)


class Replays:
    """The replays of one server. Contains nothing about running matches."""

    def __init__(
        self, games: Mapping[str, Game], nursery: trio.Nursery, store: Store | None, config: Config = DEFAULTS
    ) -> None:
        self._games, self._nursery, self._store, self._config = games, nursery, store, config
        self._kept: dict[str, Writing] = {}  # by table, the latest request last
        self._reader = trio.Lock()  # one match at a time, so that commits never wait for more

    def of(self, table: Table) -> Writing:
        """Returns the replay of the table's match. Raises `not_started`, `not_over`."""
        live = table.live()
        match = live.match
        if match.over is None:
            raise Refusal("not_over")
        kept = self._kept.get(table.id)
        if kept is None or kept.live is not live:
            kept = Writing(Record(match.game, match.header, tuple(live.entries)), live)
        return self._keep(table.id, kept)

    def of_the_past(self, table: str, charge: Callable[[float], None]) -> Generator[float, None, Writing]:
        """Reads the replay of a match whose table is removed from the disk. Yields the seconds until the next check.

        `charge` receives the work in plain requests. Raises `no_such_table`, also for a match that is not over or
        cannot be computed with the installed games.
        """
        kept = self._kept.get(table)
        if kept is None or kept.live is not None:  # only the disk shows whether the end of a live match was saved
            if self._store is None or not TABLE_ID.fullmatch(table):  # other ids belong to other kinds of rows
                raise Refusal("no_such_table")
            read: list[tuple[Record | None, int]] = []
            self._nursery.start_soon(self._read, self._store, table, read)
            while not read:
                yield LOOK_SECONDS * (1 + self._reader.statistics().tasks_waiting)
            record, rows = read[0]
            charge(rows / self._config.lines_a_request)
            if record is None:
                raise Refusal("no_such_table")
            kept = Writing(record)
        return self._keep(table, kept)

    async def _read(self, store: Store, table: str, read: list[tuple[Record | None, int]]) -> None:
        """Appends the match, or None if none is available, and the number of rows read."""
        async with self._reader:
            read.append(await self._record(store, table))

    async def _record(self, store: Store, table: str) -> tuple[Record | None, int]:
        rows: Mapping[int, bytes] = {}
        try:
            rows = await store.fetch(table)
            return await trio.to_thread.run_sync(record_of, rows, self._games), len(rows)
        except NotThere:
            pass
        except StoreFailed as error:
            told = fields("table_unreadable", table=table, error=type(error).__name__)
            log.error("table %s cannot be read (%s)", table, type(error).__name__, extra=told)
        except Exception as error:  # damaged rows can raise any exception, whose text could name cards
            told = fields("match_uncomputable", table=table, error=type(error).__name__)
            log.error("the match of table %s cannot be computed (%s)", table, type(error).__name__, extra=told)
        return None, len(rows)

    def _keep(self, table: str, writing: Writing) -> Writing:
        self._kept.pop(table, None)
        self._kept[table] = writing
        for oldest in list(self._kept)[:-KEPT]:
            del self._kept[oldest]
        return writing
