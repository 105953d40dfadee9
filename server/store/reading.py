"""Reads rows from the database file: those of `rows`, with those of `latest` laid over them. Also detects damage and
lost logs."""

from __future__ import annotations

import logging
import os
import sqlite3
import struct
import sys
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from server.language import _
from server.log_fields import extra_fields
from server.store.rows import EVERYTHING, DamagedData

log = logging.getLogger("magehall.store")

T = TypeVar("T")

FILE, LOCK = "magehall.db", "lock"
# all files that the data folder may have, including those of SQLite
FILES = (FILE, f"{FILE}-wal", f"{FILE}-shm", f"{FILE}-journal", LOCK, f"{LOCK}-journal")

_NEW_PARTS = (
    "SELECT number, part, data, sum, written FROM latest"
    f" WHERE subject = :subject AND (part >= :first OR part = {EVERYTHING})"
)
_PARTS = (
    "SELECT 0 AS number, part, data, sum, written FROM rows WHERE subject = :subject AND part >= :first"
    f" UNION ALL {_NEW_PARTS}"
)
_LATEST = "SELECT subject, part, written, data IS NULL, sum FROM latest ORDER BY number"
_CURRENT = "SELECT subject, 0 FROM rows NOT INDEXED WHERE part = 0 ORDER BY subject"
_PRESENT = "SELECT subject, 0 FROM rows INDEXED BY present WHERE part = 0 ORDER BY subject"
_BEGUN = "SELECT subject, 0 FROM rows INDEXED BY old WHERE part = 1 AND subject GLOB 't[0-9]*' ORDER BY written"
_SUBJECTS = [["SELECT DISTINCT subject, 0 FROM rows NOT INDEXED ORDER BY subject"], [_PRESENT, _BEGUN]]
_TIMES = "SELECT part, written FROM rows WHERE subject = ? ORDER BY part"
_NEWEST = "SELECT subject, MAX(written) FROM rows WHERE part > 0 GROUP BY subject ORDER BY subject"
OLDEST = (
    "SELECT subject FROM rows AS header INDEXED BY old WHERE part = 1 AND subject GLOB 't[0-9]*'"
    " AND NOT EXISTS (SELECT 1 FROM rows WHERE subject = header.subject AND part = 0)"
    " AND subject NOT IN (SELECT subject FROM latest) ORDER BY written LIMIT ?"
)

PAGE = 4_096  # SQLite's default page size, in bytes
_LOG_HEAD, _FRAME_HEAD = 32, 24
_MAGIC = {0x377F0682: "<6I", 0x377F0683: ">6I"}
"""The first word of the write-ahead log in both byte orders, with the struct format in which the checksum of its header
reads the six words at the beginning."""


def readable_subjects(file: sqlite3.Connection) -> Sequence[str]:
    """Returns all subjects that have rows; if the file is damaged, those that can be found. Raises sqlite3.Error.

    A damaged subject decodes to an unknown name. All rows are fetched at once, because SQLite may read a damaged file
    in an endless loop if other statements run in between.
    """
    found, _is_all = _kept(file, _SUBJECTS, range(sys.maxsize))
    return sorted(found)


def all_subjects(file: sqlite3.Connection) -> Sequence[str]:
    """Returns all subjects that have rows. Raises Damaged if damage may hide some of them, and sqlite3.Error."""
    found, is_all = _kept(file, _SUBJECTS, range(sys.maxsize))
    if not is_all:
        raise DamagedData(_("too much of it is damaged"))
    return sorted(found)


def current_subjects(file: sqlite3.Connection) -> Sequence[str]:
    """Returns the subjects that have a part 0; if the file is damaged, those that can be found. Raises
    sqlite3.Error."""
    found, _is_all = _kept(file, [[_PRESENT], [_CURRENT]], range(1))
    return sorted(found)


def last_write_times(file: sqlite3.Connection) -> Mapping[str, object]:
    """Returns, for each subject with parts above 0, when its last part was written; if the file is damaged, for those
    that can be found.

    The value from a damaged row can be anything. Raises sqlite3.Error.
    """
    found, _is_all = _kept(file, [[_NEWEST]], range(1, sys.maxsize))
    return found


