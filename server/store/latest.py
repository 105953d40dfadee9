"""The table `latest`, where commits append their rows. Rounds move these rows in bulk to their places in the table
`rows`.

Appending a commit to `latest` writes one or two pages, while each row written directly to `rows` would write a page of
its own.

A crash at any point loses nothing. A row is deleted from `latest` only after it is in `rows`, and moving it twice has
no effect. Until then, reading.py overlays the rows of `latest` on those of `rows`.
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

from server.log_fields import fields
from server.store.reading import checksum, from_both_ends, is_damage, is_whole
from server.store.rows import EVERYTHING, Write

log = logging.getLogger("magehall.store")

Row: TypeAlias = tuple[int, str, int, bytes | None, int, int]
"""A row of `latest`: number, subject, part, data, checksum, time of writing. Rows of `rows` have no number."""

TABLE = (
    "CREATE {} latest (number INTEGER PRIMARY KEY, subject TEXT NOT NULL, part INTEGER NOT NULL, data BLOB,"
    " sum INTEGER NOT NULL, written INTEGER NOT NULL)"
)
ENOUGH = 4_000
"""Number of rows in `latest` that starts a round. The more rows a round moves, the fewer page writes each row costs.
But readers scan all of `latest`, which takes a third of a millisecond at this size."""
PIECE = 256
"""Rows moved per statement. A commit that arrives meanwhile waits for about a millisecond."""
FORGOTTEN_AT_ONCE = 1_000
"""Rows deleted from `latest` per statement, for the same reason."""
MOST = 128
"""Rows that a commit appends per statement. The writer's thread releases the GIL for each statement and may wait long
to get it back, so fewer statements are better. SQLite prepares and caches one statement for each number of rows."""


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
# reads every row but creates no objects
_CHECK = "SELECT TOTAL(LENGTH(subject) + part + LENGTH(data) + sum + written) FROM latest"
_KEEP = "INSERT OR IGNORE INTO latest VALUES (?, ?, ?, ?, ?, ?)"  # a damaged row may violate the constraints
_CLEAR = "DELETE FROM rows WHERE subject = ?"
_FORGET = "DELETE FROM latest WHERE number <= ? AND number NOT IN (SELECT value FROM json_each(?))"


class Latest:
    """Appends to the table `latest` and moves its rows, on the writer's connection.

    The caller of each method must hold the file's lock until the method returns or yields.
    """

    def __init__(self, file: sqlite3.Connection) -> None:
        """Loads the rows of `latest`. Raises sqlite3.Error."""
        self._file = file
        self._rows: dict[str, dict[int, Row]] = {}  # latest row of each subject and part
        self._new = 0  # rows appended since the last round began
        self._stuck: set[str] = set()  # subjects whose place in `rows` is damaged
        stood = file.execute(_ALL).fetchall()
        self._note([row for row in stood if is_whole(*row[1:5])])
        # numbers of damaged rows, which stay so that readers see the damage
        self._damaged = [row[0] for row in stood if not is_whole(*row[1:5])]
        self._last = stood[-1][0] if stood else 0  # highest row number so far
        self._forgotten = stood[0][0] - 1 if stood else 0  # rows up to this number are already deleted from `latest`

    def append(self, writes: Sequence[Write]) -> None:
        """Appends these writes in one transaction. Raises sqlite3.Error; the transaction may still be open then."""
        now = int(time.time())
        rows = [
            (number, subject, part, data, checksum(subject, part, data), now)
            for number, (subject, part, data) in enumerate(writes, self._last + 1)
        ]
        if len(rows) > MOST:  # a single statement is a transaction by itself
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
        """Whether some rows cannot be moved to `rows` because their place there is damaged."""
        return bool(self._stuck)

    @property
    def are_enough(self) -> bool:
        """Whether a round should begin."""
        return self._new >= ENOUGH

    def round(self) -> Iterator[None]:
        """Moves all rows of `latest` to `rows`, one statement per step of the iterator.

        Each step is a transaction of its own, and rows may be appended between two steps. Raises sqlite3.Error; the
        next round then tries again.
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
        """Writes rows of one kind to `rows`: all puts, all deletions, or a single deletion of a whole subject.

        If a page is damaged, it retries with halves to find the damaged subject, and marks this subject as stuck.
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
                    extra=fields("data_damaged", row=f"{subject!a}"),
                )


def see_through(file: sqlite3.Connection) -> None:
    """Lets a read-only connection read past damage in `latest`: a temporary table with the readable rows hides it.

    Raises sqlite3.Error.
    """
    try:
        file.execute(_CHECK).fetchone()
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        rows = readable(file)
        file.execute(TABLE.format("TEMP TABLE"))
        file.executemany(_KEEP, rows)


def readable(file: sqlite3.Connection) -> list[Row]:
    """Returns the readable rows of `latest`, in order. Raises sqlite3.Error."""
    rows, _is_all = from_both_ends(file, _ALL)
    return sorted({row[0]: row for row in rows}.values(), key=lambda row: row[0])
