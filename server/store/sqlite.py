"""A store on disk: one SQLite file in a folder of its own, which only one server at a time can open.

The file uses a write-ahead log with synchronous=FULL, so that a commit survives a power cut once it has returned. Only
one database connection writes rows.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event, Lock
from typing import ParamSpec, TypeVar

import trio

from server.language import _
from server.log_fields import extra_fields
from server.store.atomic_files import atomic_write
from server.store.backups import copy_database, dated_path
from server.store.checkpoints import LOG_BYTES, Checkpoints, raise_if_fsync_failed, run_checkpoint
from server.store.file import VERSION, CannotOpen, check_layout_version, open_connection, upgrade_layout
from server.store.folder_permissions import check_folder_private
from server.store.latest import LatestRows
from server.store.reading import (
    FILE,
    FILES,
    LOCK,
    all_subjects,
    current_subjects,
    is_damage,
    missing_wal,
    oldest_matches,
    read_rows,
    torn_wal,
    wal_path,
)
from server.store.repair import repair_file
from server.store.rows import DamagedData, DurabilityUnknown, StoreFailed, Write
from server.store.threads import do_in_thread

log = logging.getLogger("magehall.store")

Given = ParamSpec("Given")
T = TypeVar("T")

ROWS_A_PAGE = 16  # about how many rows of a match fit into a page, as each has about 200 bytes
STEP_PAGES = 40  # about how many pages a step of a round writes: 10 to 70
A_BREATH = 0.0005  # pause in seconds between two steps, in which a waiting commit can run


class SqliteStore:
    """Implements server.store.rows.Store. `open_store` creates it, and `close` releases its folder."""

    def __init__(self, file: sqlite3.Connection, beside: sqlite3.Connection, lock: sqlite3.Connection) -> None:
        self._file, self._lock = file, lock
        self._one_at_a_time = Lock()  # held by the thread that uses the file
        self._latest = LatestRows(file)
        self._round: Iterator[None] = iter(())
        self._checkpoints = Checkpoints(beside, self._one_at_a_time)
        self._tidying = Lock()
        self._never = Event()  # never set; waiting for it is a pause between two steps
        self._unsure: DurabilityUnknown | None = None
        self._reader = trio.CapacityLimiter(1)
        self._damage_was_met = False
        self.lost = False

    async def commit(self, writes: Sequence[Write], done: Callable[[], object] | None = None) -> None:
        """See Store."""
        await do_in_thread(partial(self.commit_now, writes), done, self.do_maintenance)

    def _alone(self, do: Callable[Given, T], *given: Given.args, **named: Given.kwargs) -> T:
        """Calls a function while no other thread uses the database file."""
        with self._one_at_a_time:
            return do(*given, **named)

    async def _read(self, do: Callable[Given, T], *given: Given.args, **named: Given.kwargs) -> T:
        """Calls a function in a worker thread, one at a time."""
        return await trio.to_thread.run_sync(partial(do, *given, **named), limiter=self._reader)

    def commit_now(self, writes: Sequence[Write]) -> None:
        """Like `commit`, but in the calling thread, and without a callback."""
        with self._one_at_a_time, self._failing():
            self._latest.append(writes)
        self._checkpoints.add_pages(2 + len(writes) // ROWS_A_PAGE)

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Converts sqlite3.Error in the block into StoreFailed. Raises Unsure if an fsync fails, or has failed
        before."""
        if self._unsure is not None:
            raise self._unsure
        try:
            yield
        except sqlite3.Error as error:
            self._damage_was_met = self._damage_was_met or is_damage(error)
            with suppress(sqlite3.Error):  # some errors have already ended the transaction
                self._file.execute("ROLLBACK")
            try:
                raise_if_fsync_failed(error)
                run_checkpoint(self._file, "TRUNCATE")  # shortens the write-ahead log, which may be what fills the disk
            except DurabilityUnknown as unsure:
                self._unsure = unsure
                raise
            raise StoreFailed(str(error)) from None

    def do_maintenance(self) -> None:
        """Does a part of the maintenance that is due: one step of a round that moves rows of `latest`, and a
        checkpoint.

        Does nothing if another thread is doing this now.
        """
        if not self._tidying.acquire(blocking=False):
            return
        try:
            if not self._step() and self._latest.is_round_due:
                self._round = self._latest.move_rows()
            self._checkpoints.run_if_due()
        except DurabilityUnknown as unsure:
            self._unsure = unsure
        except StoreFailed as error:
            log.warning(
                "the latest rows cannot be moved to their places (%s); they stay in a separate table",
                error,
                extra=extra_fields("store_behind", error=f"{error}"),
            )
        finally:
            self._tidying.release()

    def _step(self) -> bool:
        """Takes one step of the round that is in progress. Returns False if the round has ended. Raises StoreFailed."""
        with self._one_at_a_time, self._failing():
            more = next(self._round, self) is not self
        self._checkpoints.add_pages(STEP_PAGES if more else 0)
        return more

    @property
    def is_damaged(self) -> bool:
        """Whether a write failed because a page of the file is damaged."""
        return self._damage_was_met or self._latest.is_stuck

    def move_all_rows(self) -> None:
        """Moves all rows that were committed to their places in the table `rows`. Raises StoreFailed."""
        with self._tidying:
            for one in (self._round, self._latest.move_rows()):
                self._round = one
                while self._step():
                    self._never.wait(A_BREATH)

    def read(self, subject: str) -> Mapping[int, bytes]:
        """See Store."""
        return self._alone(read_rows, self._file, subject)

    async def read_in_thread(self, subject: str) -> Mapping[int, bytes]:
        """See Store."""
        return await self._read(self.read, subject)

    def current_subjects(self) -> Sequence[str]:
        """See Store."""
        return self._listed(current_subjects)

    def all_subjects(self) -> Sequence[str]:
        """See Store."""
        return self._listed(all_subjects)

    def _listed(self, which: Callable[[sqlite3.Connection], Sequence[str]]) -> Sequence[str]:
        try:
            return self._alone(which, self._file)
        except sqlite3.Error as error:
            raise StoreFailed(str(error)) from None

    async def used_bytes(self) -> int:
        """See Store."""
        return await self._read(self._used)

    async def oldest_matches(self, most: int) -> Sequence[str]:
        """See Store."""
        return await self._read(self._alone, oldest_matches, self._file, most)

    def _used(self) -> int:
        self.move_all_rows()  # moves rows first, because rows that were deleted would still count
        self._shorten()
        counted = ("page_count", "freelist_count", "page_size")
        with self._one_at_a_time:
            pages, free, size = (self._file.execute(f"PRAGMA {name}").fetchone()[0] for name in counted)
        return int((pages - free) * size)

    def _shorten(self) -> None:
        """Shortens the write-ahead log if it is long. Raises Unsure."""
        with self._tidying:
            try:
                self._checkpoints.truncate_log()
            except DurabilityUnknown as unsure:
                self._unsure = unsure
                raise

    def release_space(self) -> None:
        """Gives the space of deleted rows back to the file system. Raises StoreFailed."""
        self.move_all_rows()
        with self._one_at_a_time, self._failing():
            self._file.execute("VACUUM")

    def close(self) -> None:
        """See Store."""
        with suppress(StoreFailed):  # if this fails, the next server to open the file tries again
            self.move_all_rows()
        self._tidying.acquire()  # never released, so that a thread that has just committed skips `tidy`
        self._checkpoints.close()
        self._file.close()
        self._lock.close()


