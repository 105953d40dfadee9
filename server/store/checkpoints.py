"""The log of the writes is brought into the file beside the writer, so that no commit waits for it."""

from __future__ import annotations

import sqlite3
from threading import Lock

import trio

from server.store.rows import Unsure

CHECKPOINT_ROWS = 100
"""After so many the log of the writes, some 1 MiB by then, is brought into the file: 2 ms of the disk's time, in which
a commit waits for a part of a millisecond. With 2,000 rows it would be 10 ms. SQLite would do it by
itself, within a commit, and keep to itself that an fsync failed."""

UNSURE = ("SQLITE_IOERR_FSYNC", "SQLITE_IOERR_DIR_FSYNC")
"""After these the system may call written what it has dropped (https://wiki.postgresql.org/wiki/Fsync_Errors)."""


def check_is_sure(error: sqlite3.Error) -> None:
    """Raises Unsure for an fsync that failed."""
    if getattr(error, "sqlite_errorname", "") in UNSURE:
        raise Unsure(str(error)) from None


def checkpoint(file: sqlite3.Connection, how: str) -> None:
    """What cannot be brought into the file stays in the log for the next time. Raises Unsure."""
    try:
        file.execute(f"PRAGMA wal_checkpoint({how})").fetchall()
    except sqlite3.Error as error:
        check_is_sure(error)


class Checkpoints:
    """Has a connection of its own to the file, and shares with its writer the lock under which that writes."""

    def __init__(self, file: sqlite3.Connection, writing: Lock) -> None:
        self._file, self._writing = file, writing
        self._rows = 0  # written since the last one began
        self._under_way = Lock()
        self._unsure: Unsure | None = None

    def check(self) -> None:
        """Raises Unsure once an fsync failed in one of them."""
        if self._unsure is not None:
            raise self._unsure

    def written(self, rows: int) -> None:
        """So many more were committed. Begins a checkpoint when it is time and none is under way."""
        self._rows += rows
        if self._rows >= CHECKPOINT_ROWS and self._under_way.acquire(blocking=False):
            self._rows = 0
            trio.lowlevel.start_thread_soon(self._bring, lambda _result: None)

    def _bring(self) -> None:
        """In a thread. The second time takes what was committed during the first, and little is left of it: the log
        begins anew only where all of it is in the file."""
        try:
            checkpoint(self._file, "PASSIVE")
            with self._writing:
                checkpoint(self._file, "PASSIVE")
        except Unsure as unsure:
            self._unsure = unsure
        finally:
            self._under_way.release()

    def settle(self) -> None:
        """Returns once none is under way."""
        with self._under_way:
            pass

    def close(self) -> None:
        """The writer must not write any more."""
        self.settle()
        self._file.close()
