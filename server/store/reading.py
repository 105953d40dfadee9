"""Rows as they stand in the file, and what tells that something of it is damaged or lost."""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Sequence
from pathlib import Path

from server.language import _
from server.store.rows import Damaged

FILE, LOCK = "magehall.db", "lock"


def subjects(file: sqlite3.Connection) -> Sequence[str]:
    """Everything of which rows are kept; what is damaged may be no text, and is none that is known. Raises
    sqlite3.Error.

    All at once: where others are read meanwhile, SQLite may go through a damaged file again and again.
    """
    return [str(subject) for (subject,) in file.execute("SELECT DISTINCT subject FROM rows ORDER BY subject")]


def read_rows(file: sqlite3.Connection, subject: str, first: int = 0) -> dict[int, bytes]:
    """Every part of a subject from that one on. Raises Damaged."""
    rows = {}
    wanted = "SELECT part, data, sum FROM rows WHERE subject = ? AND part >= ?"
    try:
        for part, data, sum in file.execute(wanted, (subject, first)):
            if not isinstance(data, bytes) or checksum(subject, part, data) != sum:
                raise Damaged(_("part {part} of {subject} is not what was written", part=part, subject=subject))
            rows[part] = data
    except sqlite3.Error as error:
        raise Damaged(str(error)) from None
    return dict(sorted(rows.items()))


def checksum(subject: str, part: int, data: bytes) -> int:
    """What tells a damaged row."""
    return zlib.crc32(data, zlib.crc32(f"{subject} {part}".encode()))


def lost_log(folder: Path) -> Path | None:
    """The log of the writes, where the last server was killed and should have left it. One that was killed as soon as
    it began may not have had any, so nobody is kept from going on."""
    path, wal, killed = folder / FILE, folder / f"{FILE}-wal", folder / f"{LOCK}-journal"
    lost = os.path.exists(killed) and not os.path.exists(wal)
    return wal if lost and os.path.exists(path) and path.stat().st_size else None
