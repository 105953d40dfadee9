"""TLS on the game port: the server's certificate, the handshake, and the encrypted connections of sessions."""

from __future__ import annotations

import hashlib
import logging
import re
import ssl
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from ssl import SSLEOFError
from typing import NoReturn

import trio

from server.language import _
from server.log_fields import extra_fields
from server.net.wire import SocketWire, StreamWire

# time limit for a client's first bytes: a TLS client sends at once, while a telnet client waits for the server
SILENCE_SECONDS = 5.0
HANDSHAKE_SECONDS = 10.0
FINISH_SECONDS = 2.0
HANDSHAKE_WORK = 10.0  # work that a handshake is charged as, in plain requests
RECORD_BYTES = 16_384  # most bytes in one TLS record
HANDSHAKE = b"\x16"  # the first byte of a TLS connection
SOON_SECONDS = 14 * 86_400.0  # how long before the certificate's end the daily warnings begin, in seconds
ALERT = b"\x15\x03\x03\x00\x02\x02\x50"  # the TLS alert internal_error, which is sent when no file descriptor is left
_PEM = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)
_UTC_TIME, _VERSION = 0x17, 0xA0  # tags in DER: a UTC time, and the version field of a certificate

log = logging.getLogger("magehall.tls")


class BadCertificate(Exception):
    """The certificate or its key cannot be used. The text says why in a sentence."""


class HandshakeFailed(Exception):
    """The TLS handshake failed, because the peer speaks no TLS or no version that is supported. The text says why, for
    the log.

    Attributes:
        knows_no_tls: Whether the peer probably speaks plain text, so that a sentence tells it what to do.
    """

    def __init__(self, why: str, *, knows_no_tls: bool = False) -> None:
        super().__init__(why)
        self.knows_no_tls = knows_no_tls


class ServerCertificate:
    """The server's certificate with its private key, and the certificates that sign it. `reload` reads the files again.

    Attributes:
        fingerprint: The SHA-256 of the certificate, as hex.
        context: The TLS settings for new connections.
        ends: When the certificate stops being valid for clients that verify it through an authority, in seconds since
            1970.

    Raises:
        BadCertificate: The files cannot be used.
    """

    def __init__(self, certificate: Path, key: Path) -> None:
        self._certificate, self._key = certificate, key
        self.reload()

    def reload(self) -> None:
        """Reads the files again, for new connections. Open connections keep the old certificate.

        Raises:
            BadCertificate: The files cannot be used. New connections get the old certificate.
        """
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
        context.num_tickets = 0  # no session tickets, because connections last long and are never resumed
        for file in (self._certificate, self._key):
            _check_readable(file)
        try:
            context.load_cert_chain(self._certificate, self._key, _no_password)
        except ssl.SSLError as error:
            if error.reason == "KEY_VALUES_MISMATCH":
                text = _("The key in {key} does not belong to the certificate in {certificate}.")
            elif (name := _fault_in(self._certificate)) is not None:
                text = name
            else:
                text = _("{key} contains no usable private key in PEM format.")
            raise BadCertificate(text.format(key=self._key, certificate=self._certificate)) from None
        der = _first_in(self._certificate)
        self.fingerprint, self.ends = hashlib.sha256(der).hexdigest(), _end_of(der)
        self.context = context

    async def warn_of_expiry(self) -> None:
        """Logs a warning each day if the certificate ends within SOON_SECONDS or has ended. Runs until cancelled."""
        while True:
            if self.ends - time.time() < SOON_SECONDS:
                day = time.strftime("%Y-%m-%d", time.gmtime(self.ends))
                text = "the certificate is valid until %s: replace its files, then send SIGHUP"
                log.warning(text, day, extra=extra_fields("certificate_ends", day=day))
            await trio.sleep(86_400)

    async def do_handshake(self, wire: RawWire) -> TlsWire:
        """Performs the TLS handshake on a new connection, once its first bytes have arrived or were waited for in vain.

        Raises:
            NoHandshake: The handshake failed. The caller must close the connection.
        """
        first = wire.peek(1)
        if first != HANDSHAKE:
            raise HandshakeFailed("nothing was said" if not first else "no TLS was spoken", knows_no_tls=True)
        secure = trio.SSLStream(_LingeringStream(wire), self.context, server_side=True)
        try:
            with trio.fail_after(HANDSHAKE_SECONDS):
                await secure.do_handshake()
        except trio.TooSlowError:
            raise HandshakeFailed("the TLS handshake took too long") from None
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            why = getattr(error.__cause__, "reason", None) or "the connection ended"
            raise HandshakeFailed(f"no TLS handshake: {why}") from None
        return TlsWire(secure, wire)


