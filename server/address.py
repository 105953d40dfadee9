"""Peer addresses, grouped so that all connections of one household share their limits."""

from __future__ import annotations

import ipaddress
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

import trio

from server.networks import Network

IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

IPV6_NETWORK = 64  # prefix length of a household's network; all addresses in it count as one


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a connection comes from.

    Attributes:
        address: The address as `grouped` writes it, by which limits, bans and the log identify the peer. None if there
            is no socket.
        is_proxied: Whether it came through a proxy. The proxy may run on this machine while its client does not.
        is_encrypted: Whether it uses TLS.
    """

    address: Hashable = None
    is_proxied: bool = False
    is_encrypted: bool = False

    @property
    def is_overheard(self) -> bool:
        """Whether others on the network can read the connection's bytes, which are plain text."""
        return not self.is_encrypted and (self.is_proxied or not is_this_machine(self.address))


def peer_of(stream: trio.SocketStream) -> str:
    """Returns the peer's IP address; "" if it has none or is disconnected."""
    try:
        return str(stream.socket.getpeername()[0])
    except (OSError, TypeError, IndexError):
        return ""


def address_of(stream: trio.SocketStream) -> str | None:
    """Returns the peer's address as `grouped` writes it; None if it has none or is disconnected."""
    peer = peer_of(stream)
    try:
        return grouped(peer)
    except ValueError:
        return None


def ip_of(written: str) -> IPAddress:
    """Parses an address. Drops its scope, and turns an IPv4-mapped IPv6 address into IPv4. Raises ValueError."""
    address = ipaddress.ip_address(written.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def is_within(address: str, networks: Iterable[Network]) -> bool:
    """Returns whether the address lies in one of the networks."""
    ip = ip_of(address)
    return any(ip.version == network.version and ip in network for network in networks)


def is_this_machine(address: Hashable) -> bool:
    """Returns whether connections from that address cross no network: loopback addresses, and None for no socket."""
    if address is None or address == _LOOPBACK_6:
        return True
    try:
        return ipaddress.ip_address(str(address)).is_loopback
    except ValueError:
        return False


def grouped(written: str) -> str:
    """Returns an IPv4 address unchanged, and for an IPv6 address its network of 64 bits. Raises ValueError.

    The argument may be such a network, too.
    """
    host, _slash, bits = written.partition("/")
    address = ip_of(host)
    if bits not in ("", str(IPV6_NETWORK)) or (bits and address.version == 4):
        raise ValueError(f"{written} is no address, nor a network of {IPV6_NETWORK} bits")
    if address.version == 6:
        return str(ipaddress.ip_network((int(address), IPV6_NETWORK), strict=False))
    return str(address)


_LOOPBACK_6 = grouped("::1")
