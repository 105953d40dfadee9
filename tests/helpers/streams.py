"""Connections in memory between tests and servers. `trio.testing` has some, too, which behave the same; but these wake
nobody more often than needed, and a server can write to them at once, as to a socket."""

from __future__ import annotations

from collections.abc import Callable
from operator import index

import trio

from server.net.wire import StreamWire


class _Way:
    """The bytes in one direction."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.ended = False  # no more will be sent
        self.deaf = False  # the reading end is closed
        self.reader: trio.lowlevel.Task | None = None  # if it waits
        self.on_write: Callable[[int], None] | None = None  # told the bytes of each write, and 0 at the end

    def put(self, data: bytes | bytearray) -> None:
        if self.ended:
            raise trio.ClosedResourceError
        if self.deaf:
            raise trio.BrokenResourceError
        if data:
            self.data += data
            if self.on_write is not None:
                self.on_write(len(data))
            self.wake()

    def end(self) -> None:
        """No more will be sent."""
        if not self.ended and self.on_write is not None:
            self.on_write(0)
        self.ended = True
        self.wake()

    def wake(self) -> None:
        if self.reader is not None:
            trio.lowlevel.reschedule(self.reader)
            self.reader = None


class MemoryStream(trio.abc.HalfCloseableStream):
    """One end of a connection. Whatever is sent is taken at once."""

    def __init__(self, incoming: _Way, outgoing: _Way) -> None:
        self._incoming, self._outgoing = incoming, outgoing

    def send_now(self, data: bytes | bytearray) -> None:
        """As `send_all`, without a checkpoint."""
        self._outgoing.put(data)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await trio.lowlevel.checkpoint()
        self._outgoing.put(bytes(data))

    def notice(self, on_write: Callable[[int], None]) -> None:
        """Has that called with the size of every write of the other end, and with 0 when it ends."""
        self._incoming.on_write = on_write

    async def wait_send_all_might_not_block(self) -> None:
        await self.send_all(b"")

    async def send_eof(self) -> None:
        await trio.lowlevel.checkpoint()
        self._outgoing.end()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        way = self._incoming
        if max_bytes is not None and index(max_bytes) < 1:
            raise ValueError("at least one byte")
        if way.deaf:
            raise trio.ClosedResourceError
        if way.data or way.ended:
            await trio.lowlevel.checkpoint()
        else:
            if way.reader is not None:
                raise trio.BusyResourceError
            way.reader = trio.lowlevel.current_task()
            await trio.lowlevel.wait_task_rescheduled(self._stop_waiting)
        if way.deaf:
            raise trio.ClosedResourceError
        got = bytes(way.data[:max_bytes])
        del way.data[:max_bytes]
        return got

    def _stop_waiting(self, _raise_cancel: object) -> trio.lowlevel.Abort:
        self._incoming.reader = None
        return trio.lowlevel.Abort.SUCCEEDED

    async def aclose(self) -> None:
        self._incoming.deaf = True
        self._incoming.data.clear()
        self._incoming.wake()
        self._outgoing.end()
        await trio.lowlevel.checkpoint()


def memory_streams() -> tuple[MemoryStream, MemoryStream]:
    """Both ends of a connection."""
    one, other = _Way(), _Way()
    return MemoryStream(one, other), MemoryStream(other, one)


class MemoryWire(StreamWire):
    """A server's end of a connection in memory, which it writes to as it does to a socket."""

    def __init__(self, stream: MemoryStream) -> None:
        super().__init__(stream)
        self._put = stream.send_now

    def try_send(self, data: bytes | bytearray) -> int:
        try:
            self._put(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self.broken = True
        return len(data)