def oldest_matches(file: sqlite3.Connection, most: int) -> Sequence[str]:
    """Returns the subjects of at most `most` matches whose tables are removed (they have no part 0), oldest first.
    Raises sqlite3.Error.

    Leaves out matches that have rows in `latest`, because these were written recently.
    """
    return [subject for (subject,) in file.execute(OLDEST, (most,))]


def read_rows(file: sqlite3.Connection, subject: str, first: int = 0) -> dict[int, bytes]:
    """Returns the data of a subject's parts from number `first` on, by part. Raises Damaged."""
    return {part: data for part, (data, _sum, _written) in read_parts(file, subject, first).items()}


def read_parts(
    file: sqlite3.Connection, subject: str, first: int = 0, *, placed: bool = True
) -> dict[int, tuple[bytes, int, int]]:
    """Returns a subject's parts from number `first` on: for each its data, checksum and time of writing. Raises
    Damaged.

    With `placed=False` it reads only `latest`, which is enough for a subject whose rows were never moved to `rows`.
    """
    parts: dict[int, tuple[bytes, int, int]] = {}
    try:
        statement = f"{_PARTS if placed else _NEW_PARTS} ORDER BY number"
        for _number, part, data, sum, written in file.execute(statement, {"subject": subject, "first": first}):
            if not has_valid_checksum(subject, part, data, sum):
                raise DamagedData(
                    _("part {part} of {subject} differs from what was written", part=part, subject=subject)
                )
            _lay(parts, part, None if data is None else (data, sum, written))
    except sqlite3.Error as error:
        raise DamagedData(str(error)) from None
    return dict(sorted(parts.items()))


def current_subjects_in_rows(file: sqlite3.Connection) -> set[str]:
    """Returns the subjects that have a part 0 in `rows`; if the file is damaged, those that can be found. Raises
    sqlite3.Error."""
    return {subject for subject, _zero in query_from_both_ends(file, _PRESENT)[0]}


def begun_matches_in_rows(file: sqlite3.Connection) -> set[str]:
    """Returns the subjects of matches that have a part 1 in `rows`; if the file is damaged, those that can be found.
    Raises sqlite3.Error."""
    return {subject for subject, _zero in query_from_both_ends(file, _BEGUN)[0]}


def _kept(file: sqlite3.Connection, ways: Sequence[Sequence[str]], parts: range) -> tuple[dict[str, object], bool]:
    """Returns a value for each subject that has rows, and whether all subjects were found. Raises sqlite3.Error.

    It runs the first group of statements in `ways` on `rows`, and the next group only if a page is damaged. The value
    of a subject is the second column of the statement. For a subject that has rows in `latest` it is the time of the
    last part instead; only the numbers in `parts` count as parts.
    """
    found: dict[str, object] = {}
    touched: dict[str, dict[int, object]] = {}
    is_all: bool
    unsure: set[str] = set()  # subjects that may have rows which cannot be read
    file.execute("BEGIN")  # all reads are from one snapshot of the file
    try:
        for way in ways:
            wholes = []
            for statement in way:
                rows, all_there = query_from_both_ends(file, statement)
                found = {str(subject): value for subject, value in rows} | found
                wholes.append(all_there)
            if is_all := all(wholes):
                break
        else:
            told = extra_fields("data_damaged")
            log.error("the data is damaged; the rows on damaged pages are missing", extra=told)
        for subject, part, written, gone, sum in file.execute(_LATEST):
            if gone and not has_valid_checksum(subject, part, None, sum):
                continue  # the row may belong to another subject, because its checksum is wrong
            if str(subject) not in touched:
                rows, all_there = query_from_both_ends(file, _TIMES, subject)
                touched[str(subject)] = dict(rows)
                unsure |= set() if all_there else {str(subject)}
            _lay(touched[str(subject)], part, None if gone else written)
    finally:
        with suppress(sqlite3.Error):
            file.execute("ROLLBACK")
    for subject, times in touched.items():
        if such := [part for part in times if part in parts]:
            found[subject] = times[max(such)]
        elif subject not in unsure:
            found.pop(subject, None)
    return found, is_all


