"""The byte streams under a session: a socket that is written to without waiting, or any trio stream."""

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
TCP_INFO, CLOSED, CLOSE_WAIT = 11, b"\x07", b"\x08"  # of Linux: the first byte is the state of the connection
READ_BYTES = 4_096  # one peer's share of a slice; what is longer comes with the next


class Wire(ABC):
    """The bytes from and to one peer. After a failure `receive` gives b"" for ever, and `broken` is set."""

    broken = False

    @abstractmethod
    async def receive(self) -> bytes:
        """Some bytes; b"" once the peer has closed its side or is gone."""

    async def pass_on(self, take: Callable[[bytes], bool]) -> None:
        """Gives `take` what comes, b"" at the end, until it returns False."""
        while take(await self.receive()):
            pass

    @abstractmethod
    def try_send(self, data: bytes | bytearray) -> int:
        """Hands over what is taken at once; returns how many bytes that were."""

    @abstractmethod
    async def send_some(self, data: bytes) -> int:
        """Waits until some bytes are taken; returns how many."""

    greets_first = False  # whether a greeting can be written before a session is made

    async def wait_for_bytes(self) -> None:
        """Returns once bytes can be read, or at once if that cannot be known."""
        return

    def has_heard_all(self) -> bool:
        """Whether the peer has closed its side or is gone, as far as can be known. Its last bytes may still be
        unread."""
        return False

    def is_gone(self) -> bool:
        """Whether the peer has closed and left no unread bytes. Reads nothing; False if that cannot be known."""
        return self.broken

    def peek(self, _count: int) -> bytes:
        """The first received bytes, which stay unread; b"" if that is not possible."""
        return b""

    @property
    def has_arrived(self) -> bool:
        """Whether the peer's system has received all bytes that were handed over, as far as can be known."""
        return True

    def end_sending(self) -> None:
        """Closes the sending side behind the last bytes. Never waits."""
        return

    @abstractmethod
    async def finish(self) -> None:
        """Ends the sending side, then closes. Reads what still comes, so that what was sent last is not lost."""

    @abstractmethod
    async def cut(self) -> None:
        """Closes at once."""


class SocketWire(Wire):
    """A TCP connection, read when it is readable and written to directly: no task stands between table and kernel."""

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
        except OSError:  # no TCP socket, or not on every system
            return b""

    def is_gone(self) -> bool:
        if self._state() == CLOSED:  # reset by the peer, which hears no answer
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
        task = trio.lowlevel.current_task()  # a trio.Event would take 650 bytes of each idle session

        failure: Exception | None = None
        waits = True

        def read() -> None:
            nonlocal failure
            try:
                if take(self._read()):
                    return
            except BlockingIOError:
                return
            except Exception as error:  # belongs to the session's task, not to the one that polls
                failure = error
            if waits:  # what was read may have ended it
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
        """What is there. Raises BlockingIOError for nothing yet."""
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
        if self.broken:  # the descriptor may be another connection's by now
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
        with suppress(OSError, ImportError, AttributeError):  # not on every system
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
            while os.read(self._fd, RECEIVE_BYTES):  # a socket with unread bytes is reset, and what was sent is lost
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
        finally:  # cancelled or not
            await self.cut()

    async def cut(self) -> None:
        self.broken = True
        await trio.aclose_forcefully(self._stream)


class StreamWire(Wire):
    """Any trio stream, such as memory streams in tests; always written to by the session's writer."""

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
