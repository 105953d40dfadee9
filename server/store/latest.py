"""What was committed stands in the table `latest` first, behind all that was committed before: there a commit writes a
page or two, where each of its rows would write another page of `rows`. From there it is brought to its place, many
rows at once.

Wherever this is cut off, nothing is lost: a row is taken out of `latest` once it is in its place, until then
reading.py lays it over what stands there, and to bring it there once more changes nothing.
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
"""As it stands in `latest`: number, subject, part, data, checksum, when it was written. In `rows` it has no number."""

TABLE = (
    "CREATE {} latest (number INTEGER PRIMARY KEY, subject TEXT NOT NULL, part INTEGER NOT NULL, data BLOB,"
    " sum INTEGER NOT NULL, written INTEGER NOT NULL)"
)
ENOUGH = 4_000
"""Rows in `latest` that are brought to their place. The more, the fewer pages each of them costs there; who reads has
to go through them all, which takes a third of a millisecond."""
PIECE = 256
"""Rows brought to their place in one statement: a commit that comes meanwhile waits for a millisecond."""
FORGOTTEN_AT_ONCE = 1_000
"""Rows taken out of `latest` in one statement, for the same reason."""
MOST = 128
"""Rows that a commit appends in one statement. The writer's thread gives up the interpreter for each statement and may
wait long to have it back, so the fewer the better; SQLite prepares each number of rows anew and keeps it."""


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
_CHECK = "SELECT TOTAL(LENGTH(subject) + part + LENGTH(data) + sum + written) FROM latest"  # reads all, makes nothing
_KEEP = "INSERT OR IGNORE INTO latest VALUES (?, ?, ?, ?, ?, ?)"  # what is damaged may be no row at all
_CLEAR = "DELETE FROM rows WHERE subject = ?"
_FORGET = "DELETE FROM latest WHERE number <= ? AND number NOT IN (SELECT value FROM json_each(?))"


class Latest:
    """The writer's. Whoever calls it has the file for itself until it returns, or yields."""

    def __init__(self, file: sqlite3.Connection) -> None:
        """Raises sqlite3.Error."""
        self._file = file
        self._rows: dict[str, dict[int, Row]] = {}  # the last of each subject and part
        self._new = 0  # rows since a round began
        self._stuck: set[str] = set()  # subjects that cannot be written in their place
        stood = file.execute(_ALL).fetchall()
        self._note([row for row in stood if is_whole(*row[1:5])])
        self._damaged = [row[0] for row in stood if not is_whole(*row[1:5])]  # rows that stay for who reads them
        self._last = stood[-1][0] if stood else 0  # number of all
        self._forgotten = stood[0][0] - 1 if stood else 0  # number up to which nothing is left to be taken out

    def append(self, writes: Sequence[Write]) -> None:
        """All of these in a transaction, or none. Raises sqlite3.Error, and then a transaction may be open."""
        now = int(time.time())
        rows = [
            (number, subject, part, data, checksum(subject, part, data), now)
            for number, (subject, part, data) in enumerate(writes, self._last + 1)
        ]
        if len(rows) > MOST:  # else the statement is a transaction of its own
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
        """Whether something cannot be brought to its place, as that is damaged."""
        return bool(self._stuck)

    @property
    def are_enough(self) -> bool:
        """Whether it is time for a round."""
        return self._new >= ENOUGH

    def round(self) -> Iterator[None]:
        """Brings all that stands in `latest` to its place, and takes it out there. Each step is one statement, and so a
        transaction of its own; rows may be appended between two steps. Raises sqlite3.Error; the next round tries
        again."""
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
        """Of one kind: puts, or rows to be taken away, or everything of a subject."""
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
                    "the page of %a in the data is damaged; new writes of it are kept in a table of their own",
                    subject,
                    extra=fields("data_damaged", row=f"{subject!a}"),
                )


def see_through(file: sqlite3.Connection) -> None:
    """For who only reads: where `latest` is damaged, what can be read of it stands before it. Raises sqlite3.Error."""
    try:
        file.execute(_CHECK).fetchone()
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        rows = readable(file)
        file.execute(TABLE.format("TEMP TABLE"))
        file.executemany(_KEEP, rows)


def readable(file: sqlite3.Connection) -> list[Row]:
    """What can be read of `latest`, in order. Raises sqlite3.Error."""
    rows, _is_all = from_both_ends(file, _ALL)
    return sorted({row[0]: row for row in rows}.values(), key=lambda row: row[0])
