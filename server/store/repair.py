"""Repairs a damaged database file: copies all rows that can be read into a new file, and keeps the damaged file.

If any part of a subject is missing, the whole subject is marked as unreadable. A match with missing rows would continue
from a position that never existed, and the name of a player whose row is missing would be given to the next player who
asks for it.
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
from server.log_fields import extra_fields
from server.store.atomic_files import atomic_write, sync_folder
from server.store.file import check_layout_version, open_connection, upgrade_layout
from server.store.latest import mask_damaged_rows
from server.store.reading import (
    FILE,
    PAGE,
    all_subjects,
    begun_matches_in_rows,
    current_subjects_in_rows,
    read_parts,
    wal_path,
)
from server.store.rows import DamagedData

log = logging.getLogger("magehall.store")

MOST_CUT_OFF = 16  # a header that claims more than this multiple of the file's length is itself damaged
UNREADABLE = -1  # a checksum that no row has
# for each subject its first row in `latest`, because dict() keeps the last of several pairs
_FIRST = "SELECT subject, part FROM (SELECT subject, part FROM latest ORDER BY number DESC)"
_PUT = "INSERT INTO rows VALUES (?, ?, ?, ?, ?)"


def repair_file(path: Path) -> None:
    """Repairs the database file at that path, which must not be open anywhere.

    Raises sqlite3.Error, OSError, or Damaged if the list of subjects cannot be read. The damaged file then stays in its
    place.
    """
    aside = _copied(path)
    _lengthen(path)
    with closing(open_connection(path)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        upgrade_layout(file, check_layout_version(file, path))
    if wal_path(path).exists():  # SQLite would apply the old log to the new file
        raise OSError(0, _("its latest writes cannot be recovered"))
    with atomic_write(path, mode=path.stat().st_mode & 0o777) as half, closing(open_connection(half)) as anew:
        upgrade_layout(anew, 0)
        with closing(open_connection(path)) as file:
            kept, unreadable = _copy(file, anew)
    sync_folder(path.parent)
    log.error(
        "the data is damaged: %d subjects were copied to a new file, %d are unreadable; the old file is kept as %s",
        kept,
        unreadable,
        aside.name,
        extra=extra_fields("data_damaged", kept=kept, unreadable=unreadable, aside=aside.name),
    )


def _copied(path: Path) -> Path:
    """Copies the file and its write-ahead log to names beside them, and returns the path of the copy. Uses the copy of
    an earlier attempt again if it is identical.

    Raises OSError.
    """
    for number in count(1):
        aside = path.with_name(f"{FILE}.damaged-{number}")
        if not aside.exists():
            break
        if filecmp.cmp(path, aside, shallow=False):
            return aside
    for one, copy in ((path, aside), (wal_path(path), wal_path(aside))):
        if one.exists():
            with atomic_write(copy, new=True, mode=0o600) as half:
                shutil.copyfile(one, half)
    return aside


def _lengthen(path: Path) -> None:
    """Lengthens a file that was cut off to the length in its header, because SQLite reads nothing of a file that is too
    short. Raises OSError."""
    with path.open("r+b") as file:
        # the number of pages in the header, see https://sqlite.org/fileformat.html
        pages = int.from_bytes(file.read(100)[28:32], "big")
        size = path.stat().st_size
        if size < pages * PAGE < MOST_CUT_OFF * size:
            file.truncate(pages * PAGE)


def _copy(file: sqlite3.Connection, anew: sqlite3.Connection) -> tuple[int, int]:
    """Copies all rows to the new file. Returns how many subjects could be read, and how many could not.

    Raises sqlite3.Error, or Damaged if not all subjects are known or none of them can be read.
    """
    mask_damaged_rows(file)
    at_first = dict(file.execute(_FIRST))
    current, begun = current_subjects_in_rows(file), begun_matches_in_rows(file)
    subjects = all_subjects(file)
    unreadable = 0
    anew.execute("BEGIN IMMEDIATE")
    for subject in subjects:
        is_new = subject not in current | begun and at_first.get(subject, 1) <= 0
        try:
            parts = read_parts(file, subject, placed=not is_new)
        except DamagedData:
            unreadable += 1
            part = 0 if subject in current or at_first.get(subject) == 0 else 1
            parts = {part: (b"", UNREADABLE, 0)}
        anew.executemany(_PUT, [(subject, part, *row) for part, row in parts.items()])
    if unreadable == len(subjects):
        raise DamagedData(_("too much of it is damaged"))
    anew.execute("COMMIT")
    return len(subjects) - unreadable, unreadable
