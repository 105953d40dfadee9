"""Looking after the data: a copy while the server runs, and what is old taken away."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from server.language import _
from server.store.file import CannotOpen, open_to_read
from server.store.reading import FILE, current, last_written
from server.store.rows import EVERYTHING, StoreFailed
from server.store.sqlite import open_store
from server.store.whole import whole

DAY = 86_400


def backup(folder: Path, target: Path) -> int:
    """Copies the data as of one moment into a new file that only its owner can read; returns its size in bytes.

    Raises CannotOpen.
    """
    try:
        with (
            open_to_read(folder / FILE) as file,
            whole(target, new=True, mode=0o600) as half,
            closing(sqlite3.connect(half)) as copy,
        ):
            file.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # so that all of it is in this one file
    except FileExistsError:
        raise CannotOpen(_("{target} is there already; nothing was written.", target=target)) from None
    except OSError as error:
        raise CannotOpen(_("{target} cannot be written: {strerror}.", target=target, strerror=error.strerror)) from None
    except sqlite3.Error as error:
        raise CannotOpen(_("{target} cannot be written: {error}.", target=target, error=error)) from None
    return target.stat().st_size


def prune(folder: Path, days: float) -> int:
    """Takes finished matches away whose last entry is older; returns how many. Raises CannotOpen, StoreFailed."""
    with open_to_read(folder / FILE):
        pass  # where there is nothing, none is made
    store = open_store(folder)
    try:
        with open_to_read(folder / FILE) as file:
            tables, times = set(current(file)), last_written(file)
            (now,) = file.execute("SELECT CAST(strftime('%s', 'now') AS INTEGER)").fetchone()
        matches = [
            subject
            for subject, last in times.items()
            if subject[1:].isdigit() and subject not in tables
            if isinstance(last, int | float) and last < now - days * DAY
        ]
        store.commit_now([(subject, EVERYTHING, None) for subject in matches])
        store.shrink()
    except sqlite3.Error as error:
        raise StoreFailed(str(error)) from None
    finally:
        store.close()
    return len(matches)
