"""Sends broadcasts to many subscribers, a few per scheduler tick, so that a large broadcast does not delay other
tasks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import trio

from server.time_budget import TimeBudget

AT_ONCE = 16  # most deliveries in one time slice, which take half a millisecond; then other tasks run

Subscriber = TypeVar("Subscriber")


class Broadcaster:
    """Delivers the broadcasts of one server in the order in which they were queued. Without a nursery it delivers each
    at once."""

    def __init__(self, nursery: trio.Nursery | None = None) -> None:
        self._nursery = nursery
        self._waiting: deque[Iterator[None]] = deque()
        self._turn = TimeBudget(-1.0)  # the current time slice; it begins as one that is over
        self._left: int  # deliveries that are left in the current time slice

    def broadcast(self, telling: Iterator[None]) -> None:
        """Queues a broadcast, and makes at once those of its deliveries that fit into the current time slice.

        Each step of `telling` delivers the message to one subscriber. It must not raise.
        """
        idle = not self._waiting
        self._waiting.append(telling)
        if idle:
            if self._turn.is_over:  # broadcasts that follow each other quickly share one time slice
                self._begin_turn()
            self._tell_some()
            if self._waiting:
                assert self._nursery is not None
                self._nursery.start_soon(self._tell_all)

    def _begin_turn(self) -> None:
        self._turn, self._left = TimeBudget(), AT_ONCE

    def _tell_some(self) -> None:
        while self._waiting and (self._left > 0 or self._nursery is None):
            try:
                next(self._waiting[0])
                self._left -= 1
            except StopIteration:
                self._waiting.popleft()

    async def _tell_all(self) -> None:
        while self._waiting:
            await trio.lowlevel.checkpoint()
            self._begin_turn()
            self._tell_some()


def iter_deliveries(tell: Callable[[Subscriber], None], hearers: Iterable[Subscriber]) -> Iterator[None]:
    """Returns an iterator for `Broadcaster.broadcast`. Each step calls `tell` with the next subscriber."""
    for hearer in hearers:
        tell(hearer)
        yield
