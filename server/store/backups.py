"""Copies a server's data, and names the copies."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from itertools import count
from pathlib import Path

from server.store.atomic_files import atomic_write, sync_folder


def copy_database(file: sqlite3.Connection, target: Path) -> None:
    """Copies the data as of one moment into a new file with mode 0600, and syncs that file to the disk.

    Raises FileExistsError if the target exists, OSError or sqlite3.Error if it cannot be written.
    """
    with atomic_write(target, new=True, mode=0o600) as half, closing(sqlite3.connect(half)) as copy:
        file.backup(copy)
        # puts all data of the copy into its one file, without a write-ahead log
        copy.execute("PRAGMA journal_mode = DELETE")
    sync_folder(target.parent)


def dated_path(folder: Path, prefix: str, suffix: str = "") -> Path:
    """Returns a path in the folder that does not exist yet, with the current time (UTC) in the file's name.

    Args:
        folder: The folder.
        prefix: The beginning of the name, such as `magehall` in `magehall-2026-11-26T031200Z.db`.
        suffix: The end of the name, with its dot.
    """
    name = f"{prefix}-{time.strftime('%Y-%m-%dT%H%M%SZ', time.gmtime())}"
    paths = (folder / f"{name}{f'-{number}' * (number > 1)}{suffix}" for number in count(1))
    return next(path for path in paths if not os.path.lexists(path))
