"""Checkpoints of SQLite's write-ahead log. They run on a second connection, so that commits rarely wait for them."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from threading import Lock

from server.store.reading import log_of
from server.store.rows import Unsure

CHECKPOINT_PAGES = 256
"""Number of written pages after which the write-ahead log, about 1 MiB by then, is merged into the database file.

This takes the disk 2 ms, during which a commit waits for a fraction of a millisecond. With 20 MiB it would take 10 ms.
SQLite's automatic checkpoint would run within a commit, and would not report a failed fsync.
"""

LOG_BYTES = 4 * 2**20
"""The write-ahead log is cut to this length. It grows longer while a reader outside the server, such as a backup, holds
an old snapshot of the file."""

UNSURE = ("SQLITE_IOERR_FSYNC", "SQLITE_IOERR_DIR_FSYNC")
"""SQLite error names of a failed fsync. After one of these the operating system may report data as written that it has
dropped (https://wiki.postgresql.org/wiki/Fsync_Errors)."""


def check_is_sure(error: sqlite3.Error) -> None:
    """Raises Unsure if the error is a failed fsync."""
    if getattr(error, "sqlite_errorname", "") in UNSURE:
        raise Unsure(str(error)) from None


def checkpoint(file: sqlite3.Connection, how: str) -> None:
    """Runs a checkpoint in the given mode, such as PASSIVE. Pages that cannot be merged stay in the log for the next
    time.

    Raises Unsure if an fsync failed; other errors are ignored.
    """
    try:
        file.execute(f"PRAGMA wal_checkpoint({how})").fetchall()
    except sqlite3.Error as error:
        check_is_sure(error)


class Checkpoints:
    """Runs checkpoints on a connection of its own. `writing` is the lock that the writer holds while it writes."""

    def __init__(self, file: sqlite3.Connection, writing: Lock) -> None:
        file.execute("PRAGMA busy_timeout = 0")  # waiting for a reader would delay the writer
        self._file, self._writing = file, writing
        self._pages = 0  # pages written since the last checkpoint began

    def written(self, pages: int) -> None:
        """Adds to the number of pages written since the last checkpoint."""
        self._pages += pages

    def bring(self) -> None:
        """Runs a checkpoint if CHECKPOINT_PAGES were written since the last one. Raises Unsure.

        The first pass runs beside the writer. The second pass holds the writer's lock and merges what was committed
        during the first. SQLite can only start over at the beginning of the log once all of it is merged.
        """
        if self._pages >= CHECKPOINT_PAGES:
            self._pages = 0
            checkpoint(self._file, "PASSIVE")
            with self._writing:
                checkpoint(self._file, "PASSIVE")

    def shorten(self) -> None:
        """Cuts the log to nothing if it is longer than LOG_BYTES. Does nothing while a reader uses the log. Raises
        Unsure.

        SQLite itself cuts the log only with the next write, and a server without players writes nothing.
        """
        _number, _name, path = self._file.execute("PRAGMA database_list").fetchone()
        try:
            is_long = os.stat(log_of(Path(path))).st_size > LOG_BYTES
        except OSError:
            return
        if is_long:
            checkpoint(self._file, "PASSIVE")  # merges most of it while commits go on
            with self._writing:
                checkpoint(self._file, "TRUNCATE")

    def close(self) -> None:
        """Closes the connection. The writer must not write afterwards."""
        self._file.close()
