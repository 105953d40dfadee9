"""Data of which a page is damaged are begun anew with all that can be read of them; the damaged file is set aside.

A subject of which anything is missing stays one that cannot be read: who finds half of a match would play on from
where it never was, and who finds no name would give it to the next who asks.
"""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

from server.language import _
from server.store.file import connected, upgrade
from server.store.latest import see_through
from server.store.reading import FILE, all_subjects, begun_in_place, current_in_place, parts_of
from server.store.rows import Damaged
from server.store.whole import whole

log = logging.getLogger("magehall.store")

Kept = tuple[str, int, bytes, int, int]
"""A row as it stands in `rows`: subject, part, data, checksum, when it was written."""

UNREADABLE = -1  # no row has this checksum
_FIRST = "SELECT subject, part FROM (SELECT subject, part FROM latest ORDER BY number DESC)"  # the first one counts
_PUT = "INSERT INTO rows VALUES (?, ?, ?, ?, ?)"


def mend(path: Path) -> None:
    """Nobody has the file open. Raises sqlite3.Error, Damaged where nobody can tell of what there are rows, and
    OSError; then the file is as it was."""
    with closing(connected(path)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    if path.with_name(f"{FILE}-wal").exists():  # or it would be taken for the new file's
        raise OSError(0, _("what was written last cannot be brought into it"))
    aside = _copied(path)
    with whole(path, mode=path.stat().st_mode & 0o777) as half, closing(connected(half)) as anew:
        upgrade(anew, 0)
        anew.execute("BEGIN IMMEDIATE")
        with closing(connected(path)) as file:
            anew.executemany(_PUT, _all_rows(file))
        anew.execute("COMMIT")
    _synchronise(path.parent)
    log.error("the data are damaged: what can be read was written anew; all of it is set aside as %s", aside.name)


def _copied(path: Path) -> Path:
    """The copy of the file that is set aside. Raises OSError."""
    aside = next(one for number in count(1) if not (one := path.with_name(f"{FILE}.damaged-{number}")).exists())
    with whole(aside, new=True, mode=0o600) as half:
        shutil.copyfile(path, half)
    return aside


def _synchronise(folder: Path) -> None:
    """What is in the folder survives a power cut. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _all_rows(file: sqlite3.Connection) -> Iterator[Kept]:
    """As they are to stand in `rows`. Raises sqlite3.Error, Damaged."""
    see_through(file)
    at_first = dict(file.execute(_FIRST))
    current, begun = current_in_place(file), begun_in_place(file)
    for subject in all_subjects(file):
        is_new = subject not in current | begun and at_first.get(subject, 1) <= 0
        try:
            parts = parts_of(file, subject, placed=not is_new)
        except Damaged as why:
            log.error("%a cannot be read (%s): it stays so", subject, why)
            part = 0 if subject in current or at_first.get(subject) == 0 else 1
            yield subject, part, b"", UNREADABLE, 0
            continue
        for part, (data, sum, written) in parts.items():
            yield subject, part, data, sum, written
