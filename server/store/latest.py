"""The database table `latest`, to which commits append their rows. From time to time a round moves these rows in bulk
to their places in the database table `rows`.

A commit that appends to `latest` writes one or two pages of the file. If it wrote directly to `rows`, each of its rows
would take a page.

A crash loses nothing at any point: a row is deleted from `latest` only after it was written to `rows`, and moving it a
second time changes nothing. Until then, reading.py lays the rows of `latest` over those of `rows`.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import TypeAlias

from server.log_fields import extra_fields
from server.store.reading import checksum, has_valid_checksum, is_damage, query_from_both_ends
from server.store.rows import EVERYTHING, Write

log = logging.getLogger("magehall.store")

Row: TypeAlias = tuple[int, str, int, bytes | None, int, int]
"""A row of the table `latest`: number, subject, part, data, checksum, time of writing. Rows of the table `rows` have no
number."""

TABLE = (
    "CREATE {} latest (number INTEGER PRIMARY KEY, subject TEXT NOT NULL, part INTEGER NOT NULL, data BLOB,"
    " sum INTEGER NOT NULL, written INTEGER NOT NULL)"
)
ENOUGH = 4_000
"""Number of rows in `latest` with which a round begins. The more rows a round moves, the fewer pages are written per
row. But readers scan all of `latest`, which takes a third of a millisecond at this size."""
PIECE = 256
"""Rows that a round moves per statement. A commit that arrives meanwhile waits for about a millisecond."""
FORGOTTEN_AT_ONCE = 1_000
"""Rows that a round deletes from `latest` per statement, so that a commit waits no longer than for PIECE rows."""
MOST = 128
"""Rows that a commit appends per statement. The thread of the writer releases the GIL for each statement, and may wait
long to get it back, so that fewer statements are better. SQLite compiles one statement for each number of rows, and
caches it."""


@cache
def _append(size: int) -> str:
    return f"INSERT INTO latest VALUES {', '.join(['(?, ?, ?, ?, ?, ?)'] * size)}"


@cache
def _put(size: int) -> str:
    return (
        f"INSERT INTO rows VALUES {', '.join(['(?, ?, ?, ?, ?)'] * size)} ON CONFLICT (subject, part)"
        " DO UPDATE SET data = excluded.data, sum = excluded.sum, written = excluded.written"
    )


@cache
def _take(size: int) -> str:
    return f"DELETE FROM rows WHERE (subject, part) IN (VALUES {', '.join(['(?, ?)'] * size)})"


_ALL = "SELECT number, subject, part, data, sum, written FROM latest ORDER BY number"
# reads every row without creating Python objects
_CHECK = "SELECT TOTAL(LENGTH(subject) + part + LENGTH(data) + sum + written) FROM latest"
# leaves out rows that violate the constraints, because they are damaged
_KEEP = "INSERT OR IGNORE INTO latest VALUES (?, ?, ?, ?, ?, ?)"
_CLEAR = "DELETE FROM rows WHERE subject = ?"
_FORGET = "DELETE FROM latest WHERE number <= ? AND number NOT IN (SELECT value FROM json_each(?))"


class LatestRows:
    """Appends rows to the database table `latest`, and moves them to `rows`, on the writer's connection.

    The caller of a method must hold the lock of the file until the method returns, or yields.
    """

    def __init__(self, file: sqlite3.Connection) -> None:
        """Reads the rows that `latest` has now. Raises sqlite3.Error."""
        self._file = file
        self._rows: dict[str, dict[int, Row]] = {}  # by subject and part: the latest row in `latest`
        self._new = 0  # number of rows that were appended since the last round began
        self._stuck: set[str] = set()  # subjects whose rows cannot be moved, because their place in `rows` is damaged
        stood = file.execute(_ALL).fetchall()
        self._note([row for row in stood if has_valid_checksum(*row[1:5])])
        # numbers of the damaged rows, which stay in `latest` so that readers notice the damage
        self._damaged = [row[0] for row in stood if not has_valid_checksum(*row[1:5])]
        self._last = stood[-1][0] if stood else 0  # the highest row number so far
        # all rows up to this number are already deleted from `latest`
        self._forgotten = stood[0][0] - 1 if stood else 0

    def append(self, writes: Sequence[Write]) -> None:
        """Appends rows for these writes, in one transaction. Raises sqlite3.Error, and may then leave the transaction
        open."""
        now = int(time.time())
        rows = [
            (number, subject, part, data, checksum(subject, part, data), now)
            for number, (subject, part, data) in enumerate(writes, self._last + 1)
        ]
        if len(rows) > MOST:  # a single statement needs no BEGIN, because it is a transaction by itself
            self._file.execute("BEGIN IMMEDIATE")
        for at in range(0, len(rows), MOST):
            some = rows[at : at + MOST]
            self._file.execute(_append(len(some)), [*chain.from_iterable(some)])
        if len(rows) > MOST:
            self._file.execute("COMMIT")
        self._last += len(rows)
        self._note(rows)

    def _note(self, rows: Sequence[Row]) -> None:
        for row in rows:
            _number, subject, part, _data, _sum, _now = row
            if part == EVERYTHING or subject not in self._rows:
                self._rows[subject] = {}
            self._rows[subject][part] = row
        self._new += len(rows)

    @property
    def is_stuck(self) -> bool:
        """Whether some rows cannot be moved, because their place in `rows` is damaged."""
        return bool(self._stuck)

    @property
    def is_round_due(self) -> bool:
        """Whether so many rows were appended that a round should begin."""
        return self._new >= ENOUGH

    def move_rows(self) -> Iterator[None]:
        """Moves all rows of `latest` to `rows`. Each step of the iterator runs one statement.

        Each step is a transaction of its own, and rows may be appended between two steps. Raises sqlite3.Error; the
        next round then moves the remaining rows.
        """
        last, self._new = self._last, 0
        subjects = sorted(self._rows.keys() - self._stuck)
        if not subjects:
            return
        puts: list[Row] = []
        takes: list[Row] = []
        for subject in subjects:
            for part, row in sorted(self._rows[subject].items()):
                if part == EVERYTHING:
                    self._place([row])
                    yield
                    continue
                pile = takes if row[3] is None else puts
                pile.append(row)
                if len(pile) == PIECE:
                    self._place(pile)
                    pile.clear()
                    yield
        for pile in (takes, puts):
            if pile:
                self._place(pile)
                yield
        stays = json.dumps(self._damaged + [row[0] for one in self._stuck for row in self._rows[one].values()])
        for number in range(self._forgotten, last, FORGOTTEN_AT_ONCE):
            self._file.execute(_FORGET, (min(number + FORGOTTEN_AT_ONCE, last), stays))
            yield
        self._forgotten = last
        for subject in self._rows.keys() - self._stuck:
            self._rows[subject] = {part: row for part, row in self._rows[subject].items() if row[0] > last}
            if not self._rows[subject]:
                del self._rows[subject]

    def _place(self, rows: Sequence[Row]) -> None:
        """Applies rows of one kind to the table `rows`: either rows with data, or deletions of parts, or one deletion
        of a whole subject.

        If it meets a damaged page, it tries again with each half of the rows, until it has found the subject whose
        place is damaged. Then it marks this subject as stuck.
        """
        _number, subject, part, data, *_others = rows[0]
        try:
            if part == EVERYTHING:
                self._file.execute(_CLEAR, [subject])
            elif data is None:
                self._file.execute(_take(len(rows)), [*chain.from_iterable(row[1:3] for row in rows)])
            else:
                self._file.execute(_put(len(rows)), [*chain.from_iterable(row[1:] for row in rows)])
        except sqlite3.Error as error:
            if not is_damage(error):
                raise
            if len(rows) > 1:
                half = len(rows) // 2
                self._place(rows[:half])
                self._place(rows[half:])
            elif subject not in self._stuck:
                self._stuck.add(subject)
                log.error(
                    "the page of %a in the data is damaged; its new rows stay in a separate table",
                    subject,
                    extra=extra_fields("data_damaged", row=f"{subject!a}"),
                )


def mask_damaged_rows(file: sqlite3.Connection) -> None:
    """Lets a read-only connection read past damage in the table `latest`: a temporary table with those rows that can be
    read takes its place.

    Raises sqlite3.Error.
    """
    try:
        file.execute(_CHECK).fetchone()
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        rows = readable_rows(file)
        file.execute(TABLE.format("TEMP TABLE"))
        file.executemany(_KEEP, rows)


def readable_rows(file: sqlite3.Connection) -> list[Row]:
    """Returns those rows of `latest` that can be read, in the order of their numbers. Raises sqlite3.Error."""
    rows, _is_all = query_from_both_ends(file, _ALL)
    return sorted({row[0]: row for row in rows}.values(), key=lambda row: row[0])
