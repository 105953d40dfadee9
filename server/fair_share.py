"""Fair scheduling of the server's one thread: work for names with a seat goes first; among these, and among all others,
the key that has used the least time is next.

This is start-time fair queueing, as in Goyal, Vin and Cheng (1996). Each key has a tag, which is the virtual time up to
which it has been served. The virtual clock shows the tag of the key that was served last. A key that was idle starts at
the clock's time, so it is served soon but has saved up no time. Keys that always have work take turns according to the
time that they use.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Collection, Hashable
from contextlib import asynccontextmanager
from heapq import heapify, heappop, heappush
from itertools import count
from time import perf_counter
from typing import Generic, TypeVar

import trio

OTHERS_TURN = 8  # if work of both kinds waits, one turn of this number goes to keys without a seat
REMEMBERED = 1_024  # number of keys above which those are forgotten whose tag is not ahead of the clock

T = TypeVar("T")


class WorkShare:
    """On whose behalf some work is done. Each name has a `key` of its own; all connections of one address that have no
    name share the key of that address.

    `seats` has the ids of the tables where the name has a seat. It is empty for a name without a seat, and may change
    at any time.
    """

    __slots__ = ("key", "seats")

    def __init__(self, key: Hashable, seats: Collection[str] = ()) -> None:
        self.key, self.seats = key, seats


class _Lines(Generic[T]):
    """One FIFO queue per key. Times are in seconds of `perf_counter`."""

    def __init__(self) -> None:
        self._lines: dict[Hashable, deque[T]] = {}
        self._order: list[tuple[float, bool, int, Hashable]] = []  # a heap of the keys that have items waiting, by tag
        self._used: dict[Hashable, float] = {}  # the tag of each key that is ahead of the clock
        self._clock, self._count = 0.0, count()

    def __bool__(self) -> bool:
        return bool(self._order)

    def put(self, key: Hashable, item: T) -> None:
        line = self._lines.get(key)
        if line is not None:
            line.append(item)
            return
        self._lines[key] = deque((item,))
        used = self._used.get(key, -1.0)
        heappush(
            self._order, (max(self._clock, used), used >= self._clock, next(self._count), key)
        )  # among keys with equal tags, those that were idle come first

    def take_next(self) -> tuple[Hashable, T]:
        self._clock, _, _, key = heappop(self._order)
        return key, self._lines[key].popleft()

    def finish_item(self, key: Hashable, seconds: float) -> None:
        """Ends the work on the item that was taken last, and charges its key for that number of seconds."""
        used = self._used[key] = self._clock + seconds
        if self._lines[key]:
            heappush(self._order, (used, True, next(self._count), key))
            return
        del self._lines[key]
        if len(self._used) > REMEMBERED:
            self._used = {key: used for key, used in self._used.items() if used > self._clock}

    def remove(self, key: Hashable, item: T) -> None:
        """Removes an item from the queue of that key. Does nothing if the queue does not have it."""
        line = self._lines.get(key, deque())
        if item not in line:
            return
        line.remove(item)
        order = [one for one in self._order if one[3] != key]
        # otherwise the key has more items, or work on one of its items is in progress
        if not line and len(order) < len(self._order):
            del self._lines[key]
            self._order = order
            heapify(order)


class FairQueue(Generic[T]):
    """A queue of items, each with a share. After each `take`, call `done` before the next `take`."""

    def __init__(self) -> None:
        self._seated, self._others = _Lines[T](), _Lines[T]()
        self._turns = 0  # turns since a key without a seat had one
        self._taken: tuple[_Lines[T], Hashable]
        self._begun: float

    def __bool__(self) -> bool:
        return bool(self._seated or self._others)

    def put(self, share: WorkShare, item: T) -> None:
        """Adds an item behind all others of the share's key."""
        (self._seated if share.seats else self._others).put(share.key, item)

    def take_next(self) -> T:
        """Removes and returns the next item. Raises IndexError if the queue is empty."""
        self._turns += 1
        lines = self._seated
        if not lines or (self._turns >= OTHERS_TURN and self._others):
            lines, self._turns = self._others, 0
        key, item = lines.take_next()
        self._taken = lines, key
        self.start_timing()
        return item

    def start_timing(self) -> None:
        """Measures the time of the taken item from now on, because work on it only begins now."""
        self._begun = perf_counter()

    def finish_item(self) -> None:
        """Ends the work on the taken item, and charges its key for the time."""
        lines, key = self._taken
        lines.finish_item(key, perf_counter() - self._begun)

    def remove(self, share: WorkShare, item: T) -> None:
        """Removes an item of that share. Does nothing if the queue does not have it."""
        self._seated.remove(share.key, item)
        self._others.remove(share.key, item)


class FairLock:
    """A lock for work that may be delayed: one holder per scheduler tick. Waiters get it in the order of a
    FairQueue."""

    def __init__(self) -> None:
        self._waiting: FairQueue[trio.lowlevel.Task] = FairQueue()
        self._is_held = self._was_waited_for = False

    async def acquire(self, share: WorkShare | None = None) -> None:
        """Waits for the lock. A caller that gives no share gets one of its own, as if it had a seat."""
        if not self._is_held:
            await trio.lowlevel.checkpoint_if_cancelled()
        if not self._is_held:
            self._is_held, self._was_waited_for = True, False
            await trio.lowlevel.cancel_shielded_checkpoint()
            return
        task = trio.lowlevel.current_task()
        share = share or WorkShare(task, ("",))

        def abort(_raise_cancel: object) -> trio.lowlevel.Abort:
            self._waiting.remove(share, task)
            return trio.lowlevel.Abort.SUCCEEDED

        self._waiting.put(share, task)
        await trio.lowlevel.wait_task_rescheduled(abort)
        self._waiting.start_timing()

    def release(self) -> None:
        """Gives the lock to the next waiter, if there is one."""
        if self._was_waited_for:
            self._waiting.finish_item()
        self._is_held = self._was_waited_for = bool(self._waiting)
        if self._is_held:
            trio.lowlevel.reschedule(self._waiting.take_next())

    @asynccontextmanager
    async def held_for(self, share: WorkShare | None) -> AsyncIterator[None]:
        """Acquires the lock on behalf of that share, and holds it during the block."""
        await self.acquire(share)
        try:
            yield
        finally:
            self.release()

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *_error: object) -> None:
        self.release()
