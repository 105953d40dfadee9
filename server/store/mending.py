"""Data of which a page is damaged are begun anew with all that can be read of them; the damaged file is set aside.

A subject of which anything is missing stays one that cannot be read: who finds half of a match would play on from
where it never was, and who finds no name would give it to the next who asks.
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

MOST_CUT_OFF = 16  # a head that says more is damaged itself
UNREADABLE = -1  # no row has this checksum
_FIRST = "SELECT subject, part FROM (SELECT subject, part FROM latest ORDER BY number DESC)"  # the first one counts
_PUT = "INSERT INTO rows VALUES (?, ?, ?, ?, ?)"


def mend(path: Path) -> None:
    """Nobody has the file open. Raises sqlite3.Error, Damaged where nobody can tell of what there are rows, and
    OSError; then nothing is lost that was there."""
    aside = _copied(path)
    _lengthen(path)
    with closing(connected(path)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        upgrade(file, check_is_ours(file, path))
    if log_of(path).exists():  # or it would be taken for the new file's
        raise OSError(0, _("what was written last cannot be brought into it"))
    with whole(path, mode=path.stat().st_mode & 0o777) as half, closing(connected(half)) as anew:
        upgrade(anew, 0)
        with closing(connected(path)) as file:
            kept, unreadable = _copy(file, anew)
    synchronize(path.parent)
    log.error(
        "the data are damaged: %d subjects, which can be read, were written anew; %d cannot; all is set aside as %s",
        kept,
        unreadable,
        aside.name,
        extra=fields("data_damaged", kept=kept, unreadable=unreadable, aside=aside.name),
    )


def _copied(path: Path) -> Path:
    """The copy of the file, with the log of its writes, that is set aside; one that is there already from a time when
    it could not be mended will do. Raises OSError."""
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
    """A file that was cut off is made as long as its head says, or SQLite reads nothing of it. Raises OSError."""
    with path.open("r+b") as file:
        pages = int.from_bytes(file.read(100)[28:32], "big")  # https://sqlite.org/fileformat.html
        size = path.stat().st_size
        if size < pages * PAGE < MOST_CUT_OFF * size:
            file.truncate(pages * PAGE)


def _copy(file: sqlite3.Connection, anew: sqlite3.Connection) -> tuple[int, int]:
    """Returns how many subjects can be read, and how many cannot. Raises sqlite3.Error, Damaged."""
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
