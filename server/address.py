"""Where a connection comes from, as far as it is held together with others from there."""

from __future__ import annotations

import ipaddress

import trio

IPV6_NETWORK = 64  # bits that a household has to itself: all its addresses count as one


def address_of(stream: trio.SocketStream) -> str | None:
    """The peer's address as `grouped` writes it; None where there is none, or none any more."""
    try:
        return grouped(stream.socket.getpeername()[0])
    except (OSError, ValueError, TypeError, IndexError):
        return None


def grouped(written: str) -> str:
    """An IPv4 address as it is, or the network of an IPv6 one, which may be written as a network too. Raises
    ValueError for what is neither."""
    host, _slash, bits = written.partition("/")
    address = ipaddress.ip_address(host.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if bits not in ("", str(IPV6_NETWORK)) or (bits and address.version == 4):
        raise ValueError(f"{written} is no address, nor a network of {IPV6_NETWORK} bits")
    if address.version == 6:
        return str(ipaddress.ip_network((int(address), IPV6_NETWORK), strict=False))
    return str(address)
