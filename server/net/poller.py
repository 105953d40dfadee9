"""All sockets' reads from one epoll set of our own.

A task that waits for its socket pays two system calls and a switch of tasks for every read. Here a socket is registered
once, one task waits for the whole set, and each read is handed straight to its session. A FairQueue picks the next
socket to read. Where a system has no epoll, sessions wait for their sockets themselves.
"""

from __future__ import annotations

import select
from collections.abc import Callable

import trio

from server.fair_share import FairQueue, Share
from server.net.lingering import Lingering
from server.slices import Slice

READS_A_SLICE = 64  # then timers and other tasks get their turn, or earlier where reads lead to much work
READY_AT_ONCE = 1_024
LOOK_SECONDS = 0.002  # between looks where more than FEW wait to be read: a look lists every one of them again
FEW = 16


class Poller:
    """One a server; `run` is its task. A reader must not raise."""

    def __init__(self, lingering: Lingering | None = None) -> None:
        self._lingering = lingering or Lingering()
        self._set = select.epoll()
        self._readers: dict[int, tuple[Callable[[], None], Share]] = {}
        self._ready: FairQueue[int] = FairQueue()  # who can be read
        self._known: set[int] = set()  # all of them
        self._looked: Slice  # begun with the latest look

    @classmethod
    def if_possible(cls, lingering: Lingering | None = None) -> Poller | None:
        """None where the system has no epoll."""
        return cls(lingering) if hasattr(select, "epoll") else None

    def register(self, number: int, reader: Callable[[], None], share: Share | None = None) -> None:
        """Calls `reader` whenever that file descriptor is readable. Without a share it has one of its own."""
        self._readers[number] = reader, share or Share(number)
        self._set.register(number, select.EPOLLIN)

    def unregister(self, number: int) -> None:
        """Stops watching it; harmless if it is not registered."""
        if self._readers.pop(number, None) is not None:
            self._set.unregister(number)

    def _read_a_slice(self) -> None:
        """Reads as long as there is something: asking again is cheaper than a round of the scheduler."""
        part = Slice()
        if len(self._known) <= FEW or self._looked.is_over:
            self._look()
        try:
            for _ in range(READS_A_SLICE):
                if not self._ready:
                    self._look()
                if not self._ready:
                    return
                self._lingering.gathers = len(self._known) > 1
                self._read_one()
                if part.is_over:
                    return
        finally:
            self._lingering.end_slice()

    def _look(self) -> None:
        self._looked = Slice(LOOK_SECONDS)
        for number, _events in self._set.poll(0, READY_AT_ONCE):
            if number not in self._known:
                self._known.add(number)
                self._ready.put(self._readers[number][1], number)

    def _read_one(self) -> None:
        number = self._ready.take()
        self._known.remove(number)
        if number in self._readers:  # it may have ended meanwhile
            reader, _share = self._readers[number]
            reader()
        self._ready.done()

    async def run(self) -> None:
        """Serves until cancelled."""
        try:
            with self._set:
                while True:
                    await trio.lowlevel.wait_readable(self._set.fileno())
                    self._read_a_slice()
        finally:
            self._readers.clear()  # sessions that end later find nothing to unregister
