"""Replays of finished matches. A replay is written when it is requested, in slices, so that other sessions get their
turn."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Mapping

import trio

from games.api import Game
from matches.record import Record, iter_replay_lines
from protocol.errors import Refusal
from server.config import DEFAULTS, Config
from server.failures import log_failure
from server.log_fields import extra_fields
from server.store.rows import Store, StoreFailed
from server.table.archive import TABLE_ID, MatchNotFound, finished_record
from server.table.live import LiveMatch
from server.table.table import Table

log = logging.getLogger("magehall.table")

# most replays that are kept in memory, because the lines of one are requested in several parts and writing all takes
# some 10 ms
KEPT = 8
LINES_A_SLICE = 20
LOOK_SECONDS = 0.005  # interval between checks whether a match has been read, for each request that waits


class ReplayInProgress:
    """The lines of one replay that are written so far, without line ends. `live` is the match at its table; None if the
    match was read from the disk."""

    def __init__(self, record: Record, live: LiveMatch | None = None) -> None:
        self.live = live
        # number of lines of the whole replay, including the lines `match` and `over`
        self.length = len(record.entries) + 2
        self._record = record
        self._begin()

    @property
    def word(self) -> str:
        """The word of the match, by which its cup is found; "" if it belongs to no cup."""
        return self._record.header.word

    def advance(self, lines: int) -> bool:
        """Writes some more lines. Returns True when `lines` lines, or all of them, are written. Raises Refusal
        (`internal`) if the rules raise an exception."""
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
            # starts again, because the replay would otherwise seem to end with the last line that was written
            self._begin()
            raise Refusal("internal") from None
        return False

    def _begin(self) -> None:
        self.lines: list[str] = []
        self._rest = iter_replay_lines(self._record.game, self._record.header, self._record.entries)


class Replays:
    """Writes and keeps the replays of one server. It has nothing about matches that are not over."""

    def __init__(
        self, games: Mapping[str, Game], nursery: trio.Nursery, store: Store | None, config: Config = DEFAULTS
    ) -> None:
        self._games, self._nursery, self._store, self._config = games, nursery, store, config
        self._kept: dict[
            str, ReplayInProgress
        ] = {}  # by table: the replays that are kept, with the latest request last
        self._reader = trio.Lock()  # one match at a time is read, so that a commit waits for at most one

    def replay_at(self, table: Table) -> ReplayInProgress:
        """Returns the replay of the match at a table. Raises Refusal (`not_started`, `not_over`)."""
        live = table.require_live_match()
        match = live.match
        if match.over is None:
            raise Refusal("not_over")
        kept = self._kept.get(table.id)
        if kept is None or kept.live is not live:
            kept = ReplayInProgress(Record(match.game, match.header, tuple(live.entries)), live)
        return self._keep(table.id, kept)

    def read_stored_replay(
        self, table: str, charge: Callable[[float], None]
    ) -> Generator[float, None, ReplayInProgress]:
        """Reads from the disk the replay of a match whose table is removed. Yields the seconds until the next check,
        and returns the replay.

        `charge` is called with the work, in plain requests. Raises Refusal (`no_such_table`), also if the match is not
        over or the installed games cannot compute it.
        """
        kept = self._kept.get(table)
        # a replay made from a live match may have an end that was not saved, so it is read again
        if kept is None or kept.live is not None:
            # subjects that are no table ids have rows of other kinds
            if self._store is None or not TABLE_ID.fullmatch(table):
                raise Refusal("no_such_table")
            read: list[tuple[Record | None, int]] = []
            self._nursery.start_soon(self._read, self._store, table, read)
            while not read:
                yield LOOK_SECONDS * (1 + self._reader.statistics().tasks_waiting)
            record, rows = read[0]
            charge(rows / self._config.lines_a_request)
            if record is None:
                raise Refusal("no_such_table")
            kept = ReplayInProgress(record)
        return self._keep(table, kept)

    async def _read(self, store: Store, table: str, read: list[tuple[Record | None, int]]) -> None:
        """Appends to `read` the match, or None if it cannot be used, and the number of rows that were read."""
        async with self._reader:
            read.append(await self._record(store, table))

    async def _record(self, store: Store, table: str) -> tuple[Record | None, int]:
        rows: Mapping[int, bytes] = {}
        try:
            rows = await store.read_in_thread(table)
            return await trio.to_thread.run_sync(finished_record, rows, self._games), len(rows)
        except MatchNotFound:
            pass
        except StoreFailed as error:
            told = extra_fields("table_unreadable", table=table, error=type(error).__name__)
            log.error("table %s cannot be read (%s)", table, type(error).__name__, extra=told)
        except Exception as error:  # damaged rows can raise any exception, whose text could name hidden cards
            told = extra_fields("match_uncomputable", table=table, error=type(error).__name__)
            log.error("the match of table %s cannot be computed (%s)", table, type(error).__name__, extra=told)
        return None, len(rows)

    def _keep(self, table: str, writing: ReplayInProgress) -> ReplayInProgress:
        self._kept.pop(table, None)
        self._kept[table] = writing
        for oldest in list(self._kept)[:-KEPT]:
            del self._kept[oldest]
        return writing
