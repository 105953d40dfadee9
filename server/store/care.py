"""Maintenance of the data: online backups, restoring a backup, and deleting old matches."""

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
from server.store.copies import copy_to, dated
from server.store.file import CannotOpen, check_is_ours, connected, open_to_read
from server.store.latest import Latest
from server.store.owner import owner
from server.store.private import check_is_private
from server.store.reading import FILE, FILES, LOCK, current, last_written, log_of
from server.store.rows import EVERYTHING, StoreFailed
from server.store.sqlite import locked, open_store
from server.store.whole import synchronize, whole

DAY = 86_400
BACKUP = "magehall"
_BACKUPS = re.compile(rf"{BACKUP}-[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T[0-9]{{6}}Z(-[0-9]+)?\.db")


def backup(folder: Path, target: Path) -> int:
    """Copies the data as of one moment into a new file that only its owner can read; returns its size in bytes.

    Raises CannotOpen.
    """
    with _writing(target), open_to_read(folder / FILE) as file:
        copy_to(file, target)
    return target.stat().st_size


def backup_into(folder: Path, target: Path, keep: int = 0) -> tuple[Path, int, list[Path]]:
    """Copies the data into a file with the time in its name.

    Args:
        folder: Of the data.
        target: The folder of the copies; it is made where there is none.
        keep: How many copies stay there, the new one among them; 0: all.

    Returns:
        The new file, its size in bytes, and the copies that were deleted.

    Raises:
        CannotOpen: There are no data, or nothing can be written; then no copy is deleted.
    """
    with _writing(target):
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        copy = dated(target, BACKUP, ".db")
    size = backup(folder, copy)
    older = [one for one in target.iterdir() if _BACKUPS.fullmatch(one.name) and one != copy]
    older.sort(key=lambda one: one.stem)
    gone = older[: max(0, len(older) - keep + 1)] if keep else []
    with _writing(target):
        for one in gone:
            one.unlink()
    return copy, size, gone


def backup_to(folder: Path, stream: BinaryIO) -> int:
    """Copies the data into a stream, by way of a file in the folder for temporary ones; returns its size in bytes.

    Raises CannotOpen, and OSError where the stream takes nothing.
    """
    with tempfile.TemporaryDirectory() as aside:
        copy = Path(aside) / FILE
        size = backup(folder, copy)
        with copy.open("rb") as file:
            shutil.copyfileobj(file, stream)
    stream.flush()
    return size


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    """Raises CannotOpen for a file that cannot be written there."""
    try:
        yield
    except FileExistsError:
        raise CannotOpen(_("{target} is there already; nothing was written.", target=target)) from None
    except OSError as error:
        raise CannotOpen(_("{target} cannot be written: {strerror}.", target=target, strerror=error.strerror)) from None
    except sqlite3.Error as error:
        raise CannotOpen(_("{target} cannot be written: {error}.", target=target, error=error)) from None


def restore(
    folder: Path, copy: Path, check: Callable[[sqlite3.Connection], None], without: Sequence[tuple[str, int]] = ()
) -> Path | None:
    """Replaces the data by a copy, and keeps the old data aside. A power cut at any moment leaves one of the two.

    Args:
        folder: Of the data; it is made where there is none.
        copy: A backup, which stays where it is.
        check: Looks at the copy before anything is changed, and raises for one that is not to be used.
        without: Subject and part of each row that is not taken over.

    Returns:
        The folder in which the data are that were there; None if there were none.

    Raises:
        CannotOpen: A server has the data, or the copy or the folder cannot be used. Then the data are as they were.
    """
    with open_to_read(copy) as file:
        check(file)
    if folder.exists() and (user := owner(folder)):
        raise CannotOpen(
            _("{folder} belongs to {user}: do this as that user, with sudo -u {user}.", folder=folder, user=user)
        )
    check_is_private(folder, FILES)
    with _writing(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600))
    path = folder / FILE
    with closing(locked(folder)), _writing(folder):
        if os.path.exists(path) and os.path.samefile(path, copy):
            raise CannotOpen(_("{copy} is the data themselves; there is nothing to restore.", copy=copy))
        with whole(path, mode=0o600) as half:
            with open_to_read(copy) as file, closing(sqlite3.connect(half)) as new:
                file.backup(new)
                with suppress(sqlite3.Error):  # of a damaged copy, which is taken as it is
                    _take_out(new, without)
                new.execute("PRAGMA journal_mode = DELETE")
            aside = _keep_aside(folder)
        synchronize(folder)
    return aside


def _take_out(file: sqlite3.Connection, rows: Sequence[tuple[str, int]]) -> None:
    """Raises sqlite3.Error."""
    Latest(file).append([(subject, part, None) for subject, part in rows])
    file.commit()


def _keep_aside(folder: Path) -> Path | None:
    """Moves the current data into a folder of its own. The file is complete without its log of writes, which the next
    file would otherwise inherit. Raises OSError."""
    path = folder / FILE
    if not path.exists() or not (path.stat().st_size or log_of(path).exists()):
        return None
    aside = dated(folder, "before-restore")
    try:
        aside.mkdir(mode=0o700)
        for one in (path, log_of(path)):
            if one.exists():
                _copy_file(one, aside / one.name)
        synchronize(aside)
        synchronize(folder)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    with suppress(sqlite3.Error, CannotOpen), closing(connected(path)) as file:  # what is damaged is kept as it is
        check_is_ours(file, path)
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    for name in FILES:
        if name.startswith(f"{FILE}-"):
            (folder / name).unlink(missing_ok=True)
    return aside


def _copy_file(source: Path, target: Path) -> None:
    """A copy that only its owner can read, and that survives a power cut. Raises OSError."""
    with (
        source.open("rb") as file,
        os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new,
    ):
        shutil.copyfileobj(file, new)
        new.flush()
        os.fsync(new.fileno())


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
