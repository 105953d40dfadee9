"""Where a connection comes from, as far as it is held together with others from there."""

from __future__ import annotations

import ipaddress

import trio

IPV6_NETWORK = 64  # bits that a household has to itself: all its addresses count as one


def address_of(stream: trio.SocketStream) -> str | None:
    """The peer's IPv4 address, or its IPv6 network; None where there is none, or none any more."""
    try:
        host = stream.socket.getpeername()[0]
        address = ipaddress.ip_address(host.partition("%")[0])
    except (OSError, ValueError, TypeError, IndexError):
        return None
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, IPV6_NETWORK), strict=False))
    return str(address)
