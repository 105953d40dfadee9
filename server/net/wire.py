"""The byte streams of sessions: a TCP socket, which is written to without waiting, or any stream of trio."""

from __future__ import annotations

import os
import socket
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress

import trio

from server.fair_share import WorkShare
from server.net.poller import Poller

RECEIVE_BYTES = 65_536
# for getsockopt: TCP_INFO, whose first byte is the connection's state on Linux, and two of these states
TCP_INFO, CLOSED, CLOSE_WAIT = 11, b"\x07", b"\x08"
READ_BYTES = 4_096  # most bytes per read, so that one peer cannot use up a whole time slice


class Wire(ABC):
    """A byte stream to one peer. After a failure `receive` returns b"" every time, and `broken` is True."""

    broken = False

    @abstractmethod
    async def receive(self) -> bytes:
        """Waits for bytes and returns them. Returns b"" once the peer has closed its side or is gone."""

    async def deliver_input(self, take: Callable[[bytes], bool]) -> None:
        """Calls `take` with the bytes that arrive, and with b"" at their end, until `take` returns False."""
        while take(await self.receive()):
            pass

    @abstractmethod
    def try_send(self, data: bytes | bytearray) -> int:
        """Writes bytes without waiting. Returns how many of them were taken."""

    @abstractmethod
    async def send_some(self, data: bytes) -> int:
        """Waits until bytes can be written, and writes some. Returns how many of them were taken."""

    greets_first = False  # whether the server can write a greeting before the session is created

    async def wait_for_bytes(self) -> None:
        """Waits until bytes can be read. Returns at once if the stream does not support this."""
        return

    def has_peer_closed(self) -> bool:
        """Returns whether the peer has closed its side or is gone, even if its last bytes are unread. Returns False if
        this is unknown."""
        return False

    def is_fully_read(self) -> bool:
        """Returns whether the peer has closed its side and all its bytes are read. Consumes no bytes. Returns False if
        this is unknown."""
        return self.broken

    def peek(self, _count: int) -> bytes:
        """Returns at most `count` bytes that have arrived, without consuming them; b"" if the stream does not support
        this."""
        return b""

    @property
    def is_all_acknowledged(self) -> bool:
        """Whether the peer's system has acknowledged all written bytes. True if this is unknown."""
        return True

    def send_eof(self) -> None:
        """Closes the sending side after the bytes that were written. Never waits."""
        return

    @abstractmethod
    async def close_gracefully(self) -> None:
        """Closes the sending side, and then the connection. In between it reads remaining input, because unread input
        would make the kernel drop the last bytes."""

    @abstractmethod
    async def abort(self) -> None:
        """Closes the connection at once."""


class SocketWire(Wire):
    """A TCP connection. It calls the session when bytes can be read, and the caller's own task writes to it."""

    def __init__(self, stream: trio.SocketStream, poller: Poller | None = None, share: WorkShare | None = None) -> None:
        self._stream = stream
        self._fd = stream.socket.fileno()
        self._poller, self._share = poller, share

    greets_first = True

    async def wait_for_bytes(self) -> None:
        try:
            await trio.lowlevel.wait_readable(self._fd)
        except (OSError, trio.ClosedResourceError):
            self.broken = True

    def has_peer_closed(self) -> bool:
        return self._state() in (CLOSED, CLOSE_WAIT)

    def _state(self) -> bytes:
        try:
            return self._stream.socket.getsockopt(socket.IPPROTO_TCP, TCP_INFO, 1)
        except OSError:  # the socket is no TCP socket, or the system is not Linux
            return b""

    def is_fully_read(self) -> bool:
        if self._state() == CLOSED:  # the peer has reset the connection
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

    async def deliver_input(self, take: Callable[[bytes], bool]) -> None:
        poller = self._poller
        if poller is None:
            await super().deliver_input(take)
            return
        # trio's own primitives, because a trio.Event would cost 650 bytes per idle session
        task = trio.lowlevel.current_task()

        failure: Exception | None = None
        waits = True

        def read() -> None:
            nonlocal failure
            try:
                if take(self._read()):
                    return
            except BlockingIOError:
                return
            except Exception as error:  # raised again below, in the session's task instead of the poller's
                failure = error
            if waits:  # false if `take` has cancelled this task
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
        """Returns the bytes that have arrived. Raises BlockingIOError if there are none yet."""
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
        if self.broken:  # the file descriptor may belong to another connection by now
            return len(data)
        try:
            return os.write(self._fd, data)
        except BlockingIOError:
            return 0
        except OSError:
            self.broken = True
            return len(data)

    @property
    def is_all_acknowledged(self) -> bool:
        if self.broken:
            return False
        with suppress(OSError, ImportError, AttributeError):  # some systems do not support this
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

    def send_eof(self) -> None:
        with suppress(OSError):
            self._stream.socket.shutdown(socket.SHUT_WR)
            # if a socket with unread bytes is closed, the kernel resets the connection and drops bytes that were sent
            while os.read(self._fd, RECEIVE_BYTES):
                pass

    async def close_gracefully(self) -> None:
        try:
            await self._stream.send_eof()
            with trio.move_on_after(1):
                for _ in range(4):
                    if not await self.receive():
                        break
        except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            pass
        finally:  # also if the task is cancelled
            await self.abort()

    async def abort(self) -> None:
        self.broken = True
        await trio.aclose_forcefully(self._stream)


class StreamWire(Wire):
    """Any stream of trio, such as a memory stream in tests. The outbox always writes to it in a task."""

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

    async def close_gracefully(self) -> None:
        try:
            await self._stream.aclose()
        except trio.BrokenResourceError:
            await self.abort()

    async def abort(self) -> None:
        self.broken = True
        await trio.aclose_forcefully(self._stream)
