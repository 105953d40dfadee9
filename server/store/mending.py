"""Repairs a damaged database file: copies all readable rows into a new file, and keeps the damaged file aside.

A subject with any missing part stays marked as unreadable. Half a match would resume from a position that never
existed, and a missing name would be given to the next player who asks for it.
"""

from __future__ import annotations

import filecmp
import logging
import shutil
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

from server.language import _
from server.log_fields import fields
from server.store.file import check_is_ours, connected, upgrade
from server.store.latest import see_through
from server.store.reading import FILE, PAGE, all_subjects, begun_in_place, current_in_place, log_of, parts_of
from server.store.rows import Damaged
from server.store.whole import synchronize, whole

log = logging.getLogger("magehall.store")

MOST_CUT_OFF = 16  # if the header claims a larger factor, the header itself is damaged
UNREADABLE = -1  # matches no row's checksum
# dict() keeps the last pair of a subject, which is its oldest row
_FIRST = "SELECT subject, part FROM (SELECT subject, part FROM latest ORDER BY number DESC)"
_PUT = "INSERT INTO rows VALUES (?, ?, ?, ?, ?)"


def mend(path: Path) -> None:
    """Repairs the file, which must not be open anywhere.

    Raises sqlite3.Error, OSError, or Damaged if the list of subjects cannot be read. The old file is then still in
    place.
    """
    aside = _copied(path)
    _lengthen(path)
    with closing(connected(path)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        upgrade(file, check_is_ours(file, path))
    if log_of(path).exists():  # SQLite would apply it to the new file
        raise OSError(0, _("its latest writes cannot be recovered"))
    with whole(path, mode=path.stat().st_mode & 0o777) as half, closing(connected(half)) as anew:
        upgrade(anew, 0)
        with closing(connected(path)) as file:
            kept, unreadable = _copy(file, anew)
    synchronize(path.parent)
    log.error(
        "the data is damaged: %d subjects were copied to a new file, %d are unreadable; the old file is kept as %s",
        kept,
        unreadable,
        aside.name,
        extra=fields("data_damaged", kept=kept, unreadable=unreadable, aside=aside.name),
    )


def _copied(path: Path) -> Path:
    """Copies the file and its write-ahead log aside, and returns the copy. Reuses an identical copy from an earlier
    attempt.

    Raises OSError.
    """
    for number in count(1):
        aside = path.with_name(f"{FILE}.damaged-{number}")
        if not aside.exists():
            break
        if filecmp.cmp(path, aside, shallow=False):
            return aside
    for one, copy in ((path, aside), (log_of(path), log_of(aside))):
        if one.exists():
            with whole(copy, new=True, mode=0o600) as half:
                shutil.copyfile(one, half)
    return aside


def _lengthen(path: Path) -> None:
    """Pads a truncated file to the length in its header, because SQLite would otherwise read nothing of it. Raises
    OSError."""
    with path.open("r+b") as file:
        pages = int.from_bytes(file.read(100)[28:32], "big")  # https://sqlite.org/fileformat.html
        size = path.stat().st_size
        if size < pages * PAGE < MOST_CUT_OFF * size:
            file.truncate(pages * PAGE)


def _copy(file: sqlite3.Connection, anew: sqlite3.Connection) -> tuple[int, int]:
    """Copies all rows to the new file. Returns the numbers of readable and unreadable subjects.

    Raises sqlite3.Error, or Damaged if not all subjects are known or none can be read.
    """
    see_through(file)
    at_first = dict(file.execute(_FIRST))
    current, begun = current_in_place(file), begun_in_place(file)
    subjects = all_subjects(file)
    unreadable = 0
    anew.execute("BEGIN IMMEDIATE")
    for subject in subjects:
        is_new = subject not in current | begun and at_first.get(subject, 1) <= 0
        try:
            parts = parts_of(file, subject, placed=not is_new)
        except Damaged:
            unreadable += 1
            part = 0 if subject in current or at_first.get(subject) == 0 else 1
            parts = {part: (b"", UNREADABLE, 0)}
        anew.executemany(_PUT, [(subject, part, *row) for part, row in parts.items()])
    if unreadable == len(subjects):
        raise Damaged(_("too much of it is damaged"))
    anew.execute("COMMIT")
    return len(subjects) - unreadable, unreadable
