"""Maintains a server's data: backups while the server runs, restoring a backup, and deleting old matches."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from server.language import _
from server.store.atomic_files import atomic_write, sync_folder
from server.store.backups import copy_database, dated_path
from server.store.file import CannotOpen, check_layout_version, open_connection, open_read_only
from server.store.folder_permissions import check_folder_private
from server.store.latest import LatestRows
from server.store.owner import owner_name
from server.store.reading import FILE, FILES, LOCK, current_subjects, last_write_times, wal_path
from server.store.rows import EVERYTHING, StoreFailed
from server.store.sqlite import lock_folder, open_store

DAY = 86_400
BACKUP = "magehall"
_BACKUPS = re.compile(rf"{BACKUP}-[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T[0-9]{{6}}Z(-[0-9]+)?\.db")


def backup_to_file(folder: Path, target: Path) -> int:
    """Copies the data as of one moment into a new file with mode 0600. Returns the number of bytes of the copy.

    Raises CannotOpen if the data cannot be read, or if the target exists or cannot be written.
    """
    with _writing(target), open_read_only(folder / FILE) as file:
        copy_database(file, target)
    return target.stat().st_size


def backup_into_folder(folder: Path, target: Path, keep: int = 0) -> tuple[Path, int, list[Path]]:
    """Copies the data into a new file with the time in its name, and deletes the oldest copies.

    Args:
        folder: The data folder.
        target: The folder for the copies, which is created if it does not exist.
        keep: The number of copies to keep in that folder, including the new one. 0 keeps all of them.

    Returns:
        The new file, its size in bytes, and the copies that were deleted.

    Raises:
        CannotOpen: The data cannot be read, or the copy cannot be written. Old copies are only deleted once the new one
            is complete.
        new one is complete.
    """
    with _writing(target):
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        copy = dated_path(target, BACKUP, ".db")
    size = backup_to_file(folder, copy)
    older = [one for one in target.iterdir() if _BACKUPS.fullmatch(one.name) and one != copy]
    older.sort(key=lambda one: one.stem)
    gone = older[: max(0, len(older) - keep + 1)] if keep else []
    with _writing(target):
        for one in gone:
            one.unlink()
    return copy, size, gone


def backup_to_stream(folder: Path, stream: BinaryIO) -> int:
    """Copies the data into a stream, by way of a temporary file. Returns the number of bytes that were written.

    Raises CannotOpen if the data cannot be copied, and OSError if the stream cannot be written.
    """
    with tempfile.TemporaryDirectory() as aside:
        copy = Path(aside) / FILE
        size = backup_to_file(folder, copy)
        with copy.open("rb") as file:
            shutil.copyfileobj(file, stream)
    stream.flush()
    return size


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    """Converts errors of the block into CannotOpen, with a text that says that `target` cannot be written."""
    try:
        yield
    except FileExistsError:
        raise CannotOpen(_("{target} already exists, so nothing was written.", target=target)) from None
    except OSError as error:
        raise CannotOpen(_("{target} cannot be written: {strerror}.", target=target, strerror=error.strerror)) from None
    except sqlite3.Error as error:
        raise CannotOpen(_("{target} cannot be written: {error}.", target=target, error=error)) from None


def restore_backup(
    folder: Path, copy: Path, check: Callable[[sqlite3.Connection], None], without: Sequence[tuple[str, int]] = ()
) -> Path | None:
    """Replaces the data by a backup, and moves the old data aside. After a power cut the folder has either the old or
    the new data.

    Args:
        folder: The data folder, which is created if it does not exist.
        copy: The backup, which is not changed.
        check: A function that is called with the opened backup before anything is changed. It raises an exception if
            the backup must not be used.
        without: The subject and the part of each row that is left out of the restored data.

    Returns:
        The folder to which the old data were moved; None if there were none.

    Raises:
        CannotOpen: A server is using the data, or the backup or the folder cannot be used. The data have not changed.
    """
    with open_read_only(copy) as file:
        check(file)
    if folder.exists() and (user := owner_name(folder)):
        raise CannotOpen(
            _("{folder} belongs to {user}. Run this as that user, with sudo -u {user}.", folder=folder, user=user)
        )
    check_folder_private(folder, FILES)
    with _writing(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600))
    path = folder / FILE
    with closing(lock_folder(folder)), _writing(folder):
        if os.path.exists(path) and os.path.samefile(path, copy):
            raise CannotOpen(_("{copy} is the server's data itself, so there is nothing to restore.", copy=copy))
        with atomic_write(path, mode=0o600) as half:
            with open_read_only(copy) as file, closing(sqlite3.connect(half)) as new:
                file.backup(new)
                with suppress(sqlite3.Error):  # a damaged backup is restored as it is
                    _take_out(new, without)
                new.execute("PRAGMA journal_mode = DELETE")
            aside = _keep_aside(folder)
        sync_folder(folder)
    return aside


def _take_out(file: sqlite3.Connection, rows: Sequence[tuple[str, int]]) -> None:
    """Deletes these rows. Raises sqlite3.Error."""
    LatestRows(file).append([(subject, part, None) for subject, part in rows])
    file.commit()


def _keep_aside(folder: Path) -> Path | None:
    """Copies the present data into a new folder beside them, and returns that folder; None if there are no data.

    Then it merges the write-ahead log into the data file and deletes SQLite's other files, because SQLite would
    otherwise apply the old log to the restored file. Raises OSError.
    """
    path = folder / FILE
    if not path.exists() or not (path.stat().st_size or wal_path(path).exists()):
        return None
    aside = dated_path(folder, "before-restore")
    try:
        aside.mkdir(mode=0o700)
        for one in (path, wal_path(path)):
            if one.exists():
                _copy_file(one, aside / one.name)
        sync_folder(aside)
        sync_folder(folder)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    with suppress(sqlite3.Error, CannotOpen), closing(open_connection(path)) as file:  # a damaged file stays as it is
        check_layout_version(file, path)
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    for name in FILES:
        if name.startswith(f"{FILE}-"):
            (folder / name).unlink(missing_ok=True)
    return aside


def _copy_file(source: Path, target: Path) -> None:
    """Copies a file with mode 0600, and syncs the copy to the disk. Raises OSError."""
    with (
        source.open("rb") as file,
        os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new,
    ):
        shutil.copyfileobj(file, new)
        new.flush()
        os.fsync(new.fileno())


def delete_old_matches(folder: Path, days: float) -> int:
    """Deletes the finished matches whose last entry is older than this many days. Returns their number.

    Raises CannotOpen if the data cannot be opened, and StoreFailed if they cannot be read or written.
    """
    with open_read_only(folder / FILE):
        pass  # raises if the file is missing, which open_store would create
    store = open_store(folder)
    try:
        with open_read_only(folder / FILE) as file:
            tables, times = set(current_subjects(file)), last_write_times(file)
            (now,) = file.execute("SELECT CAST(strftime('%s', 'now') AS INTEGER)").fetchone()
        matches = [
            subject
            for subject, last in times.items()
            if subject[1:].isdigit() and subject not in tables
            if isinstance(last, int | float) and last < now - days * DAY
        ]
        store.commit_now([(subject, EVERYTHING, None) for subject in matches])
        store.release_space()
    except sqlite3.Error as error:
        raise StoreFailed(str(error)) from None
    finally:
        store.close()
    return len(matches)
