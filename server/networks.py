"""Parses the IP networks of a settings file, and finds the smallest network around an address."""

from __future__ import annotations

import ipaddress
from collections.abc import Hashable, Iterable
from typing import Generic, TypeAlias, TypeVar

from server.language import _

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
LONGEST_IPV6_PREFIX = 64  # longest prefix of an IPv6 network; all addresses of such a network count as one

T = TypeVar("T")


def parse_network(written: str) -> Network:
    """Parses a network or an address, such as 10.2.0.0/16 or 10.2.3.4. An IPv6 address stands for the network of its
    first 64 bits.

    Raises ValueError with a text that says what to write instead.
    """
    network, address = _parsed(written)
    if network.version == 6 and network.prefixlen > LONGEST_IPV6_PREFIX:
        whole = network.supernet(new_prefix=LONGEST_IPV6_PREFIX)
        if "/" not in written:
            return whole
        raise ValueError(_("all addresses of {network} count as one: write that", network=whole))
    return _whole(network, address)


def parse_exact_network(written: str) -> Network:
    """Like `parse_network`, but an IPv6 address or network of any length stands for itself. Raises ValueError."""
    return _whole(*_parsed(written))


def _parsed(written: str) -> tuple[Network, ipaddress.IPv4Address | ipaddress.IPv6Address]:
    """Returns the network that is written, and the address before its slash. An IPv4-mapped IPv6 address becomes
    IPv4."""
    try:
        interface = ipaddress.ip_interface(written.strip())
    except ValueError:
        raise ValueError(_("write an address, as in 10.2.3.4, or a network, as in 10.2.0.0/16")) from None
    network, address = interface.network, interface.ip
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None and network.prefixlen >= 96:
        address = address.ipv4_mapped
        network = ipaddress.ip_network((int(address), network.prefixlen - 96), strict=False)
    return network, address


def _whole(network: Network, address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> Network:
    if address != network.network_address:
        raise ValueError(_("the network around it is {network}: write that", network=network))
    return network


class NetworkMap(Generic[T]):
    """Maps networks to values. A look-up takes one step per different prefix length, whatever the number of
    networks."""

    def __init__(self, items: Iterable[tuple[Network, T]] = ()) -> None:
        self._by_prefix: dict[tuple[int, int], dict[int, T]] = {}
        for network, value in items:
            there = self._by_prefix.setdefault((network.version, network.prefixlen), {})
            there[int(network.network_address)] = value
        self._prefixes = sorted(self._by_prefix, key=lambda one: one[1], reverse=True)

    def find(self, address: Hashable) -> T | None:
        """Returns the value of the smallest network that contains an address or network, given as
        `server.address.grouped` writes it.

        Returns None if no network contains it, or if `address` is no IP address.
        """
        if not (self._prefixes and isinstance(address, str)):
            return None
        try:
            inside = ipaddress.ip_network(address)
        except ValueError:
            return None
        number = int(inside.network_address)
        for version, prefix in self._prefixes:
            if version == inside.version and prefix <= inside.prefixlen:
                rest = inside.max_prefixlen - prefix
                found = self._by_prefix[version, prefix].get(number >> rest << rest)
                if found is not None:
                    return found
        return None
