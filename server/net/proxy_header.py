"""Reads the header of the PROXY protocol, versions 1 and 2, with which a proxy names its client before the client's
bytes."""

from __future__ import annotations

import ipaddress
import re
import socket
import struct
from typing import NamedTuple

import trio

HEADER_SECONDS = 3.0  # time limit for the header, which a proxy sends at once
LOOK_SECONDS = 0.02  # interval between two reads of a header that is incomplete
LONGEST = 4_096  # most bytes of a header of version 2, of which the address part takes at most 52
V1, V2 = b"PROXY ", b"\r\n\r\n\x00\r\nQUIT\n"
V1_LONGEST = 107  # most bytes of a header of version 1, including the line end
_V2_START = struct.Struct("!12sBBH")
_LOCAL, _PROXIED = 0x20, 0x21
_LENGTHS = {0x1: 12, 0x2: 36, 0x3: 216}  # by family (IPv4, IPv6, Unix): bytes of the address part in version 2
_BYTES = {0x1: 4, 0x2: 16}
_PORT = re.compile(rb"0|[1-9][0-9]{0,4}")


class InvalidProxyHeader(Exception):
    """The connection did not begin with a valid header. The text says why. None of its bytes has been consumed."""


class ProxyHeader(NamedTuple):
    """A parsed header of `length` bytes. `source` is the client's address; "" if the proxy does not name a client."""

    length: int
    source: str


def parse_proxy_header(data: bytes) -> ProxyHeader | None:
    """Parses the header at the beginning of the data. Returns None if the header is incomplete. Raises NoHeader."""
    if data[: len(V1)] == V1[: len(data)]:
        return _parse_v1(data)
    if data[: len(V2)] == V2[: len(data)]:
        return _parse_v2(data)
    raise InvalidProxyHeader("something else came first")


def _parse_v1(data: bytes) -> ProxyHeader | None:
    line, end, _rest = data[:V1_LONGEST].partition(b"\r\n")
    if not end:
        if len(data) >= V1_LONGEST or b"\n" in data:
            raise InvalidProxyHeader("a header of version 1 without its end")
        return None
    length = len(line) + len(end)
    words = line.split(b" ")
    if words[1] == b"UNKNOWN":
        return ProxyHeader(length, "")
    if len(words) != 6 or words[1] not in (b"TCP4", b"TCP6"):
        raise InvalidProxyHeader("a header of version 1 that cannot be read")
    addresses = [_address(word, 4 if words[1] == b"TCP4" else 6) for word in words[2:4]]
    if not all(_PORT.fullmatch(port) and int(port) < 65_536 for port in words[4:]):
        raise InvalidProxyHeader("a header of version 1 with a port that is none")
    return ProxyHeader(length, addresses[0])


def _address(word: bytes, version: int) -> str:
    try:
        address = ipaddress.ip_address(word.decode("ascii"))
    except ValueError:  # UnicodeDecodeError is a ValueError, too
        raise InvalidProxyHeader("a header of version 1 with an address that is none") from None
    if address.version != version or b"%" in word:
        raise InvalidProxyHeader("a header of version 1 with an address of the wrong kind")
    return str(address)


def _parse_v2(data: bytes) -> ProxyHeader | None:
    if len(data) < _V2_START.size:
        return None
    _signature, command, family, length = _V2_START.unpack_from(data)
    if command not in (_LOCAL, _PROXIED):
        raise InvalidProxyHeader("a header of version 2 with an unknown command")
    whole = _V2_START.size + length
    if whole > LONGEST:
        raise InvalidProxyHeader(f"a header of {whole} bytes")
    if command == _PROXIED and length < _LENGTHS.get(family >> 4, 0):
        raise InvalidProxyHeader("a header of version 2 that is too short for its addresses")
    if len(data) < whole:
        return None
    size = _BYTES.get(family >> 4, 0)
    if command == _LOCAL or not size:
        return ProxyHeader(whole, "")
    return ProxyHeader(whole, str(ipaddress.ip_address(data[_V2_START.size : _V2_START.size + size])))


async def read_proxy_header(stream: trio.SocketStream) -> str:
    """Reads the header of a new connection, and none of the bytes after it. Returns the client's address; "" if the
    proxy does not name one.

    Raises NoHeader if there is no valid header within HEADER_SECONDS.
    """
    with trio.move_on_after(HEADER_SECONDS):
        while True:
            await trio.lowlevel.wait_readable(stream.socket)
            try:
                seen = await stream.socket.recv(LONGEST, socket.MSG_PEEK)
                header = parse_proxy_header(seen) if seen else None
                if header is not None:
                    await stream.socket.recv(header.length)  # does not block, because these bytes have been peeked at
                    return header.source
            except OSError:
                seen = b""
            if not seen:
                raise InvalidProxyHeader("")
            # waiting for the socket would return at once, because the peeked bytes are still unread
            await trio.sleep(LOOK_SECONDS)
    raise InvalidProxyHeader(f"nothing whole within {HEADER_SECONDS:.0f} seconds")
