"""Checkpoints, which merge SQLite's write-ahead log into the database file. They run on a second connection, so that
commits rarely wait for them."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from threading import Lock

from server.store.reading import wal_path
from server.store.rows import DurabilityUnknown

CHECKPOINT_PAGES = 256
"""Number of pages written after which the write-ahead log, of about 1 MiB by then, is merged into the database file.

Merging takes the disk 2 ms, during which a commit waits for a fraction of a millisecond; a log of 20 MiB would take 10
ms. SQLite's automatic checkpoint would run within a commit, and would not report a failed fsync.
"""

LOG_BYTES = 4 * 2**20
"""Length in bytes to which the write-ahead log is cut. It grows longer while a reader outside the server, such as a
backup, uses an old snapshot of the file."""

UNSURE = ("SQLITE_IOERR_FSYNC", "SQLITE_IOERR_DIR_FSYNC")
"""SQLite's error names for a failed fsync. After one of these, the operating system may report data as written that it
has dropped (https://wiki.postgresql.org/wiki/Fsync_Errors)."""


def raise_if_fsync_failed(error: sqlite3.Error) -> None:
    """Raises Unsure if the error means that an fsync failed."""
    if getattr(error, "sqlite_errorname", "") in UNSURE:
        raise DurabilityUnknown(str(error)) from None


def run_checkpoint(file: sqlite3.Connection, how: str) -> None:
    """Runs a checkpoint in the given mode, such as PASSIVE. Pages that cannot be merged now stay in the log until the
    next one.

    Raises Unsure if an fsync failed; other errors are ignored.
    """
    try:
        file.execute(f"PRAGMA wal_checkpoint({how})").fetchall()
    except sqlite3.Error as error:
        raise_if_fsync_failed(error)


class Checkpoints:
    """Runs checkpoints on a database connection of its own. `writing` is the lock that the writer of rows holds while
    it writes."""

    def __init__(self, file: sqlite3.Connection, writing: Lock) -> None:
        # fail at once instead of waiting for a reader, which would delay the writer
        file.execute("PRAGMA busy_timeout = 0")
        self._file, self._writing = file, writing
        self._pages = 0  # pages written since the last checkpoint began

    def add_pages(self, pages: int) -> None:
        """Adds to the number of pages written since the last checkpoint."""
        self._pages += pages

    def run_if_due(self) -> None:
        """Runs a checkpoint if CHECKPOINT_PAGES were written since the last one began. Raises Unsure.

        It makes two passes. The first one runs while the writer may write. The second one holds the writer's lock, and
        merges what was committed during the first. SQLite can start the log again from its beginning only when all of
        it is merged.
        """
        if self._pages >= CHECKPOINT_PAGES:
            self._pages = 0
            run_checkpoint(self._file, "PASSIVE")
            with self._writing:
                run_checkpoint(self._file, "PASSIVE")

    def truncate_log(self) -> None:
        """Empties the log if it is longer than LOG_BYTES. Does nothing while a reader uses the log. Raises Unsure.

        SQLite itself shortens the log only at the next write, but a server without players writes nothing.
        """
        _number, _name, path = self._file.execute("PRAGMA database_list").fetchone()
        try:
            is_long = os.stat(wal_path(Path(path))).st_size > LOG_BYTES
        except OSError:
            return
        if is_long:
            run_checkpoint(self._file, "PASSIVE")  # merges most of the log while commits go on
            with self._writing:
                run_checkpoint(self._file, "TRUNCATE")

    def close(self) -> None:
        """Closes the connection. After this the writer must not write."""
        self._file.close()
