"""Rows as they stand in the file, with those in `latest` laid over them, and what tells that something of it is damaged
or lost."""

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
from server.log_fields import fields
from server.store.rows import EVERYTHING, Damaged

log = logging.getLogger("magehall.store")

T = TypeVar("T")

FILE, LOCK = "magehall.db", "lock"
FILES = (FILE, f"{FILE}-wal", f"{FILE}-shm", f"{FILE}-journal", LOCK, f"{LOCK}-journal")  # SQLite's beside our own

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

PAGE = 4_096  # as SQLite makes its files
_LOG_HEAD, _FRAME_HEAD = 32, 24
_MAGIC = {0x377F0682: "<6I", 0x377F0683: ">6I"}
"""The first word of the log of the writes, and how its checksum reads the six words before it."""


def subjects(file: sqlite3.Connection) -> Sequence[str]:
    """Everything of which rows are kept, as far as the damage that there is lets it be told; what is damaged may be no
    text, and is none that is known. Raises sqlite3.Error.

    All at once: where others are read meanwhile, SQLite may go through a damaged file again and again.
    """
    found, _is_all = _kept(file, _SUBJECTS, range(sys.maxsize))
    return sorted(found)


def all_subjects(file: sqlite3.Connection) -> Sequence[str]:
    """The same, and nothing is missing. Raises Damaged where nobody can tell, and sqlite3.Error."""
    found, is_all = _kept(file, _SUBJECTS, range(sys.maxsize))
    if not is_all:
        raise Damaged(_("too much of it is damaged"))
    return sorted(found)


def current(file: sqlite3.Connection) -> Sequence[str]:
    """The subjects that have a part 0, as far as can be told. Raises sqlite3.Error."""
    found, _is_all = _kept(file, [[_PRESENT], [_CURRENT]], range(1))
    return sorted(found)


def last_written(file: sqlite3.Connection) -> Mapping[str, object]:
    """The time of the last entry of everything that has parts above 0, as far as can be told; where it is damaged,
    anything. Raises sqlite3.Error."""
    found, _is_all = _kept(file, [[_NEWEST]], range(1, sys.maxsize))
    return found


def oldest_matches(file: sqlite3.Connection, most: int) -> Sequence[str]:
    """Subjects of matches that are not current, those that began first; none of which something was written just now.
    Raises sqlite3.Error."""
    return [subject for (subject,) in file.execute(OLDEST, (most,))]


def read_rows(file: sqlite3.Connection, subject: str, first: int = 0) -> dict[int, bytes]:
    """Every part of a subject from that one on. Raises Damaged."""
    return {part: data for part, (data, _sum, _written) in parts_of(file, subject, first).items()}


def parts_of(
    file: sqlite3.Connection, subject: str, first: int = 0, *, placed: bool = True
) -> dict[int, tuple[bytes, int, int]]:
    """The same with its checksum and the time when it was written; for what was never `placed`, from `latest` alone.
    Raises Damaged."""
    parts: dict[int, tuple[bytes, int, int]] = {}
    try:
        statement = f"{_PARTS if placed else _NEW_PARTS} ORDER BY number"
        for _number, part, data, sum, written in file.execute(statement, {"subject": subject, "first": first}):
            if not is_whole(subject, part, data, sum):
                raise Damaged(_("part {part} of {subject} is not what was written", part=part, subject=subject))
            _lay(parts, part, None if data is None else (data, sum, written))
    except sqlite3.Error as error:
        raise Damaged(str(error)) from None
    return dict(sorted(parts.items()))


def current_in_place(file: sqlite3.Connection) -> set[str]:
    """The subjects that have a part 0 in `rows`, as far as can be told. Raises sqlite3.Error."""
    return {subject for subject, _zero in from_both_ends(file, _PRESENT)[0]}


def begun_in_place(file: sqlite3.Connection) -> set[str]:
    """The matches that have a part 1 in `rows`, as far as can be told. Raises sqlite3.Error."""
    return {subject for subject, _zero in from_both_ends(file, _BEGUN)[0]}


def _kept(file: sqlite3.Connection, ways: Sequence[Sequence[str]], parts: range) -> tuple[dict[str, object], bool]:
    """What the statements of the first way find in `rows`, those of the next too where a page is damaged; for subjects
    of which something stands in `latest` the time of the last entry with such a part. And whether this is all of it.
    Raises sqlite3.Error."""
    found: dict[str, object] = {}
    touched: dict[str, dict[int, object]] = {}
    is_all: bool
    unsure: set[str] = set()  # nobody can tell what else there is of it
    file.execute("BEGIN")  # all as of one moment
    try:
        for way in ways:
            wholes = []
            for statement in way:
                rows, all_there = from_both_ends(file, statement)
                found = {str(subject): value for subject, value in rows} | found
                wholes.append(all_there)
            if is_all := all(wholes):
                break
        else:
            told = fields("data_damaged")
            log.error("the data are damaged; what stands in the damaged place is not there", extra=told)
        for subject, part, written, gone, sum in file.execute(_LATEST):
            if gone and not is_whole(subject, part, None, sum):
                continue  # it may be another's that is gone
            if str(subject) not in touched:
                rows, all_there = from_both_ends(file, _TIMES, subject)
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


def from_both_ends(file: sqlite3.Connection, statement: str, *values: object) -> tuple[list[Any], bool]:
    """The rows that a statement finds, which ends in what they are ordered by, and True. Where a page of the file is
    damaged: those before it and, backwards, those behind it, and False. Raises sqlite3.Error for anything else."""
    rows: list[Any] = []
    for way in ("ASC", "DESC"):
        try:
            for row in file.execute(f"{statement} {way}", values):
                rows.append(row)  # one by one: what comes after it may be damaged
            return rows, way == "ASC"
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
    return rows, False


def is_damage(error: sqlite3.Error) -> bool:
    """Whether a page of the file is not what was written."""
    return getattr(error, "sqlite_errorname", "").startswith("SQLITE_CORRUPT")


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


def log_of(path: Path) -> Path:
    """The log of the writes to that file."""
    return path.with_name(f"{path.name}-wal")


def lost_log(folder: Path) -> Path | None:
    """The log of the writes, where the last server was killed and should have left it. One that was killed as soon as
    it began may not have had any, so nobody is kept from going on."""
    path, wal, killed = folder / FILE, log_of(folder / FILE), folder / f"{LOCK}-journal"
    lost = os.path.exists(killed) and not os.path.exists(wal)
    return wal if lost and os.path.exists(path) and path.stat().st_size else None


def torn_log(folder: Path) -> Path | None:
    """The log of the writes, where there is something behind the place up to which SQLite can read it that had been
    acknowledged. A power cut leaves one commit half written, no more: that one was not acknowledged.

    The data have to be open: how far SQLite reads stands in the log's index (https://sqlite.org/walformat.html).
    """
    wal, index = log_of(folder / FILE), folder / f"{FILE}-shm"
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
