"""The store on disk: one SQLite file in a folder of its own, which one server at a time may have.

Write-ahead log with synchronous=FULL: a commit that returned survives a power cut. Only one connection ever writes.
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
from server.log_fields import fields
from server.store.checkpoints import LOG_BYTES, Checkpoints, check_is_sure, checkpoint
from server.store.copies import copy_to, dated
from server.store.file import VERSION, CannotOpen, check_is_ours, connected, upgrade
from server.store.latest import Latest
from server.store.mending import mend
from server.store.private import check_is_private
from server.store.reading import (
    FILE,
    FILES,
    LOCK,
    all_subjects,
    current,
    is_damage,
    log_of,
    lost_log,
    oldest_matches,
    read_rows,
    torn_log,
)
from server.store.rows import Damaged, StoreFailed, Unsure, Write
from server.store.threads import do_in_thread
from server.store.whole import whole

log = logging.getLogger("magehall.store")

Given = ParamSpec("Given")
T = TypeVar("T")

ROWS_A_PAGE = 16  # a row of a match has 200 bytes or so
STEP_PAGES = 40  # 10 to 70 that a step of a round writes
A_BREATH = 0.0005  # seconds in which a commit that waits comes in between


class SqliteStore:
    """Implements server.store.rows.Store. Opened by `open_store`; `close` gives the folder up."""

    def __init__(self, file: sqlite3.Connection, beside: sqlite3.Connection, lock: sqlite3.Connection) -> None:
        self._file, self._lock = file, lock
        self._one_at_a_time = Lock()  # of the threads that use the file
        self._latest = Latest(file)
        self._round: Iterator[None] = iter(())
        self._checkpoints = Checkpoints(beside, self._one_at_a_time)
        self._tidying = Lock()
        self._never = Event()  # waited for between two steps
        self._unsure: Unsure | None = None
        self._reader = trio.CapacityLimiter(1)
        self._damage_was_met = False
        self.lost = False

    async def commit(self, writes: Sequence[Write], done: Callable[[], object] | None = None) -> None:
        """See Store."""
        await do_in_thread(partial(self.commit_now, writes), done, self.tidy)

    def _alone(self, do: Callable[Given, T], *given: Given.args, **named: Given.kwargs) -> T:
        """Nothing else is done with the file meanwhile."""
        with self._one_at_a_time:
            return do(*given, **named)

    async def _read(self, do: Callable[Given, T], *given: Given.args, **named: Given.kwargs) -> T:
        """In a thread."""
        return await trio.to_thread.run_sync(partial(do, *given, **named), limiter=self._reader)

    def commit_now(self, writes: Sequence[Write]) -> None:
        """As `commit`, in the calling thread."""
        with self._one_at_a_time, self._failing():
            self._latest.append(writes)
        self._checkpoints.written(2 + len(writes) // ROWS_A_PAGE)

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """What is written meanwhile raises StoreFailed; Unsure once an fsync failed, whenever it was."""
        if self._unsure is not None:
            raise self._unsure
        try:
            yield
        except sqlite3.Error as error:
            self._damage_was_met = self._damage_was_met or is_damage(error)
            with suppress(sqlite3.Error):  # some errors have rolled back already
                self._file.execute("ROLLBACK")
            try:
                check_is_sure(error)
                checkpoint(self._file, "TRUNCATE")  # the log of the writes may be what fills the disk
            except Unsure as unsure:
                self._unsure = unsure
                raise
            raise StoreFailed(str(error)) from None

    def tidy(self) -> None:
        """What can wait: when it is time, a piece of what was committed is brought to its place, and the log of the
        writes into the file. Does nothing while that is being done."""
        if not self._tidying.acquire(blocking=False):
            return
        try:
            if not self._step() and self._latest.are_enough:
                self._round = self._latest.round()
            self._checkpoints.bring()
        except Unsure as unsure:
            self._unsure = unsure
        except StoreFailed as error:
            log.warning(
                "the latest writes cannot be copied to their places (%s); they are kept in a table of their own",
                error,
                extra=fields("store_behind", error=f"{error}"),
            )
        finally:
            self._tidying.release()

    def _step(self) -> bool:
        """Goes on with the round that is under way; whether there is one. Raises StoreFailed."""
        with self._one_at_a_time, self._failing():
            more = next(self._round, self) is not self
        self._checkpoints.written(STEP_PAGES if more else 0)
        return more

    @property
    def is_damaged(self) -> bool:
        """Whether something could not be written as a page is damaged."""
        return self._damage_was_met or self._latest.is_stuck

    def settle(self) -> None:
        """Brings all that was committed to its place. Raises StoreFailed."""
        with self._tidying:
            for one in (self._round, self._latest.round()):
                self._round = one
                while self._step():
                    self._never.wait(A_BREATH)

    def read(self, subject: str) -> Mapping[int, bytes]:
        """See Store."""
        return self._alone(read_rows, self._file, subject)

    async def fetch(self, subject: str) -> Mapping[int, bytes]:
        """See Store."""
        return await self._read(self.read, subject)

    def current(self) -> Sequence[str]:
        """See Store."""
        return self._listed(current)

    def subjects(self) -> Sequence[str]:
        """See Store."""
        return self._listed(all_subjects)

    def _listed(self, which: Callable[[sqlite3.Connection], Sequence[str]]) -> Sequence[str]:
        try:
            return self._alone(which, self._file)
        except sqlite3.Error as error:
            raise StoreFailed(str(error)) from None

    async def used(self) -> int:
        """See Store."""
        return await self._read(self._used)

    async def oldest_matches(self, most: int) -> Sequence[str]:
        """See Store."""
        return await self._read(self._alone, oldest_matches, self._file, most)

    def _used(self) -> int:
        self.settle()  # or what was taken away would count
        self._shorten()
        counted = ("page_count", "freelist_count", "page_size")
        with self._one_at_a_time:
            pages, free, size = (self._file.execute(f"PRAGMA {name}").fetchone()[0] for name in counted)
        return int((pages - free) * size)

    def _shorten(self) -> None:
        """Cuts a long log of the writes. Raises Unsure."""
        with self._tidying:
            try:
                self._checkpoints.shorten()
            except Unsure as unsure:
                self._unsure = unsure
                raise

    def shrink(self) -> None:
        """Gives the room of what was taken away back to the disk. Raises StoreFailed."""
        self.settle()
        with self._one_at_a_time, self._failing():
            self._file.execute("VACUUM")

    def close(self) -> None:
        """See Store."""
        with suppress(StoreFailed):  # the next one tries it again
            self.settle()
        self._tidying.acquire()  # for ever: a thread that has just committed finds nothing to do
        self._checkpoints.close()
        self._file.close()
        self._lock.close()


def open_store(folder: Path, *, durable: bool = True) -> SqliteStore:
    """Takes the folder for this server alone; makes what is not there. Raises CannotOpen, and then changed nothing.

    What is committed survives a kill of the process, and a power cut if `durable`, which costs a wait for the disk.
    """
    path = folder / FILE
    check_is_private(folder, FILES)
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
    missing = lost_log(folder)
    with ExitStack() as opened:
        lock = opened.enter_context(closing(locked(folder)))
        try:
            store = _whole(path, lock, durable=durable) or _mended(path, lock, durable=durable)
        except sqlite3.Error as error:
            raise CannotOpen(
                _("{path} cannot be used: {error}. Nothing in it was changed.", path=path, error=error)
            ) from None
        opened.pop_all()
    if missing:
        log.warning(
            "%s is missing, though the last server was killed: what it kept last is not there",
            missing,
            extra=fields("data_missing", file=f"{missing}"),
        )
        store.lost = True
    return store


def _mended(path: Path, lock: sqlite3.Connection, *, durable: bool) -> SqliteStore:
    """Raises CannotOpen, sqlite3.Error."""
    try:
        mend(path)
    except (sqlite3.Error, Damaged, OSError) as error:
        raise CannotOpen(_("{path} is damaged and cannot be mended: {error}.", path=path, error=error)) from None
    store = _whole(path, lock, durable=durable)
    if store is None:
        raise CannotOpen(_("{path} is damaged again.", path=path))
    store.lost = True
    return store


def _whole(path: Path, lock: sqlite3.Connection, *, durable: bool) -> SqliteStore | None:
    """None where the file is damaged in a place that matters now. Raises CannotOpen, sqlite3.Error."""
    try:
        return _opened(path, lock, durable=durable)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        return None


def _opened(path: Path, lock: sqlite3.Connection, *, durable: bool) -> SqliteStore | None:
    """None where something cannot be written as its place is damaged. Raises CannotOpen, sqlite3.Error."""
    with ExitStack() as opened:
        file, beside = (opened.enter_context(closing(connected(path))) for _each in range(2))
        version = check_is_ours(file, path)
        if torn := torn_log(path.parent):
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
        upgrade(file, version)
        _keep_from_others(path)
        store = SqliteStore(file, beside, lock)
        with suppress(StoreFailed):  # it is tried again
            store.settle()  # every read has to go through what is not in its place
        if store.is_damaged:
            return None
        store.lost = torn is not None
        opened.pop_all()
        return store


def _back_up(file: sqlite3.Connection, path: Path, version: int) -> None:
    """Copies data of an older layout before it is changed, and says where. Raises CannotOpen."""
    copy = dated(path.parent, f"{path.stem}-layout-{version}", ".db")
    try:
        copy_to(file, copy)
    except (OSError, sqlite3.Error) as error:
        raise CannotOpen(
            _(
                "The data have to be copied before they are brought to this version's layout, and {copy} cannot be"
                " written: {why}. Nothing was changed.",
                copy=copy,
                why=getattr(error, "strerror", "") or error,
            )
        ) from None
    log.warning(
        "the layout of the data changes from version %d to %d; as they were, they are kept in %s",
        version,
        VERSION,
        copy,
    )


def _set_aside(torn: Path) -> None:
    """Keeps a copy of the log of the writes for somebody who can do more with it than SQLite. Raises CannotOpen."""
    aside = next(path for number in count(1) if not (path := torn.with_name(f"{torn.name}.damaged-{number}")).exists())
    try:
        with whole(aside, new=True, mode=0o600) as half:
            half.write_bytes(torn.read_bytes())
    except OSError as error:
        raise CannotOpen(
            _("{torn} is damaged and cannot be set aside: {strerror}.", torn=torn, strerror=error.strerror)
        ) from None
    log.error(
        "%s is damaged: what was kept last is lost; the whole of it is set aside as %s",
        torn,
        aside.name,
        extra=fields("data_damaged", file=f"{torn}", aside=aside.name),
    )


def _keep_from_others(path: Path) -> None:
    """There are hands and seeds in it, and whoever copied it there may have let everybody read it."""
    for part in (path, log_of(path)):
        with suppress(OSError):  # it is the administrator's, or not there
            part.chmod(part.stat().st_mode & ~stat.S_IRWXO)


def is_held(folder: Path) -> bool:
    """Whether a server, or another program that changes the data, has that folder now."""
    try:
        with closing(locked(folder)):
            return False
    except CannotOpen:
        return True


def locked(folder: Path) -> sqlite3.Connection:
    """A lock that the system gives back however the process ends. Raises CannotOpen while another one has it."""
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
