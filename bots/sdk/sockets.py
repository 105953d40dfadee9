"""A TCP connection that is written to directly, and read when it is readable."""

from __future__ import annotations

import os

import trio

READ_BYTES = 65_536


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
        if sent < len(data):
            await self._stream.send_all(data[sent:])

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        while True:
            await trio.lowlevel.wait_readable(self._stream.socket)
            try:
                return os.read(self._stream.socket.fileno(), max_bytes or READ_BYTES)
            except BlockingIOError:
                continue
            except OSError as error:
                raise trio.BrokenResourceError(str(error)) from error

    async def aclose(self) -> None:
        await self._stream.aclose()
