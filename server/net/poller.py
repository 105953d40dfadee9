"""All sockets' reads from one epoll set of our own.

A task that waits for its socket pays two system calls and a switch of tasks for every read. Here a socket is registered
once, one task waits for the whole set, and each read is handed straight to its session. Where a system has no epoll,
sessions wait for their sockets themselves.
"""

from __future__ import annotations

import select
from collections import deque
from collections.abc import Callable

import trio

from server.net.slices import Slice

READS_A_SLICE = 64  # then timers and other tasks get their turn, or earlier where reads lead to much work
READS_AT_ONCE = 16


class Poller:
    """One a server; `run` is its task. A reader must not raise."""

    def __init__(self) -> None:
        self._set = select.epoll()
        self._readers: dict[int, Callable[[], None]] = {}
        self._ready: deque[int] = deque()  # they can be read, and are read in this order

    @classmethod
    def if_possible(cls) -> Poller | None:
        """None where the system has no epoll."""
        return cls() if hasattr(select, "epoll") else None

    def register(self, number: int, reader: Callable[[], None]) -> None:
        """Calls `reader` whenever that file descriptor can be read."""
        self._readers[number] = reader
        self._set.register(number, select.EPOLLIN)

    def unregister(self, number: int) -> None:
        """Stops watching it; harmless if it is not registered."""
        if self._readers.pop(number, None) is not None:
            self._set.unregister(number)

    def _read_a_slice(self) -> None:
        """Reads as long as there is something: asking again is cheaper than a round of the scheduler."""
        part = Slice()
        for _ in range(READS_A_SLICE):
            if not self._ready:
                self._ready.extend(number for number, _events in self._set.poll(0, READS_AT_ONCE))
            if not self._ready:
                return
            reader = self._readers.get(self._ready.popleft())
            if reader is not None:
                reader()
            if part.is_over:  # who was not read stands first the next time
                return

    async def run(self) -> None:
        """Serves until cancelled."""
        try:
            with self._set:
                while True:
                    await trio.lowlevel.wait_readable(self._set.fileno())
                    self._read_a_slice()
        finally:
            self._readers.clear()  # sessions that end later find nothing to unregister
