"""The PROXY protocol, versions 1 and 2: a proxy's header names the client's address before its bytes."""

from __future__ import annotations

import ipaddress
import re
import socket
import struct
from typing import NamedTuple

import trio

HEADER_SECONDS = 3.0  # a proxy sends its header at once
LOOK_SECONDS = 0.02  # between looks at a header that has come in part
LONGEST = 4_096  # bytes of a header of version 2; its address takes 52 of them at most
V1, V2 = b"PROXY ", b"\r\n\r\n\x00\r\nQUIT\n"
V1_LONGEST = 107  # bytes, the end of the line among them
_V2_START = struct.Struct("!12sBBH")
_LOCAL, _PROXIED = 0x20, 0x21
_LENGTHS = {0x1: 12, 0x2: 36, 0x3: 216}  # of the addresses, by family: IPv4, IPv6, Unix
_BYTES = {0x1: 4, 0x2: 16}
_PORT = re.compile(rb"0|[1-9][0-9]{0,4}")


class NoHeader(Exception):
    """No readable header came; the text says why. The connection's bytes are still unread."""


class Header(NamedTuple):
    """A header of that many bytes. `source` is "" if the proxy speaks for itself or does not know the client."""

    length: int
    source: str


def parse(data: bytes) -> Header | None:
    """Reads the header at the beginning of the data. Returns None if more bytes are needed. Raises NoHeader."""
    if data[: len(V1)] == V1[: len(data)]:
        return _parse_v1(data)
    if data[: len(V2)] == V2[: len(data)]:
        return _parse_v2(data)
    raise NoHeader("something else came first")


def _parse_v1(data: bytes) -> Header | None:
    line, end, _rest = data[:V1_LONGEST].partition(b"\r\n")
    if not end:
        if len(data) >= V1_LONGEST or b"\n" in data:
            raise NoHeader("a header of version 1 without its end")
        return None
    length = len(line) + len(end)
    words = line.split(b" ")
    if words[1] == b"UNKNOWN":
        return Header(length, "")
    if len(words) != 6 or words[1] not in (b"TCP4", b"TCP6"):
        raise NoHeader("a header of version 1 that cannot be read")
    addresses = [_address(word, 4 if words[1] == b"TCP4" else 6) for word in words[2:4]]
    if not all(_PORT.fullmatch(port) and int(port) < 65_536 for port in words[4:]):
        raise NoHeader("a header of version 1 with a port that is none")
    return Header(length, addresses[0])


def _address(word: bytes, version: int) -> str:
    try:
        address = ipaddress.ip_address(word.decode("ascii"))
    except ValueError:  # UnicodeDecodeError is one
        raise NoHeader("a header of version 1 with an address that is none") from None
    if address.version != version or b"%" in word:
        raise NoHeader("a header of version 1 with an address of the wrong kind")
    return str(address)


def _parse_v2(data: bytes) -> Header | None:
    if len(data) < _V2_START.size:
        return None
    _signature, command, family, length = _V2_START.unpack_from(data)
    if command not in (_LOCAL, _PROXIED):
        raise NoHeader("a header of version 2 with an unknown command")
    whole = _V2_START.size + length
    if whole > LONGEST:
        raise NoHeader(f"a header of {whole} bytes")
    if command == _PROXIED and length < _LENGTHS.get(family >> 4, 0):
        raise NoHeader("a header of version 2 that is too short for its addresses")
    if len(data) < whole:
        return None
    size = _BYTES.get(family >> 4, 0)
    if command == _LOCAL or not size:
        return Header(whole, "")
    return Header(whole, str(ipaddress.ip_address(data[_V2_START.size : _V2_START.size + size])))


async def take_header(stream: trio.SocketStream) -> str:
    """Reads the header of a new connection and nothing behind it. Returns the address in it, or "". Raises NoHeader
    within a few seconds."""
    with trio.move_on_after(HEADER_SECONDS):
        while True:
            await trio.lowlevel.wait_readable(stream.socket)
            try:
                seen = await stream.socket.recv(LONGEST, socket.MSG_PEEK)
                header = parse(seen) if seen else None
                if header is not None:
                    await stream.socket.recv(header.length)  # these bytes are there
                    return header.source
            except OSError:
                seen = b""
            if not seen:
                raise NoHeader("")
            await trio.sleep(LOOK_SECONDS)  # what is there stays readable
    raise NoHeader(f"nothing whole within {HEADER_SECONDS:.0f} seconds")
