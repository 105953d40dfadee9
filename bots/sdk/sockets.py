"""TCP connections that are written to directly, and read when they are readable."""

from __future__ import annotations

import os
import select
import socket
from time import perf_counter

import trio

READ_BYTES = 65_536
UNREAD_BYTES = 1 << 20
ROUND_SECONDS = 0.05  # in which a process that only answers its server looks at nothing else


class DirectStream(trio.abc.Stream):
    """What the kernel takes at once is sent without going round trio's loop, and nothing is read before something is
    there: with trio's own stream a bot's decision takes two rounds instead of one, and two more calls of the system."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Is no checkpoint where the kernel takes all of it."""
        try:
            sent = os.write(self._stream.socket.fileno(), data)
        except BlockingIOError:
            sent = 0
        except OSError as error:
            raise trio.BrokenResourceError(str(error)) from error
        if rest := data[sent:]:
            await self._stream.send_all(rest)

    def send_at_once(self, data: bytes) -> int:
        """Sends what the kernel takes, in any thread, and returns how many bytes that was."""
        try:
            return os.write(self._stream.socket.fileno(), data)
        except OSError:  # of which whoever reads hears too
            return 0

    def unread(self) -> bytes:
        """What has come and is still to be read, in any thread."""
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, os.dup(self._stream.socket.fileno())) as same:
                return same.recv(UNREAD_BYTES, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except OSError:
            return b""

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        data = None
        while data is None:
            if self._stream.socket.fileno() == -1:
                raise trio.ClosedResourceError("this stream was closed")
            await trio.lowlevel.wait_readable(self._stream.socket)
            data = self._read(max_bytes)
        return data

    def _read(self, max_bytes: int | None) -> bytes | None:
        """What is there; None for nothing yet."""
        try:
            return os.read(self._stream.socket.fileno(), max_bytes or READ_BYTES)
        except BlockingIOError:
            return None
        except OSError as error:
            raise trio.BrokenResourceError(str(error)) from error

    async def aclose(self) -> None:
        await self._stream.aclose()


class LoneStream(DirectStream):
    """The same for a process that does nothing but answer its server. After something came, it waits for more outside
    of trio's loop, which has its turn once a round, and whenever nothing comes for so long: where several processes
    take turns, one that wakes finds little of its code in the processor's caches, and the loop is much code."""

    def __init__(self, stream: trio.SocketStream) -> None:
        super().__init__(stream)
        self._socket = select.poll()
        self._socket.register(stream.socket.fileno(), select.POLLIN)
        self._round_ends = 0.0

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Is no checkpoint where something comes within the round; all other tasks stand still meanwhile."""
        left = self._round_ends - perf_counter()
        if left > 0 and self._socket.poll(left * 1_000):
            data = self._read(max_bytes)
            if data is not None:
                return data
        data = await super().receive_some(max_bytes)
        self._round_ends = perf_counter() + ROUND_SECONDS
        return data