def _check_readable(file: Path) -> None:
    try:
        with file.open("rb"):
            pass
    except OSError as error:
        raise BadCertificate(
            _("{file} cannot be read: {strerror}.", file=file, strerror=error.strerror or error)
        ) from None


def _no_password() -> NoReturn:
    """Refuses a private key that is encrypted. OpenSSL would otherwise ask for its password on the terminal."""
    raise BadCertificate(_("The key is encrypted: the server needs one without a password."))


def _fault_in(file: Path) -> str | None:
    """Returns what is wrong with a certificate file; None if it contains a certificate."""
    try:
        certificate_fingerprint(file)
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(file)
    except (BadCertificate, ssl.SSLError):
        return _("{certificate} contains no usable certificate in PEM format.")
    return None


def certificate_fingerprint(file: Path) -> str:
    """Returns the SHA-256 of the first certificate in a PEM file as hex digits. Raises BadCertificate."""
    return hashlib.sha256(_first_in(file)).hexdigest()


def _first_in(file: Path) -> bytes:
    """Returns the first certificate in a PEM file, in DER. Raises BadCertificate."""
    found = _PEM.search(file.read_text(encoding="ascii", errors="replace"))
    try:
        if found is not None:
            return ssl.PEM_cert_to_DER_cert(found[0])
    except ValueError:
        pass
    raise BadCertificate(_("{certificate} contains no usable certificate in PEM format.", certificate=file))


def _end_of(der: bytes) -> float:
    """Returns when a certificate in DER stops being valid (RFC 5280, 4.1.2.5), in seconds since 1970."""
    ((_tag, certificate),) = _elements(der)
    (_tag, signed), *_signature = _elements(certificate)
    parts = [part for tag, part in _elements(signed) if tag != _VERSION]
    _begin, (tag, end) = _elements(parts[3])  # the validity comes after the serial number, the algorithm and the issuer
    form = "%y%m%d%H%M%SZ" if tag == _UTC_TIME else "%Y%m%d%H%M%SZ"
    return datetime.strptime(end.decode("ascii"), form).replace(tzinfo=UTC).timestamp()


def _elements(der: bytes) -> Iterator[tuple[int, bytes]]:
    """Yields the tag and the content of each element of some DER data."""
    while der:
        head, length = 2, der[1]
        if length & 0x80:  # the other bits are the number of bytes in which the length is written
            head += length & 0x7F
            length = int.from_bytes(der[2:head], "big")
        yield der[0], der[head : head + length]
        der = der[head + length :]


class RawWire(SocketWire):
    """A connection before its TLS handshake. The client sends the first bytes."""

    greets_first = False

    @property
    def stream(self) -> trio.SocketStream:
        """The connection's socket."""
        return self._stream


class _LingeringStream(trio.abc.Stream):
    """The socket under a TLS connection. Before it is closed, the peer gets a moment to read the last bytes."""

    def __init__(self, wire: RawWire) -> None:
        self._wire, self._stream = wire, wire.stream

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self._stream.receive_some(max_bytes)

    async def aclose(self) -> None:
        await self._wire.close_gracefully()


class TlsWire(StreamWire):
    """The decrypted byte stream of a TLS connection. The outbox always writes to it in a task, because `try_send` takes
    no bytes."""

    def __init__(self, stream: trio.SSLStream[_LingeringStream], below: RawWire) -> None:
        super().__init__(stream)
        self._below = below

    async def receive(self) -> bytes:
        """Receives bytes. A peer that closes the TCP connection without a close_notify of TLS counts as having closed
        its side."""
        if not self.broken:
            try:
                return bytes(await self._stream.receive_some(RECORD_BYTES))
            except trio.BrokenResourceError as error:
                if not isinstance(error.__cause__, SSLEOFError):
                    self.broken = True
            except trio.ClosedResourceError:
                self.broken = True
        return b""

    async def send_some(self, data: bytes) -> int:
        return await super().send_some(data[:RECORD_BYTES])

    @property
    def is_all_acknowledged(self) -> bool:
        return not self.broken and self._below.is_all_acknowledged

    def send_eof(self) -> None:
        self._below.send_eof()

    async def close_gracefully(self) -> None:
        try:
            with trio.move_on_after(FINISH_SECONDS):  # the peer may have stopped reading
                await super().close_gracefully()
        finally:
            await self.abort()

    async def abort(self) -> None:
        self.broken = True
        await self._below.abort()
