"""TCP connections with direct writes, and TLS on top of them."""

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
ROUND_SECONDS = 0.05  # the time during which LoneStream waits outside of trio's loop


class DirectStream(trio.abc.Stream):
    """A TCP stream that writes without a checkpoint if the kernel takes everything, and reads only when data is
    available. trio's own stream would cost a bot one more scheduler round and two more system calls for each decision.
    """

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Sends all data. It is not a checkpoint if the kernel takes everything at once."""
        try:
            sent = os.write(self._stream.socket.fileno(), data)
        except BlockingIOError:
            sent = 0
        except OSError as error:
            raise trio.BrokenResourceError(str(error)) from error
        if rest := data[sent:]:
            await self._stream.send_all(rest)

    def send_at_once(self, data: bytes) -> int:
        """Sends what the kernel takes, in any thread. Returns the number of bytes sent."""
        try:
            return os.write(self._stream.socket.fileno(), data)
        except OSError:  # the reader gets the same error
            return 0

    def unread(self) -> bytes:
        """Returns the bytes that have arrived and are not read yet, in any thread. They stay unread."""
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
        """Returns the available bytes, or None if there are none yet."""
        try:
            return os.read(self._stream.socket.fileno(), max_bytes or READ_BYTES)
        except BlockingIOError:
            return None
        except OSError as error:
            raise trio.BrokenResourceError(str(error)) from error

    async def aclose(self) -> None:
        await self._stream.aclose()


class LoneStream(DirectStream):
    """A DirectStream for a process that only answers its server. After data has arrived, it waits for more outside of
    trio's loop, up to ROUND_SECONDS. Running the loop's code would evict the bot's code from the processor's caches
    when several processes take turns."""

    def __init__(self, stream: trio.SocketStream) -> None:
        super().__init__(stream)
        self._socket = select.poll()
        self._socket.register(stream.socket.fileno(), select.POLLIN)
        self._round_ends = 0.0

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Receives data. It blocks all other tasks, and is not a checkpoint, if data arrives within the round."""
        left = self._round_ends - perf_counter()
        if left > 0 and self._socket.poll(left * 1_000):
            data = self._read(max_bytes)
            if data is not None:
                return data
        data = await super().receive_some(max_bytes)
        self._round_ends = perf_counter() + ROUND_SECONDS
        return data


class TlsStream(trio.abc.Stream):
    """A client's TLS stream. Unlike trio's own it can send in any thread, and its close does not wait for the peer.

    Args:
        below: The connection, which this stream closes.
        context: The certificates that are trusted.
        host: The name that the server's certificate must have, if the context checks it.
    """

    def __init__(self, below: DirectStream, context: ssl.SSLContext, host: str) -> None:
        self._below = below
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=host)
        self._sending = trio.Lock()
        self._unsent = b""  # encrypted bytes that the kernel did not take at once
        self.is_ready = False

    @property
    def fingerprint(self) -> str:
        """Returns the SHA-256 of the server's certificate, in hex."""
        return hashlib.sha256(self._tls.getpeercert(binary_form=True) or b"").hexdigest()

    async def do_handshake(self) -> None:
        """Runs the TLS handshake. Raises ssl.SSLError, trio.BrokenResourceError."""
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
        """Sends all data. It is not a checkpoint if the kernel takes everything at once."""
        try:
            if data:
                self._tls.write(data)
        except ssl.SSLError as error:
            raise trio.BrokenResourceError(str(error)) from error
        await self._flush()

    def send_at_once(self, data: bytes) -> int:
        """Sends data in any thread, while no task uses the stream. Returns the number of bytes."""
        try:
            self._tls.write(data)
        except ssl.SSLError:  # the reader gets the same error
            return 0
        self._send_now()
        return len(data)

    def unread(self) -> bytes:
        """Returns b"", because encrypted bytes cannot be inspected before they are read."""
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
        """Sends what is pending, then waits for more encrypted bytes."""
        await self._flush()
        if data := await self._below.receive_some():
            self._incoming.write(data)
        else:
            self._incoming.write_eof()

    def _send_now(self) -> None:
        """Sends what the kernel takes, unless a task is sending."""
        self._unsent += self._outgoing.read()
        if self._unsent and not self._sending.locked():
            self._unsent = self._unsent[self._below.send_at_once(self._unsent) :]

    async def _flush(self) -> None:
        while self._unsent or self._outgoing.pending:
            async with self._sending:
                data, self._unsent = self._unsent + self._outgoing.read(), b""
                await self._below.send_all(data)