def query_from_both_ends(file: sqlite3.Connection, statement: str, *values: object) -> tuple[list[Any], bool]:
    """Runs a statement that ends with the column by which it sorts. Returns its rows, and True if no page was damaged.

    If a page is damaged, it also reads from the other end, and returns the rows on both sides of the damage, and False.
    Raises sqlite3.Error for all other errors.
    """
    rows: list[Any] = []
    for way in ("ASC", "DESC"):
        try:
            for row in file.execute(f"{statement} {way}", values):
                rows.append(row)  # added one by one, so that a damaged row does not lose those before it
            return rows, way == "ASC"
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
    return rows, False


def is_damage(error: sqlite3.Error) -> bool:
    """Returns whether the error reports a damaged page."""
    return getattr(error, "sqlite_errorname", "").startswith("SQLITE_CORRUPT")


def _lay(rows: dict[int, T], part: int, value: T | None) -> None:
    """Applies one write to the parts of a subject: stores a value, or with None deletes a part, or all parts if the
    part is EVERYTHING."""
    if value is not None:
        rows[part] = value
    elif part == EVERYTHING:
        rows.clear()
    else:
        rows.pop(part, None)


def has_valid_checksum(subject: object, part: object, data: object, sum: object) -> bool:
    """Returns whether a row has the checksum that was stored with it."""
    return isinstance(data, bytes | None) and checksum(subject, part, data) == sum


def checksum(subject: object, part: object, data: bytes | None) -> int:
    """Returns the checksum of a row. If `data` is None, the row is a deletion."""
    return zlib.crc32(f"{subject} {part}".encode() + (b"gone" if data is None else data))


def wal_path(path: Path) -> Path:
    """Returns the path of the write-ahead log of a database file."""
    return path.with_name(f"{path.name}-wal")


def missing_wal(folder: Path) -> Path | None:
    """Returns the path of the write-ahead log if it is missing although the last server was killed; otherwise None.

    A server that is killed right after its start may have written no log. So a missing log is reported, but does not
    keep the server from starting.
    """
    path, wal, killed = folder / FILE, wal_path(folder / FILE), folder / f"{LOCK}-journal"
    lost = os.path.exists(killed) and not os.path.exists(wal)
    return wal if lost and os.path.exists(path) and path.stat().st_size else None


def torn_wal(folder: Path) -> Path | None:
    """Returns the path of the write-ahead log if it has commits behind the point where SQLite stops reading that were
    already acknowledged; otherwise None.

    A power cut leaves at most one commit behind that point, which is unfinished and was not acknowledged. More than one
    means that the log is damaged.

    The database must be open, because the log's index records how far SQLite reads (https://sqlite.org/walformat.html).
    """
    wal, index = wal_path(folder / FILE), folder / f"{FILE}-shm"
    try:
        with wal.open("rb") as log:
            head = log.read(_LOG_HEAD)
            commits = _commits(log)
            known = index.read_bytes()[:40]
            log.seek(0)
            if log.read(_LOG_HEAD) != head:
                return None  # a running server has started the log again meanwhile
    except OSError:
        return None
    if len(known) < 40:
        return None
    (read,) = struct.unpack_from("=I", known, 16)
    if _is_whole(head):
        if known[32:40] != head[16:24]:
            return None  # a running server has started the log again meanwhile
        commits = [(number, salts) for number, salts in commits if salts == head[16:24]]
    behind = [salts for number, salts in commits if number > read]
    return wal if behind and behind.count(behind[0]) > 1 else None


def _is_whole(head: bytes) -> bool:
    """Returns whether the header of the write-ahead log has the right checksum."""
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
    """Returns, for each frame of the log that ends a commit, its number (from 1) and its salts. The salts change each
    time that the log is started again."""
    found, number = [], 0
    while len(frame := log.read(_FRAME_HEAD)) == _FRAME_HEAD:
        number += 1
        if any(frame[4:8]):
            found.append((number, frame[8:16]))
        log.seek(PAGE, os.SEEK_CUR)
    return found
