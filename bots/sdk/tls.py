"""Connects to a server over TLS, and decides whether its certificate is trusted: by an authority, by a given
fingerprint, or because it is the same as at an earlier connection."""

from __future__ import annotations

import errno
import os
import re
import ssl
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import trio

from bots.language import _
from bots.sdk.sockets import DirectStream, TlsStream
from bots.sdk.tokens import state_folder

HANDSHAKE_SECONDS = 15.0
# Stands in the file of known servers instead of a fingerprint, if an authority signed the certificate. The path of the
# file with the authority may follow.
BY_AUTHORITY = "ca"
SPEAKS_NO_TLS = frozenset({"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "UNKNOWN_PROTOCOL", "PACKET_LENGTH_TOO_LONG"})
COMES_AGAIN = ("TLSV1_ALERT_INTERNAL_ERROR", "UNEXPECTED_EOF_WHILE_READING")
Connect: TypeAlias = Callable[[], Awaitable[DirectStream]]
_FINGERPRINT = re.compile(r"(?:sha-?256[:=]?)?([0-9a-f]{64})", re.ASCII)


class ServerNotTrusted(Exception):
    """Raised if the server does not prove its identity, or does not speak TLS. The exception's text is a sentence that
    tells the user what to do."""


def _to_stderr(text: str) -> None:
    print(text, file=sys.stderr)


class KnownServers:
    """Remembers which certificate each server had, by `host:port`: in memory, and in a file if one is given.

    Args:
        file: A file with lines `host:port FINGERPRINT`, to which new lines are appended. Of several lines for a server
            the last one counts.
        report: A function that is called with a sentence for the user about each new server.
    """

    def __init__(self, file: Path | None = None, report: Callable[[str], None] = _to_stderr) -> None:
        self._file, self.report = file, report
        self._known: dict[str, str] = {}

    def get(self, server: str) -> str:
        """Returns what is remembered of a server's certificate.

        Args:
            server: `host:port`.

        Returns:
            The SHA-256 of the server's certificate in hex; `ca` or `ca FILE` if an authority signed it; "" for a server
                to which no connection was made before.

        Raises:
            NotTrusted: The file cannot be read.
        """
        if self._file is not None and server not in self._known:
            try:
                lines = self._file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
            except FileNotFoundError:
                lines = []
            # without the file, every server would be new, and its certificate would be trusted
            except OSError as error:
                text = _("{file}, which lists the servers that you know, cannot be read: {strerror}.")
                raise ServerNotTrusted(text.format(file=self._file, strerror=error.strerror)) from None
            for line in lines:
                name, _space, trusted = line.partition(" ")
                if name == server and trusted:
                    self._known[server] = trusted
        return self._known.get(server, "")

    def put(self, server: str, trusted: str) -> None:
        """Remembers the certificate of a server, instead of an earlier one.

        Args:
            server: `host:port`.
            trusted: The certificate's SHA-256 in hex, or `ca` or `ca FILE`, as `get` returns it.
        """
        if self.get(server) == trusted:
            return
        self._known[server] = trusted
        if self._file is None:
            return
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            number = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(number, f"{server} {trusted}\n".encode("utf-8", "surrogateescape"))
            finally:
                os.close(number)
        except OSError as error:
            text = _("The certificate of {server} is known only until this program ends: {file}: {strerror}.")
            self.report(text.format(server=server, file=self._file, strerror=error.strerror))

    def __str__(self) -> str:
        return str(self._file or _("the memory of this program"))


def load_known_servers() -> KnownServers:
    """Returns the known servers of the user who runs this program, from the file `known_servers` in the state
    folder."""
    return KnownServers(state_folder() / "known_servers")


@dataclass(frozen=True)
class Tls:
    """How a server has to prove its identity over TLS.

    Without `ca` and `fingerprint`, a certificate that one of the system's certificate authorities signed is accepted.
    Any other certificate is accepted at the first connection and remembered, and must stay the same later, as with ssh.

    Attributes:
        ca: A PEM file with the only authorities to trust; "" to trust those of the system, unless `fingerprint` is set.
        fingerprint: The SHA-256 that the server's certificate must have, in hex; "" for any.
        known: The remembered certificates of servers.
    """

    ca: str = ""
    fingerprint: str = ""
    known: KnownServers = field(default_factory=load_known_servers, compare=False)


def parse_fingerprint(written: str) -> str:
    """Parses a fingerprint as magehall or openssl print it. Returns it as 64 lower-case hex digits. Raises
    ValueError."""
    found = _FINGERPRINT.fullmatch(
        "".join(written.split()).replace(":", "").lower().removeprefix("sha256fingerprint=").rstrip(".")
    )
    if found is None:
        raise ValueError(f"{written} is no SHA-256 fingerprint")
    return found[1]


async def connect_tls(connect: Connect, host: str, port: int, tls: Tls) -> TlsStream:
    """Connects to a server over TLS and checks its identity.

    Args:
        connect: A function that makes a new TCP connection to the server at each call.
        host: The server's host name, as in its certificate.
        port: The server's port.
        tls: How the server has to prove its identity.

    Returns:
        The TLS stream, after its handshake.

    Raises:
        OSError: The connection failed; a new attempt may succeed.
        NotTrusted: The server does not prove its identity, or does not speak TLS.
    """
    server = f"{host}:{port}"
    known = tls.known.get(server)
    by_authority = bool(tls.ca) or known.split(" ")[0] == BY_AUTHORITY
    wanted = tls.fingerprint or ("" if by_authority else known)
    if not wanted:
        ca = tls.ca or known.partition(" ")[2]
        try:
            stream = await _shake_hands(connect, _context(ca), host, server)
            tls.known.put(server, _by_authority(ca))
            return stream
        except ssl.SSLCertVerificationError as error:
            if by_authority:
                text = _(
                    "The certificate of the server at {server} does not hold: {why}. If its operator tells you its"
                    " SHA-256 fingerprint, say --tls-pin with that."
                )
                raise ServerNotTrusted(
                    text.format(server=server, why=(error.verify_message or error.reason).rstrip("."))
                ) from None
    stream = await _shake_hands(connect, _context_of_any(), host, server)
    shown = stream.fingerprint
    if wanted and shown != wanted:
        await stream.aclose()
        if tls.fingerprint:
            text = _("The certificate of the server at {server} has the fingerprint {shown}, not {wanted}.")
        else:
            text = _(
                "The server at {server} shows another certificate than before. Either its operator has changed it, or"
                " another machine is in between and reads along. Ask the operator for the fingerprint: if it is the one"
                " shown now, say once --tls-pin {shown}"
            )
        raise ServerNotTrusted(text.format(server=server, shown=shown, wanted=wanted))
    if not known:
        text = _(
            "The server at {server} is new to you. Its certificate has the SHA-256 fingerprint {shown}, which is"
            " remembered in {known}."
        )
        if not wanted:
            tls.known.report(text.format(server=server, shown=shown, known=tls.known))
    tls.known.put(server, shown)
    return stream


async def dial_unverified(host: str, port: int) -> TlsStream:
    """Connects over TLS without checking the server's certificate, to find out whether a server answers there. Raises
    OSError, trio.BrokenResourceError, ssl.SSLError."""
    stream = TlsStream(DirectStream(await trio.open_tcp_stream(host, port)), _context_of_any(), host)
    try:
        await stream.do_handshake()
    except BaseException:
        await trio.aclose_forcefully(stream)
        raise
    return stream


def _by_authority(ca: str) -> str:
    return f"{BY_AUTHORITY} {os.path.abspath(ca)}" if ca else BY_AUTHORITY


def _context(ca: str) -> ssl.SSLContext:
    """Returns an SSL context that trusts only the authorities in the file `ca`; "" for those of the system. Raises
    NotTrusted if the file cannot be used."""
    try:
        return ssl.create_default_context(cafile=ca or None)
    except ssl.SSLError:
        raise ServerNotTrusted(_("{file} holds no certificate in PEM format.", file=ca)) from None
    except OSError as error:
        raise ServerNotTrusted(_("{file} cannot be read: {strerror}.", file=ca, strerror=error.strerror)) from None


def _context_of_any() -> ssl.SSLContext:
    """Returns an SSL context that accepts any certificate, for callers that compare the fingerprint themselves."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


async def _shake_hands(connect: Connect, context: ssl.SSLContext, host: str, server: str) -> TlsStream:
    """Connects and runs the TLS handshake. Returns the stream. Raises ssl.SSLCertVerificationError, NotTrusted,
    OSError."""
    stream = TlsStream(await connect(), context, host)
    try:
        with trio.fail_after(HANDSHAKE_SECONDS):
            await stream.do_handshake()
        return stream
    except ssl.SSLCertVerificationError:
        raise
    except ssl.SSLError as error:
        reason = (error.reason or "") if not isinstance(error, ssl.SSLEOFError) else COMES_AGAIN[0]
    except trio.BrokenResourceError:
        reason = COMES_AGAIN[0]
    except trio.TooSlowError:
        raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT)) from None
    finally:
        if not stream.is_ready:
            await stream.aclose()
    if reason in COMES_AGAIN:
        raise OSError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))
    if reason in SPEAKS_NO_TLS:
        text = _("The server at {server} speaks no TLS. Without --tls others in the network may read along.")
        raise ServerNotTrusted(text.format(server=server))
    raise ServerNotTrusted(_("No TLS with the server at {server}: {reason}.", server=server, reason=reason))
