"""Rows as they stand in the file, and what tells that something of it is damaged or lost."""

from __future__ import annotations

import os
import sqlite3
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from server.language import _
from server.store.rows import Damaged

FILE, LOCK = "magehall.db", "lock"

PAGE = 4_096  # as SQLite makes its files
_LOG_HEAD, _FRAME_HEAD = 32, 24
_MAGIC = {0x377F0682: "<6I", 0x377F0683: ">6I"}
"""The first word of the log of the writes, and how its checksum reads the six words before it."""


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
