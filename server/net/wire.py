"""The byte streams under a session: a TCP socket that is written to without waiting, or any trio stream."""

from __future__ import annotations

import os
import socket
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress

import trio

from server.fair_share import Share
from server.net.poller import Poller

RECEIVE_BYTES = 65_536
TCP_INFO, CLOSED, CLOSE_WAIT = 11, b"\x07", b"\x08"  # Linux only; the first byte of TCP_INFO is the connection's state
READ_BYTES = 4_096  # most bytes per read, so that one peer does not take a whole slice


class Wire(ABC):
    """A byte stream to one peer. After a failure `receive` always returns b"", and `broken` is True."""

    broken = False

    @abstractmethod
    async def receive(self) -> bytes:
        """Waits for bytes and returns them; b"" once the peer has closed its side or is gone."""

    async def pass_on(self, take: Callable[[bytes], bool]) -> None:
        """Calls `take` with received bytes, and with b"" at the end, until it returns False."""
        while take(await self.receive()):
            pass

    @abstractmethod
    def try_send(self, data: bytes | bytearray) -> int:
        """Writes without waiting. Returns the number of bytes taken."""

    @abstractmethod
    async def send_some(self, data: bytes) -> int:
        """Waits until some bytes can be written. Returns the number of bytes taken."""

    greets_first = False  # whether a greeting can be written before a session is made

    async def wait_for_bytes(self) -> None:
        """Waits until bytes can be read. Returns at once if the stream cannot tell."""
        return

    def has_heard_all(self) -> bool:
        """Returns whether the peer has closed its side or is gone. Its last bytes may be unread. Returns False if
        unknown."""
        return False

    def is_gone(self) -> bool:
        """Returns whether the peer has closed and no bytes are unread. Reads nothing. Returns False if unknown."""
        return self.broken

    def peek(self, _count: int) -> bytes:
        """Returns up to `count` received bytes without consuming them; b"" if the stream cannot."""
        return b""

    @property
    def has_arrived(self) -> bool:
        """Whether the peer's kernel has acknowledged all written bytes. True if unknown."""
        return True

    def end_sending(self) -> None:
        """Closes the sending side after the last bytes. Never waits."""
        return

    @abstractmethod
    async def finish(self) -> None:
        """Closes the sending side, then the connection. Reads remaining input first, so that the last bytes are not
        lost."""

    @abstractmethod
    async def cut(self) -> None:
        """Closes the connection at once."""


class SocketWire(Wire):
    """A TCP connection, read when it is readable and written to directly by the caller, without a task between."""

    def __init__(self, stream: trio.SocketStream, poller: Poller | None = None, share: Share | None = None) -> None:
        self._stream = stream
        self._fd = stream.socket.fileno()
        self._poller, self._share = poller, share

    greets_first = True

    async def wait_for_bytes(self) -> None:
        try:
            await trio.lowlevel.wait_readable(self._fd)
        except (OSError, trio.ClosedResourceError):
            self.broken = True

    def has_heard_all(self) -> bool:
        return self._state() in (CLOSED, CLOSE_WAIT)

    def _state(self) -> bytes:
        try:
            return self._stream.socket.getsockopt(socket.IPPROTO_TCP, TCP_INFO, 1)
        except OSError:  # not a TCP socket, or not Linux
            return b""

    def is_gone(self) -> bool:
        if self._state() == CLOSED:  # reset by the peer
            return True
        try:
            return not self._look(1)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def peek(self, count: int) -> bytes:
        with suppress(OSError):
            return self._look(count)
        return b""

    def _look(self, count: int) -> bytes:
        door = socket.socket(fileno=self._fd)
        try:
            return door.recv(count, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        finally:
            door.detach()

    async def pass_on(self, take: Callable[[bytes], bool]) -> None:
        poller = self._poller
        if poller is None:
            await super().pass_on(take)
            return
        task = trio.lowlevel.current_task()  # a trio.Event would cost 650 bytes per idle session

        failure: Exception | None = None
        waits = True

        def read() -> None:
            nonlocal failure
            try:
                if take(self._read()):
                    return
            except BlockingIOError:
                return
            except Exception as error:  # raised below in the session's task, not in the poller's
                failure = error
            if waits:  # `take` may have cancelled this task
                poller.unregister(self._fd)
                trio.lowlevel.reschedule(task)

        def abort(_raise_cancel: object) -> trio.lowlevel.Abort:
            nonlocal waits
            waits = False
            poller.unregister(self._fd)
            return trio.lowlevel.Abort.SUCCEEDED

        poller.register(self._fd, read, self._share)
        await trio.lowlevel.wait_task_rescheduled(abort)
        if failure is not None:
            raise failure

    def _read(self) -> bytes:
        """Returns the available bytes. Raises BlockingIOError if there are none yet."""
        try:
            return os.read(self._fd, READ_BYTES)
        except BlockingIOError:
            raise
        except OSError:
            self.broken = True
            return b""

    async def receive(self) -> bytes:
        while not self.broken:
            try:
                await trio.lowlevel.wait_readable(self._fd)
                return self._read()
            except BlockingIOError:
                continue
            except (OSError, trio.ClosedResourceError):
                self.broken = True
        return b""

    def try_send(self, data: bytes | bytearray) -> int:
        if self.broken:  # the descriptor may belong to another connection by now
            return len(data)
        try:
            return os.write(self._fd, data)
        except BlockingIOError:
            return 0
        except OSError:
            self.broken = True
            return len(data)

    @property
    def has_arrived(self) -> bool:
        if self.broken:
            return False
        with suppress(OSError, ImportError, AttributeError):  # not available on every system
            import fcntl
            import termios

            unacknowledged = fcntl.ioctl(self._fd, termios.TIOCOUTQ, bytes(4))
            return not int.from_bytes(unacknowledged, sys.byteorder)
        return True

    async def send_some(self, data: bytes) -> int:
        try:
            await trio.lowlevel.wait_writable(self._fd)
        except (OSError, trio.ClosedResourceError):
            self.broken = True
            return len(data)
        return self.try_send(data)

    def end_sending(self) -> None:
        with suppress(OSError):
            self._stream.socket.shutdown(socket.SHUT_WR)
            # closing a socket with unread bytes resets it, and sent bytes are lost
            while os.read(self._fd, RECEIVE_BYTES):
                pass

    async def finish(self) -> None:
        try:
            await self._stream.send_eof()
            with trio.move_on_after(1):
                for _ in range(4):
                    if not await self.receive():
                        break
        except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            pass
        finally:  # even if cancelled
            await self.cut()

    async def cut(self) -> None:
        self.broken = True
        await trio.aclose_forcefully(self._stream)


class StreamWire(Wire):
    """Any trio stream, such as memory streams in tests. The outbox always writes to it in a task."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream

    async def receive(self) -> bytes:
        if not self.broken:
            try:
                return bytes(await self._stream.receive_some(READ_BYTES))
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                self.broken = True
        return b""

    def try_send(self, data: bytes | bytearray) -> int:
        return 0

    async def send_some(self, data: bytes) -> int:
        try:
            await self._stream.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self.broken = True
        return len(data)

    async def finish(self) -> None:
        try:
            await self._stream.aclose()
        except trio.BrokenResourceError:
            await self.cut()

    async def cut(self) -> None:
        self.broken = True
        await trio.aclose_forcefully(self._stream)
