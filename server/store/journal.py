"""Group commit: collects writes into batches for the store, and notifies those who wait for a batch when it is on disk.

All writes that are made while one batch is being written go into the next batch, so that one wait for the disk serves
many writers. A write returns at once. Then `position` is the number of the batch that has this write, and a message
about the write may be sent once `durable` has reached that number.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, NoReturn, Protocol

import trio

from server.log_fields import extra_fields
from server.log_throttle import LogThrottle
from server.store.rows import DurabilityUnknown, Store, StoreFailed, Write

log = logging.getLogger("magehall.store")

SLOW_SECONDS = 0.25  # seconds of waiting for the disk above which players get the time back
LAZY_SECONDS = 0.05
AGAIN_SECONDS = 1.0  # interval between attempts to write to a store after a failure
LOG_SECONDS = 60.0  # interval between log lines about a store that fails
CANNOT = "the data cannot be written (%s); all matches wait %s"
PROBE: Write = ("probe", 1, b"")  # a row that is written to test whether the disk has room again


class CommitWaiter(Protocol):
    """Something that holds data back until a journal batch is on disk, such as an outbox."""

    def on_batch_committed(self, durable: int) -> None:
        """Called when all batches up to number `durable` are on disk."""
        ...

    def on_batch_lost(self, durable: int, *, surely: bool) -> None:
        """Called when the batches after number `durable` have failed.

        With `surely` they were not written. Otherwise only a restart can show whether they were.
        """
        ...


class Commit(NamedTuple):
    """The latest batch that was committed: when, on trio's clock, and how many seconds its first write had waited."""

    at: float
    seconds: float


class Journal:
    """The journal of one server. Without a store it keeps no rows, and no caller has to wait.

    All writes between two checkpoints of trio go into the same batch, which is committed entirely or not at all. With
    `waits=False` no message waits for the disk. Then a batch collects the writes of LAZY_SECONDS, and the journal stops
    for good after the first commit that fails.
    """

    def __init__(self, store: Store | None = None, *, waits: bool = True) -> None:
        self.keeps = store is not None
        self._waits = waits
        self.durable = 0
        self.writes = 0  # number of writes so far, which callers compare to detect whether a call has written anything
        # whether a commit failed and none has succeeded since; callers must not change anything meanwhile
        self.failing = False
        self.on_failure: Callable[[set[str]], None] = lambda _subjects: None
        self.on_recovery: Callable[[], None] = lambda: None
        # called when nothing can be written until the server is restarted
        self.on_broken: Callable[[], None] = lambda: None
        self.on_slow: Callable[[set[str], float], None] = lambda _subjects, _seconds: None
        self.store = store
        self.last_commit: Commit | None = None
        self._latest = 0  # number of the batch that has the latest write
        self._taken = 0  # number of the latest batch that was given to the store
        self._pending: list[Write] = []
        self._since = 0.0  # when the first write of the pending batch was made
        self._waiters: dict[CommitWaiter, None] = {}  # those that wait for the pending batch
        self._on_the_way: dict[CommitWaiter, None] = {}  # those that wait for the batch that the store is writing
        self._more = trio.Event()
        self._settled = trio.Event()
        self._failures = LogThrottle(LOG_SECONDS)

    @property
    def last_position(self) -> int:
        """The number of the batch that has the latest write, for `wait`; 0 if this journal makes no caller wait."""
        return self._latest if self._waits else 0

    @property
    def pending_batch_count(self) -> int:
        """The number of batches that are not on disk yet."""
        return self._latest - self.durable

    def put_row(self, subject: str, part: int, data: bytes | None) -> int:
        """Adds a write to the pending batch: the data of a row, or None to delete it. Returns the number of the batch
        to wait for."""
        self.writes += 1
        if not self._pending:
            self._latest = self._taken + 1
            self._since = trio.current_time()
            self._more.set()
        self._pending.append((subject, part, data))
        return self.last_position

    def add_waiter(self, waiter: CommitWaiter, position: int) -> None:
        """Registers a waiter for the batch with number `position`. Its `kept` is called when the batch is on disk, or
        its `lost` if the batch fails."""
        waiters = self._waiters if position > self._taken else self._on_the_way
        waiters[waiter] = None

    async def run(self) -> None:
        """Writes pending batches until cancelled."""
        while True:
            await self._more.wait()
            self._more = trio.Event()
            if not self._waits:
                await trio.sleep(LAZY_SECONDS)
            await self._write()
            self._settled.set()
            self._settled = trio.Event()

    async def wait_until_written(self) -> None:
        """Waits until all writes that were made so far are on disk or have failed. The task `run` must be running."""
        while self.durable < self._latest and not self.failing:
            await self._settled.wait()

    async def _write(self) -> None:
        assert self.store is not None
        batch, self._pending = self._pending, []
        self._taken += 1
        self._on_the_way, self._waiters = self._waiters, {}
        number, since = self._taken, self._since
        try:
            await self.store.commit(batch, partial(self._kept, number))
        except StoreFailed as error:
            await self._failed(batch, error)
            return
        waited = trio.current_time() - since
        self.last_commit = Commit(trio.current_time(), waited)
        if self._waits and waited > SLOW_SECONDS:
            self.on_slow({subject for subject, _part, _data in batch}, waited)

    def _kept(self, number: int) -> None:
        """Records that all batches up to `number` are on disk, and notifies their waiters."""
        self.durable = number
        waiters, self._on_the_way = self._on_the_way, {}
        for waiter in waiters:
            waiter.on_batch_committed(number)

    async def _failed(self, batch: list[Write], error: StoreFailed) -> None:
        """Drops the batch and all pending writes, and notifies their waiters. Returns once the store accepts writes
        again."""
        assert self.store is not None
        # without waiting, messages about these writes may have been sent, and cannot be undone
        broken = isinstance(error, DurabilityUnknown) or not self._waits
        # this line is logged rarely, because commits may fail again and again
        said = self._failures.count_if_due("failed", trio.current_time())
        if broken:
            log.error(CANNOT, error, "for a restart", extra=extra_fields("store_failing", error=f"{error}"))
        elif said > 1:
            told = extra_fields("store_failing", error=f"{error}", count=said)
            log.error(
                f"{CANNOT}; this happened %d times since the last line", error, "until it works", said, extra=told
            )
        elif said:
            log.error(CANNOT, error, "until it works", extra=extra_fields("store_failing", error=f"{error}"))
        self.failing = True
        subjects = {subject for subject, _part, _data in (*batch, *self._pending)}
        self._pending.clear()
        waiters = self._on_the_way | self._waiters
        self._on_the_way, self._waiters = {}, {}
        for waiter in waiters:
            waiter.on_batch_lost(self.durable, surely=not broken)
        self._taken = self.durable = self._latest  # no batch is being written now
        self.on_failure(subjects)
        self._settled.set()
        if broken:
            await self._end()
        while self.failing:
            await trio.sleep(AGAIN_SECONDS)
            try:
                await self.store.commit([PROBE])
            except DurabilityUnknown as unsure:
                log.error(CANNOT, unsure, "for a restart", extra=extra_fields("store_failing", error=f"{unsure}"))
                await self._end()
            except StoreFailed:
                continue
            self.failing = False
        if said:
            log.info("the data can be written again; the matches continue", extra=extra_fields("store_mended"))
        self.on_recovery()

    async def _end(self) -> NoReturn:
        """Stops all writing until a restart, because it is not known what is on disk."""
        self.on_broken()
        await trio.sleep_forever()
