"""Copies of the data, and their names."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from itertools import count
from pathlib import Path

from server.store.whole import synchronize, whole


def copy_to(file: sqlite3.Connection, target: Path) -> None:
    """Copies the data as of one moment into a new file that only its owner can read; it survives a power cut.

    Raises FileExistsError, OSError, sqlite3.Error.
    """
    with whole(target, new=True, mode=0o600) as half, closing(sqlite3.connect(half)) as copy:
        file.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # so that all of it is in this one file
    synchronize(target.parent)


def dated(folder: Path, prefix: str, suffix: str = "") -> Path:
    """Returns a path in the folder where there is nothing yet, named by the time in UTC.

    Args:
        folder: Where it is to be.
        prefix: Begins the name, as in `magehall-2026-11-26T031200Z.db`.
        suffix: Ends it, with its dot.
    """
    name = f"{prefix}-{time.strftime('%Y-%m-%dT%H%M%SZ', time.gmtime())}"
    paths = (folder / f"{name}{f'-{number}' * (number > 1)}{suffix}" for number in count(1))
    return next(path for path in paths if not os.path.lexists(path))
