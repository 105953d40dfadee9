"""What a proxy sends ahead of a connection's bytes."""

from __future__ import annotations

import struct
from ipaddress import ip_address

from server.net.proxy_header import V2


def v1(source: str, kind: str = "TCP4") -> bytes:
    """A header of version 1."""
    return f"PROXY {kind} {source} {'::1' if kind == 'TCP6' else '192.0.2.9'} 56324 443\r\n".encode()


def v2(source: str, *, command: int = 0x21, more: bytes = b"", family: int | None = None) -> bytes:
    """A header of version 2; `more` stands behind the addresses."""
    ip = ip_address(source)
    body = ip.packed * 2 + b"\x12\x34\x56\x78" + more
    family = family if family is not None else 0x11 if ip.version == 4 else 0x21
    return V2 + struct.pack("!BBH", command, family, len(body)) + body
