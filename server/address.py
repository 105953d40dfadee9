"""Where a connection comes from, as far as it is held together with others from there."""

from __future__ import annotations

import ipaddress
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

import trio

from server.networks import Network

IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

IPV6_NETWORK = 64  # bits that a household has to itself: all its addresses count as one


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a connection comes from.

    Attributes:
        address: Limits, bans and the log go by it, as `grouped` writes it. None: no socket.
        is_proxied: Whether it came through a proxy, which may stand on this machine while its client does not.
        is_encrypted: Whether it speaks TLS.
    """

    address: Hashable = None
    is_proxied: bool = False
    is_encrypted: bool = False

    @property
    def is_overheard(self) -> bool:
        """Whether others on the network can read its bytes, which are plain text."""
        return not self.is_encrypted and (self.is_proxied or not is_this_machine(self.address))


def peer_of(stream: trio.SocketStream) -> str:
    """The peer's IP address; "" if it has none or is disconnected."""
    try:
        return str(stream.socket.getpeername()[0])
    except (OSError, TypeError, IndexError):
        return ""


def address_of(stream: trio.SocketStream) -> str | None:
    """The peer's address as `grouped` writes it; None where there is none, or none any more."""
    peer = peer_of(stream)
    try:
        return grouped(peer)
    except ValueError:
        return None


def ip_of(written: str) -> IPAddress:
    """An address without its scope; an IPv4 address that is written as one of IPv6 becomes IPv4. Raises ValueError."""
    address = ipaddress.ip_address(written.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def is_within(address: str, networks: Iterable[Network]) -> bool:
    """Whether the address lies in one of the networks."""
    ip = ip_of(address)
    return any(ip.version == network.version and ip in network for network in networks)


def is_this_machine(address: Hashable) -> bool:
    """Whether connections from that address cross no network: loopback addresses, and None for no socket."""
    if address is None or address == _LOOPBACK_6:
        return True
    try:
        return ipaddress.ip_address(str(address)).is_loopback
    except ValueError:
        return False


def grouped(written: str) -> str:
    """An IPv4 address as it is, or the network of an IPv6 one, which may be written as a network too. Raises
    ValueError for what is neither."""
    host, _slash, bits = written.partition("/")
    address = ip_of(host)
    if bits not in ("", str(IPV6_NETWORK)) or (bits and address.version == 4):
        raise ValueError(f"{written} is no address, nor a network of {IPV6_NETWORK} bits")
    if address.version == 6:
        return str(ipaddress.ip_network((int(address), IPV6_NETWORK), strict=False))
    return str(address)


_LOOPBACK_6 = grouped("::1")