def open_store(folder: Path, *, durable: bool = True) -> SqliteStore:
    """Opens the store in a folder, and locks the folder. Creates both if they do not exist. Raises CannotOpen, and then
    changes nothing.

    Committed rows survive when the process is killed. With `durable` they also survive a power cut, but each commit
    waits for the disk.
    """
    path = folder / FILE
    check_folder_private(folder, FILES)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in (LOCK, FILE):
            os.close(os.open(folder / name, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise CannotOpen(
            _(
                "The folder {folder} cannot be used for data: {strerror}.",
                folder=folder,
                strerror=error.strerror or error,
            )
        ) from None
    missing = missing_wal(folder)
    with ExitStack() as opened:
        lock = opened.enter_context(closing(lock_folder(folder)))
        try:
            store = _whole(path, lock, durable=durable) or _mended(path, lock, durable=durable)
        except sqlite3.Error as error:
            raise CannotOpen(
                _("{path} cannot be used: {error}. Nothing in it was changed.", path=path, error=error)
            ) from None
        opened.pop_all()
    if missing:
        log.warning(
            "%s is missing although the last server was killed, so its latest data is lost",
            missing,
            extra=extra_fields("data_missing", file=f"{missing}"),
        )
        store.lost = True
    return store


def _mended(path: Path, lock: sqlite3.Connection, *, durable: bool) -> SqliteStore:
    """Repairs the database file and opens it. Raises CannotOpen, sqlite3.Error."""
    try:
        repair_file(path)
    except (sqlite3.Error, DamagedData, OSError) as error:
        raise CannotOpen(_("{path} is damaged and cannot be repaired: {error}.", path=path, error=error)) from None
    store = _whole(path, lock, durable=durable)
    if store is None:
        raise CannotOpen(_("{path} is damaged again.", path=path))
    store.lost = True
    return store


def _whole(path: Path, lock: sqlite3.Connection, *, durable: bool) -> SqliteStore | None:
    """Opens the store; returns None if its file needs a repair. Raises CannotOpen, sqlite3.Error."""
    try:
        return _opened(path, lock, durable=durable)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        return None


def _opened(path: Path, lock: sqlite3.Connection, *, durable: bool) -> SqliteStore | None:
    """Opens the store; returns None if a row of `latest` cannot be moved to its place because of damage.

    Raises CannotOpen. Raises sqlite3.Error, also if other places of the file are damaged.
    """
    with ExitStack() as opened:
        file, beside = (opened.enter_context(closing(open_connection(path))) for _each in range(2))
        version = check_layout_version(file, path)
        if torn := torn_wal(path.parent):
            _set_aside(torn)
        for one in (file, beside):
            one.execute("PRAGMA journal_mode = WAL")
            one.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            one.execute("PRAGMA wal_autocheckpoint = 0")
            one.execute(f"PRAGMA journal_size_limit = {LOG_BYTES:d}")
        if torn:
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        if 0 < version < VERSION:
            _back_up(file, path, version)
        upgrade_layout(file, version)
        _keep_from_others(path)
        store = SqliteStore(file, beside, lock)
        with suppress(StoreFailed):  # if this fails, `tidy` tries again
            store.move_all_rows()  # moves rows first, because every read scans all of `latest`
        if store.is_damaged:
            return None
        store.lost = torn is not None
        opened.pop_all()
        return store


def _back_up(file: sqlite3.Connection, path: Path, version: int) -> None:
    """Copies data in an older layout before they are upgraded, and logs the name of the copy. Raises CannotOpen."""
    copy = dated_path(path.parent, f"{path.stem}-layout-{version}", ".db")
    try:
        copy_database(file, copy)
    except (OSError, sqlite3.Error) as error:
        raise CannotOpen(
            _(
                "The data must be copied before its layout is upgraded, but {copy} cannot be written: {why}. "
                "Nothing was changed.",
                copy=copy,
                why=getattr(error, "strerror", "") or error,
            )
        ) from None
    log.warning(
        "the layout of the data changes from version %d to %d; the old data is kept in %s",
        version,
        VERSION,
        copy,
    )


def _set_aside(torn: Path) -> None:
    """Keeps a copy of the damaged write-ahead log, from which a person may recover data. Raises CannotOpen."""
    aside = next(path for number in count(1) if not (path := torn.with_name(f"{torn.name}.damaged-{number}")).exists())
    try:
        with atomic_write(aside, new=True, mode=0o600) as half:
            half.write_bytes(torn.read_bytes())
    except OSError as error:
        raise CannotOpen(
            _("{torn} is damaged and cannot be copied aside: {strerror}.", torn=torn, strerror=error.strerror)
        ) from None
    log.error(
        "%s is damaged: the latest data is lost; the whole file is kept as %s",
        torn,
        aside.name,
        extra=extra_fields("data_damaged", file=f"{torn}", aside=aside.name),
    )


def _keep_from_others(path: Path) -> None:
    """Takes all rights of other users to the files away, because the files contain hands and seeds. A file that was
    copied here may have been readable for others."""
    for part in (path, wal_path(path)):
        with suppress(OSError):  # the file belongs to another user, or does not exist
            part.chmod(part.stat().st_mode & ~stat.S_IRWXO)


def is_folder_locked(folder: Path) -> bool:
    """Returns whether a server, or another program that changes the data, has locked the data folder."""
    try:
        with closing(lock_folder(folder)):
            return False
    except CannotOpen:
        return True


def lock_folder(folder: Path) -> sqlite3.Connection:
    """Locks the data folder. The operating system releases the lock in whatever way the process ends.

    Raises CannotOpen if another process holds the lock.
    """
    lock: sqlite3.Connection | None = None
    try:
        lock = sqlite3.connect(folder / LOCK, isolation_level=None, check_same_thread=False, timeout=0.0)
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        if lock is not None:
            lock.close()
        if "locked" in str(error):
            text = _(
                "Another server uses the data in {folder}. Stop it, or name another folder with --data.", folder=folder
            )
            raise CannotOpen(text) from None
        raise CannotOpen(_("The folder {folder} cannot be locked: {error}.", folder=folder, error=error)) from None
    return lock
