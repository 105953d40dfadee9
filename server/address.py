"""Addresses of peers, grouped so that all connections of one household share their limits."""

from __future__ import annotations

import ipaddress
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

import trio

from server.networks import Network

IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

IPV6_NETWORK = 64  # prefix length of the IPv6 network of a household, whose addresses all count as one


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a connection comes from.

    Attributes:
        address: The peer's address as `group_address` writes it. Limits, bans and the log identify the peer by it. None
            if the connection has no socket.
        is_proxied: Whether the connection came through a proxy. The proxy may run on this machine while its client does
            not.
        is_encrypted: Whether the connection uses TLS.
    """

    address: Hashable = None
    is_proxied: bool = False
    is_encrypted: bool = False

    @property
    def can_be_eavesdropped(self) -> bool:
        """Whether others in the network can read the connection's bytes: it is plain text, and crosses a network."""
        return not self.is_encrypted and (self.is_proxied or not is_local_address(self.address))


def peer_ip(stream: trio.SocketStream) -> str:
    """Returns the IP address of the socket's peer; "" if there is none, such as after a disconnection."""
    try:
        return str(stream.socket.getpeername()[0])
    except (OSError, TypeError, IndexError):
        return ""


def grouped_peer_address(stream: trio.SocketStream) -> str | None:
    """Returns the address of the socket's peer as `group_address` writes it; None if there is none, such as after a
    disconnection."""
    peer = peer_ip(stream)
    try:
        return group_address(peer)
    except ValueError:
        return None


def parse_ip(written: str) -> IPAddress:
    """Parses an IP address. Drops its scope, and turns an IPv4-mapped IPv6 address into IPv4. Raises ValueError."""
    address = ipaddress.ip_address(written.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def is_in_networks(address: str, networks: Iterable[Network]) -> bool:
    """Returns whether the address lies in one of the networks."""
    ip = parse_ip(address)
    return any(ip.version == network.version and ip in network for network in networks)


def is_local_address(address: Hashable) -> bool:
    """Returns whether a connection from that address crosses no network. This is so for loopback addresses, and for
    None, which stands for a connection without a socket."""
    if address is None or address == _LOOPBACK_6:
        return True
    try:
        return ipaddress.ip_address(str(address)).is_loopback
    except ValueError:
        return False


def group_address(written: str) -> str:
    """Returns an IPv4 address unchanged, and for an IPv6 address the network of its first 64 bits. Raises ValueError.

    `written` may also be such a network.
    """
    host, _slash, bits = written.partition("/")
    address = parse_ip(host)
    if bits not in ("", str(IPV6_NETWORK)) or (bits and address.version == 4):
        raise ValueError(f"{written} is no address, nor a network of {IPV6_NETWORK} bits")
    if address.version == 6:
        return str(ipaddress.ip_network((int(address), IPV6_NETWORK), strict=False))
    return str(address)


_LOOPBACK_6 = group_address("::1")
