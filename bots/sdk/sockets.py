"""TCP streams that write to the socket directly, without trio's loop, and TLS streams on top of them."""

from __future__ import annotations

import hashlib
import os
import select
import socket
import ssl
from contextlib import suppress
from time import perf_counter

import trio

READ_BYTES = 65_536
UNREAD_BYTES = 1 << 20
ROUND_SECONDS = 0.05  # after data has arrived, LoneStream waits this long for more outside of trio's loop


class DirectStream(trio.abc.Stream):
    """A TCP stream that writes without a trio checkpoint if the kernel accepts all data at once, and reads only when
    data is available. trio's own stream would cost a bot one more scheduler round and two more system calls for each
    decision."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Sends all data. If the kernel accepts it at once, the call is no trio checkpoint."""
        try:
            sent = os.write(self._stream.socket.fileno(), data)
        except BlockingIOError:
            sent = 0
        except OSError as error:
            raise trio.BrokenResourceError(str(error)) from error
        if rest := data[sent:]:
            await self._stream.send_all(rest)

    def send_at_once(self, data: bytes) -> int:
        """Sends as much of the data as the kernel accepts at once. Any thread may call it. Returns the number of bytes
        sent."""
        try:
            return os.write(self._stream.socket.fileno(), data)
        except OSError:  # the reader gets the same error
            return 0

    def peek_unread(self) -> bytes:
        """Returns the bytes that have arrived and are not read yet, without reading them. Any thread may call it."""
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
        """Reads and returns the bytes that have arrived; b"" at the end of the stream, None if no bytes have arrived
        yet."""
        try:
            return os.read(self._stream.socket.fileno(), max_bytes or READ_BYTES)
        except BlockingIOError:
            return None
        except OSError as error:
            raise trio.BrokenResourceError(str(error)) from error

    async def aclose(self) -> None:
        await self._stream.aclose()


class BlockingStream(DirectStream):
    """A DirectStream for a process that does nothing but answer its server. After data has arrived, it waits for more,
    up to ROUND_SECONDS, in a system call instead of trio's loop. When several processes take turns on a processor, the
    code of the loop would displace the bot's code from the processor's caches."""

    def __init__(self, stream: trio.SocketStream) -> None:
        super().__init__(stream)
        self._socket = select.poll()
        self._socket.register(stream.socket.fileno(), select.POLLIN)
        self._round_ends = 0.0

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Receives data. While it waits for data that arrives within ROUND_SECONDS after the previous data, it blocks
        all other tasks and is no trio checkpoint."""
        left = self._round_ends - perf_counter()
        if left > 0 and self._socket.poll(left * 1_000):
            data = self._read(max_bytes)
            if data is not None:
                return data
        data = await super().receive_some(max_bytes)
        self._round_ends = perf_counter() + ROUND_SECONDS
        return data


class TlsStream(trio.abc.Stream):
    """A client's TLS stream. Unlike trio's own TLS stream, it can send in any thread, and closing it does not wait for
    the server.

    Args:
        below: The TCP connection, which is closed together with this stream.
        context: Has the certificates that are trusted.
        host: The name that the server's certificate must have, if the context checks it.
    """

    def __init__(self, below: DirectStream, context: ssl.SSLContext, host: str) -> None:
        self._below = below
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=host)
        self._sending = trio.Lock()
        self._unsent = b""  # encrypted bytes that the kernel has not accepted yet
        self.is_ready = False

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the server's certificate, in hex."""
        return hashlib.sha256(self._tls.getpeercert(binary_form=True) or b"").hexdigest()

    async def do_handshake(self) -> None:
        """Runs the TLS handshake with the server. Raises ssl.SSLError, trio.BrokenResourceError."""
        while True:
            try:
                self._tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                await self._fetch()
            finally:
                self._send_now()  # also sends an alert after an error
        await self._flush()
        self.is_ready = True

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Sends all data. If the kernel accepts it at once, the call is no trio checkpoint."""
        try:
            if data:
                self._tls.write(data)
        except ssl.SSLError as error:
            raise trio.BrokenResourceError(str(error)) from error
        await self._flush()

    def send_at_once(self, data: bytes) -> int:
        """Encrypts the data and sends it, or keeps what the kernel does not accept at once. Any thread may call it
        while no task uses the stream. Returns the number of bytes; 0 if the stream is broken."""
        try:
            self._tls.write(data)
        except ssl.SSLError:  # the reader gets the same error
            return 0
        self._send_now()
        return len(data)

    def peek_unread(self) -> bytes:
        """Returns b"", because bytes that are still encrypted cannot be inspected."""
        return b""

    async def wait_send_all_might_not_block(self) -> None:
        await self._below.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        waited = False
        while True:
            try:
                data = self._tls.read(max_bytes or READ_BYTES)
                break
            except ssl.SSLWantReadError:
                await self._fetch()
                waited = True
            except (ssl.SSLZeroReturnError, ssl.SSLEOFError):  # the protocol detects a truncated message itself
                data = b""
                break
            except ssl.SSLError as error:
                raise trio.BrokenResourceError(str(error)) from error
        if not waited:
            await trio.lowlevel.checkpoint()
        return data

    async def aclose(self) -> None:
        if self.is_ready:
            with suppress(ssl.SSLError):
                self._tls.unwrap()
            self._send_now()
        await self._below.aclose()

    async def _fetch(self) -> None:
        """Sends all encrypted bytes that wait to be sent, then waits until encrypted bytes from the server have
        arrived."""
        await self._flush()
        if data := await self._below.receive_some():
            self._incoming.write(data)
        else:
            self._incoming.write_eof()

    def _send_now(self) -> None:
        """Sends as many of the waiting encrypted bytes as the kernel accepts at once, unless a task is sending."""
        self._unsent += self._outgoing.read()
        if self._unsent and not self._sending.locked():
            self._unsent = self._unsent[self._below.send_at_once(self._unsent) :]

    async def _flush(self) -> None:
        while self._unsent or self._outgoing.pending:
            async with self._sending:
                data, self._unsent = self._unsent + self._outgoing.read(), b""
                await self._below.send_all(data)
