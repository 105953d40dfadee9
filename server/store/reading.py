"""Rows as they stand in the file, with those in `latest` laid over them, and what tells that something of it is damaged
or lost."""

from __future__ import annotations

import os
import sqlite3
import struct
import sys
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, TypeVar

from server.language import _
from server.store.rows import EVERYTHING, Damaged

T = TypeVar("T")

FILE, LOCK = "magehall.db", "lock"

_PARTS = (
    "SELECT 0 AS number, part, data, sum FROM rows WHERE subject = ?1 AND part >= ?2"
    f" UNION ALL SELECT number, part, data, sum FROM latest WHERE subject = ?1 AND (part >= ?2 OR part = {EVERYTHING})"
    " ORDER BY number"
)
_TOUCHED = (
    "SELECT 0 AS number, subject, part, written, 0, sum FROM rows WHERE subject IN (SELECT subject FROM latest)"
    " UNION ALL SELECT number, subject, part, written, data IS NULL, sum FROM latest ORDER BY number"
)
OLDEST = (
    "SELECT subject FROM rows AS header INDEXED BY old WHERE part = 1 AND subject GLOB 't[0-9]*'"
    " AND NOT EXISTS (SELECT 1 FROM rows WHERE subject = header.subject AND part = 0)"
    " AND subject NOT IN (SELECT subject FROM latest) ORDER BY written LIMIT ?"
)

PAGE = 4_096  # as SQLite makes its files
_LOG_HEAD, _FRAME_HEAD = 32, 24
_MAGIC = {0x377F0682: "<6I", 0x377F0683: ">6I"}
"""The first word of the log of the writes, and how its checksum reads the six words before it."""


def subjects(file: sqlite3.Connection) -> Sequence[str]:
    """Everything of which rows are kept; what is damaged may be no text, and is none that is known. Raises
    sqlite3.Error.

    All at once: where others are read meanwhile, SQLite may go through a damaged file again and again.
    """
    return sorted(_kept(file, "SELECT DISTINCT subject, 0 FROM rows", range(sys.maxsize)))


def current(file: sqlite3.Connection) -> Sequence[str]:
    """The subjects that have a part 0. Raises sqlite3.Error."""
    return sorted(_kept(file, "SELECT subject, 0 FROM rows WHERE part = 0", range(1)))


def last_written(file: sqlite3.Connection) -> Mapping[str, object]:
    """The time of the last entry of everything that has parts above 0; where it is damaged, anything. Raises
    sqlite3.Error."""
    newest = "SELECT subject, MAX(written) FROM rows WHERE part > 0 GROUP BY subject"
    return _kept(file, newest, range(1, sys.maxsize))


def oldest_matches(file: sqlite3.Connection, most: int) -> Sequence[str]:
    """Subjects of matches that are not current, those that began first; none of which something was written just now.
    Raises sqlite3.Error."""
    return [subject for (subject,) in file.execute(OLDEST, (most,))]


def read_rows(file: sqlite3.Connection, subject: str, first: int = 0) -> dict[int, bytes]:
    """Every part of a subject from that one on. Raises Damaged."""
    rows: dict[int, bytes] = {}
    try:
        for _number, part, data, sum in file.execute(_PARTS, (subject, first)):
            if not is_whole(subject, part, data, sum):
                raise Damaged(_("part {part} of {subject} is not what was written", part=part, subject=subject))
            _lay(rows, part, data)
    except sqlite3.Error as error:
        raise Damaged(str(error)) from None
    return dict(sorted(rows.items()))


def _kept(file: sqlite3.Connection, statement: str, parts: range) -> dict[str, object]:
    """What the statement finds in `rows` for subjects with such parts, or for those of which something stands in
    `latest` the time of the last entry. Raises sqlite3.Error."""
    file.execute("BEGIN")  # both as of one moment
    try:
        found = {str(subject): value for subject, value in file.execute(statement)}
        touched: dict[str, dict[int, object]] = {}
        for _number, subject, part, written, gone, sum in file.execute(_TOUCHED):
            if not gone or is_whole(subject, part, None, sum):  # or it may be another's that is gone
                _lay(touched.setdefault(str(subject), {}), part, None if gone else written)
    finally:
        with suppress(sqlite3.Error):
            file.execute("ROLLBACK")
    for subject, times in touched.items():
        found.pop(subject, None)
        if such := [part for part in times if part in parts]:
            found[subject] = times[max(such)]
    return found


def _lay(rows: dict[int, T], part: int, value: T | None) -> None:
    """What is written last counts."""
    if value is not None:
        rows[part] = value
    elif part == EVERYTHING:
        rows.clear()
    else:
        rows.pop(part, None)


def is_whole(subject: object, part: object, data: object, sum: object) -> bool:
    """Whether a row is what was written."""
    return isinstance(data, bytes | None) and checksum(subject, part, data) == sum


def checksum(subject: object, part: object, data: bytes | None) -> int:
    """What tells a damaged row; also one that takes another away."""
    return zlib.crc32(f"{subject} {part}".encode() + (b"gone" if data is None else data))


def lost_log(folder: Path) -> Path | None:
    """The log of the writes, where the last server was killed and should have left it. One that was killed as soon as
    it began may not have had any, so nobody is kept from going on."""
    path, wal, killed = folder / FILE, folder / f"{FILE}-wal", folder / f"{LOCK}-journal"
    lost = os.path.exists(killed) and not os.path.exists(wal)
    return wal if lost and os.path.exists(path) and path.stat().st_size else None


def torn_log(folder: Path) -> Path | None:
    """The log of the writes, where there is something behind the place up to which SQLite can read it that had been
    acknowledged. A power cut leaves one commit half written, no more: that one was not acknowledged.

    The data have to be open: how far SQLite reads stands in the log's index (https://sqlite.org/walformat.html).
    """
    wal, index = folder / f"{FILE}-wal", folder / f"{FILE}-shm"
    try:
        with wal.open("rb") as log:
            head = log.read(_LOG_HEAD)
            commits = _commits(log)
            known = index.read_bytes()[:40]
            log.seek(0)
            if log.read(_LOG_HEAD) != head:
                return None  # a server that runs has begun it anew meanwhile
    except OSError:
        return None
    if len(known) < 40:
        return None
    (read,) = struct.unpack_from("=I", known, 16)
    if _is_whole(head):
        if known[32:40] != head[16:24]:
            return None  # the same
        commits = [(number, salts) for number, salts in commits if salts == head[16:24]]
    behind = [salts for number, salts in commits if number > read]
    return wal if behind and behind.count(behind[0]) > 1 else None


def _is_whole(head: bytes) -> bool:
    """Whether the log's first bytes are as they were written."""
    words = _MAGIC.get(int.from_bytes(head[:4], "big"))
    if words is None or len(head) < _LOG_HEAD:
        return False
    first = second = 0
    numbers = struct.unpack_from(words, head)
    for one, two in zip(numbers[::2], numbers[1::2], strict=True):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + two + first) & 0xFFFFFFFF
    return (first, second) == struct.unpack_from(">2I", head, 24)


def _commits(log: BinaryIO) -> list[tuple[int, bytes]]:
    """The frames that end a commit: their numbers, from 1, and their salts, which change when the log is begun anew."""
    found, number = [], 0
    while len(frame := log.read(_FRAME_HEAD)) == _FRAME_HEAD:
        number += 1
        if any(frame[4:8]):
            found.append((number, frame[8:16]))
        log.seek(PAGE, os.SEEK_CUR)
    return found
