"""Reads all sockets from one epoll set.

If each task waits for its own socket, every read costs two system calls and a task switch. Here each socket is
registered once, one task waits for the whole set, and each read calls the session directly. A FairQueue decides which
socket is read next. On systems without epoll, each session waits for its own socket.
"""

from __future__ import annotations

import select
from collections.abc import Callable

import trio

from server.fair_share import FairQueue, WorkShare
from server.net.write_coalescing import WriteCoalescer
from server.time_budget import TimeBudget

READS_A_SLICE = 64  # most reads per time slice, which ends earlier if they take long; then timers and other tasks run
READY_AT_ONCE = 1_024
# least time between two polls while more than FEW sockets are ready, because each poll lists all of them again
LOOK_SECONDS = 0.002
FEW = 16


class Poller:
    """Reads the sockets of one server. `run` is its task. The functions that are registered as readers must not
    raise."""

    def __init__(self, lingering: WriteCoalescer | None = None) -> None:
        self._lingering = lingering or WriteCoalescer()
        self._set = select.epoll()
        self._readers: dict[int, tuple[Callable[[], None], WorkShare]] = {}
        self._ready: FairQueue[int] = FairQueue()  # file descriptors of the sockets that are ready to be read
        self._known: set[int] = set()  # the same file descriptors as a set
        self._looked: TimeBudget  # the time since the latest poll

    @classmethod
    def create_if_supported(cls, lingering: WriteCoalescer | None = None) -> Poller | None:
        """Returns a poller; None if the system has no epoll."""
        return cls(lingering) if hasattr(select, "epoll") else None

    def register(self, number: int, reader: Callable[[], None], share: WorkShare | None = None) -> None:
        """Calls `reader` whenever that file descriptor can be read. Without a share the descriptor gets one of its
        own."""
        self._readers[number] = reader, share or WorkShare(number)
        self._set.register(number, select.EPOLLIN)

    def unregister(self, number: int) -> None:
        """Stops watching a file descriptor. Does nothing if it is not registered."""
        if self._readers.pop(number, None) is not None:
            self._set.unregister(number)

    def _read_a_slice(self) -> None:
        """Reads sockets that are ready, for one time slice. If none is left, it polls again, which is cheaper than a
        tick of trio's scheduler."""
        part = TimeBudget()
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
            self._lingering.release_gathered()

    def _look(self) -> None:
        self._looked = TimeBudget(LOOK_SECONDS)
        for number, _events in self._set.poll(0, READY_AT_ONCE):
            if number not in self._known:
                self._known.add(number)
                self._ready.put(self._readers[number][1], number)

    def _read_one(self) -> None:
        number = self._ready.take_next()
        self._known.remove(number)
        if number in self._readers:  # the socket may have been unregistered since it became ready
            reader, _share = self._readers[number]
            reader()
        self._ready.finish_item()

    async def run(self) -> None:
        """Reads sockets until cancelled."""
        try:
            with self._set:
                while True:
                    await trio.lowlevel.wait_readable(self._set.fileno())
                    self._read_a_slice()
        finally:
            self._readers.clear()  # so that `unregister` does nothing in sessions that end after the poller
