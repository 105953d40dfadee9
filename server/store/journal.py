"""What has to be kept goes to the store in batches; what may not be told before waits for its batch.

Whatever is written while a batch is on its way to the disk goes into the next one, so one wait for the disk serves all
who wait. A write is done in memory at once: `position` is the batch it is in, and once `durable` has reached that, it
may be told.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, NoReturn, Protocol

import trio

from server.log_fields import fields
from server.rarely import Rarely
from server.store.rows import Store, StoreFailed, Unsure, Write

log = logging.getLogger("magehall.store")

SLOW_SECONDS = 0.25  # what waits longer than this for the disk is given back to the players
LAZY_SECONDS = 0.05
AGAIN_SECONDS = 1.0  # between attempts to write to a store that failed
LOG_SECONDS = 60.0  # between lines of the log about that
CANNOT = "the data cannot be written (%s); no match goes on %s"
PROBE: Write = ("probe", 1, b"")  # tells whether there is room again


class Waiter(Protocol):
    """Who keeps something back until it is on disk."""

    def kept(self, durable: int) -> None:
        """All batches up to that are on disk."""
        ...

    def lost(self, durable: int, *, surely: bool) -> None:
        """What was written after that batch never happened; or, if not `surely`, nobody knows before a restart."""
        ...


class Commit(NamedTuple):
    """A committed batch: its time on trio's clock, and the seconds that its first write waited."""

    at: float
    seconds: float


class Journal:
    """One a server. Without a store it keeps nothing, and nobody ever waits.

    All that is written between two checkpoints of trio is in one batch: it is kept as a whole or not at all. Where
    nobody `waits`, a batch is what comes in LAZY_SECONDS, and a commit that fails is the last one.
    """

    def __init__(self, store: Store | None = None, *, waits: bool = True) -> None:
        self.keeps = store is not None
        self._waits = waits
        self.durable = 0
        self.writes = 0  # so far: tells whether anything was written meanwhile
        self.failing = False  # since a commit failed; nothing may be changed until one succeeds
        self.on_failure: Callable[[set[str]], None] = lambda _subjects: None
        self.on_recovery: Callable[[], None] = lambda: None
        self.on_broken: Callable[[], None] = lambda: None  # nothing will ever be written again
        self.on_slow: Callable[[set[str], float], None] = lambda _subjects, _seconds: None
        self.store = store
        self.last_commit: Commit | None = None
        self._latest = 0  # the batch of the last write
        self._taken = 0  # batches handed to the store
        self._pending: list[Write] = []
        self._since = 0.0  # when the first of them came
        self._waiters: dict[Waiter, None] = {}  # for what is pending
        self._on_the_way: dict[Waiter, None] = {}  # for what the store was handed last
        self._more = trio.Event()
        self._settled = trio.Event()
        self._failures = Rarely(LOG_SECONDS)

    @property
    def position(self) -> int:
        """The batch of the last write, which is to be waited for."""
        return self._latest if self._waits else 0

    @property
    def waiting(self) -> int:
        """Batches that are not on disk yet."""
        return self._latest - self.durable

    def put(self, subject: str, part: int, data: bytes | None) -> int:
        """Has a row written, or taken away; returns the batch to wait for."""
        self.writes += 1
        if not self._pending:
            self._latest = self._taken + 1
            self._since = trio.current_time()
            self._more.set()
        self._pending.append((subject, part, data))
        return self.position

    def wait(self, waiter: Waiter, position: int) -> None:
        """Calls `kept` of the waiter once that batch is on disk, or `lost` of it when it never will be."""
        waiters = self._waiters if position > self._taken else self._on_the_way
        waiters[waiter] = None

    async def run(self) -> None:
        """Writes what is to be written, for ever."""
        while True:
            await self._more.wait()
            self._more = trio.Event()
            if not self._waits:
                await trio.sleep(LAZY_SECONDS)
            await self._write()
            self._settled.set()
            self._settled = trio.Event()

    async def settle(self) -> None:
        """Returns once all that was written is on disk, or will not be. `run` must be running."""
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
        """That batch is on the disk."""
        self.durable = number
        waiters, self._on_the_way = self._on_the_way, {}
        for waiter in waiters:
            waiter.kept(number)

    async def _failed(self, batch: list[Write], error: StoreFailed) -> None:
        """Nothing of the batch, or after it, happened. Returns when the store takes something again."""
        assert self.store is not None
        broken = isinstance(error, Unsure) or not self._waits  # what was told cannot be taken back
        said = self._failures.times("failed", trio.current_time())  # it may fail again and again
        if broken:
            log.error(CANNOT, error, "before a restart", extra=fields("store_failing", error=f"{error}"))
        elif said > 1:
            told = fields("store_failing", error=f"{error}", count=said)
            log.error(f"{CANNOT}; that was so %d times since it was said", error, "until it can", said, extra=told)
        elif said:
            log.error(CANNOT, error, "until it can", extra=fields("store_failing", error=f"{error}"))
        self.failing = True
        subjects = {subject for subject, _part, _data in (*batch, *self._pending)}
        self._pending.clear()
        waiters = self._on_the_way | self._waiters
        self._on_the_way, self._waiters = {}, {}
        for waiter in waiters:
            waiter.lost(self.durable, surely=not broken)
        self._taken = self.durable = self._latest  # nothing is outstanding any more
        self.on_failure(subjects)
        self._settled.set()
        if broken:
            await self._end()
        while self.failing:
            await trio.sleep(AGAIN_SECONDS)
            try:
                await self.store.commit([PROBE])
            except Unsure as unsure:
                log.error(CANNOT, unsure, "before a restart", extra=fields("store_failing", error=f"{unsure}"))
                await self._end()
            except StoreFailed:
                continue
            self.failing = False
        if said:
            log.info("the data can be written again; the matches go on", extra=fields("store_mended"))
        self.on_recovery()

    async def _end(self) -> NoReturn:
        """Nobody knows what is on the disk: nothing more is written."""
        self.on_broken()
        await trio.sleep_forever()
