"""The log of the writes is brought into the file beside the writer, so that no commit waits for it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from threading import Lock

from server.store.reading import log_of
from server.store.rows import Unsure

CHECKPOINT_PAGES = 256
"""After so many the log of the writes, 1 MiB by then, is brought into the file: 2 ms of the disk's time, in which a
commit waits for a part of a millisecond. With 20 MiB it would be 10 ms. SQLite would do it by itself, within a commit,
and keep to itself that an fsync failed."""

LOG_BYTES = 4 * 2**20
"""The log of the writes is cut to this length. It grows beyond it while a reader outside the server, such as a backup,
holds an old state of the file."""

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
        file.execute("PRAGMA busy_timeout = 0")  # a checkpoint that waited for a reader would hold the writer up
        self._file, self._writing = file, writing
        self._pages = 0  # written since the last one began

    def written(self, pages: int) -> None:
        """Some so many pages were."""
        self._pages += pages

    def bring(self) -> None:
        """When it is time. Raises Unsure.

        The second time takes what was committed during the first, and little is left of it: the log begins anew only
        where all of it is in the file.
        """
        if self._pages >= CHECKPOINT_PAGES:
            self._pages = 0
            checkpoint(self._file, "PASSIVE")
            with self._writing:
                checkpoint(self._file, "PASSIVE")

    def shorten(self) -> None:
        """Cuts a log that a reader made long. SQLite does so with the next write; a server without players writes
        nothing. Does nothing while a reader holds the log. Raises Unsure."""
        _number, _name, path = self._file.execute("PRAGMA database_list").fetchone()
        try:
            is_long = os.stat(log_of(Path(path))).st_size > LOG_BYTES
        except OSError:
            return
        if is_long:
            checkpoint(self._file, "PASSIVE")  # the most of it, while commits go on
            with self._writing:
                checkpoint(self._file, "TRUNCATE")

    def close(self) -> None:
        """The writer must not write any more."""
        self._file.close()
