"""The addresses at which other machines reach this machine, and the choice of a server's addresses that it can
reach."""

from __future__ import annotations

import ipaddress
import logging
import socket
import struct
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import trio

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

LOOK_SECONDS = 2.0  # the longest age of a running server's list of its own addresses
IPV4, IPV6 = 4, 6

_TUNNELS = ("tun", "tap", "wg", "ppp", "utun", "ipsec", "tailscale", "zt", "vpn", "nordlynx", "proton")
_BRIDGES = ("docker", "br-", "virbr", "vmnet", "vboxnet", "lxcbr", "lxdbr", "cni", "podman", "flannel", "cali")
_SIOCGIFFLAGS, _UP, _LOOPBACK, _POINT_TO_POINT, _RUNNING, _NO_ARP = 0x8913, 0x1, 0x8, 0x10, 0x40, 0x80
_UNFIT = 0x08 | 0x20 | 0x40  # interface flags IFA_F_DADFAILED, _DEPRECATED, _TENTATIVE

log = logging.getLogger("magehall.addresses")


@dataclass(frozen=True)
class Address:
    """An address of an interface. `text` has no scope, because each end of a link-local connection has its own."""

    text: str
    network: Network
    # the interface's name, which is the scope of a link-local address
    interface: str = field(default="", compare=False)
    # whether the interface is a VPN, or another link without neighbours
    tunnel: bool = field(default=False, compare=False)

    @property
    def ip_version(self) -> int:
        """The version of IP: 4 or 6."""
        return self.network.version

    @property
    def needs_scope(self) -> bool:
        """Whether a machine that connects to this address must append the name of its own interface."""
        return self.ip_version == IPV6 and self.network.is_link_local


def own_addresses() -> list[Address]:
    """Returns the addresses of this machine's active interfaces, without loopback, best first.

    The order is: private networks of the LAN, public networks, tunnels, bridges for containers, IPv6 link-local.
    """
    try:
        found = list(_of_interfaces())
    except ImportError:
        found = [Address(text, ipaddress.ip_network(text)) for text in _asked_of_the_system()]
    except OSError as error:
        log.debug("the interfaces cannot be listed: %s", error)
        found = []
    outward = _outward()
    return sorted(dict.fromkeys(found), key=lambda one: (_rank(one), one.ip_version, one.text not in outward))


def shareable_addresses(addresses: Iterable[Address]) -> list[str]:
    """Returns the addresses to show to people on other machines, best first. IPv6 link-local addresses are shown only
    if there are no others, with a placeholder for the reader's own interface."""
    addresses = list(addresses)
    plain = [one.text for one in addresses if not one.needs_scope]
    return plain or [f"{one.text}%INTERFACE" for one in addresses]


def reachable_addresses(announced: Sequence[str], own: Sequence[Address], most: int) -> list[str]:
    """Returns those of a server's addresses that lie in networks of this machine, best first, at most `most`.

    Each link-local address is combined with each of this machine's interfaces in its network. A machine without a
    network reaches only a server of its own. An announced address that this machine has as well is left out if the
    server has another one, because bridges for containers have the same addresses on every machine.
    """
    parsed = [one for one in map(_parsed, announced) if one is not None]
    if not own:
        return [str(one) for one in parsed if one.is_loopback][:most]
    mine = {one.text for one in own}
    near = [(place, one, text) for place, one in enumerate(own) for text in parsed if text in one.network]
    if any(str(text) not in mine for _place, _one, text in near):
        near = [(place, one, text) for place, one, text in near if str(text) not in mine]
    # a fixed order, so that the same server is always found at the same address
    near.sort(key=lambda found: (found[0], int(found[2])))
    found = [f"{text}%{one.interface}" if one.needs_scope else str(text) for _place, one, text in near]
    return list(dict.fromkeys(found))[:most]


class OwnAddresses:
    """The current addresses of a server that listens at `host`. A `host` of "" means all addresses of this machine."""

    def __init__(self, host: str = "") -> None:
        self._versions = ip_versions_at(host)
        self.now = self._look()

    async def poll_changes(self, came: Callable[[list[str]], None]) -> None:
        """Refreshes the addresses every few seconds until cancelled. Calls `came` with the new ones, as
        `shareable_addresses` writes them."""
        while True:
            await trio.sleep(LOOK_SECONDS)
            before, self.now = shareable_addresses(self.now), await trio.to_thread.run_sync(self._look)
            if new := [text for text in shareable_addresses(self.now) if text not in before]:
                came(new)

    @property
    def address_texts(self) -> list[str]:
        """All addresses as text, without scopes. Without a network it is the loopback address."""
        return [one.text for one in self.now] or ["127.0.0.1"]

    def _look(self) -> list[Address]:
        return [one for one in own_addresses() if one.ip_version in self._versions]


def ip_versions_at(host: str) -> tuple[int, ...]:
    """Returns the versions of IP (4, 6) that the server uses if `host` means all addresses; none if it is one
    address."""
    if not host:
        return IPV4, IPV6
    with suppress(OSError, UnicodeError):
        flags = socket.AI_NUMERICHOST
        for family, _kind, _proto, _name, at in socket.getaddrinfo(host, None, 0, socket.SOCK_STREAM, 0, flags):
            if ipaddress.ip_address(str(at[0]).partition("%")[0]).is_unspecified:
                return (IPV6,) if family == socket.AF_INET6 else (IPV4,)
    return ()


def _of_interfaces() -> Iterable[Address]:
    import ifaddr  # imported late, because it is a dependency of the optional zeroconf

    unfit = _unfit()
    for adapter in ifaddr.get_adapters():
        name = adapter.name.decode() if isinstance(adapter.name, bytes) else str(adapter.name)
        flags = _flags(name)
        if flags is not None and (not flags & _UP or not flags & _RUNNING or flags & _LOOPBACK):
            continue
        for ip in adapter.ips:
            text = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            network = ipaddress.ip_network(f"{text}/{ip.network_prefix}", strict=False)
            if network.is_loopback or ipaddress.ip_address(text).is_unspecified or text in unfit:
                continue
            tunnel = bool(flags and flags & (_POINT_TO_POINT | _NO_ARP)) or name.startswith(_TUNNELS)
            yield Address(text, network, str(adapter.index) if sys.platform == "win32" else name, tunnel)


def _unfit() -> set[str]:
    """Returns this machine's IPv6 addresses that cannot be used: duplicate detection is running, or they are
    deprecated."""
    with suppress(OSError, ValueError), open("/proc/net/if_inet6", encoding="ascii") as listed:
        rows = [row.split() for row in listed]
        return {str(ipaddress.IPv6Address(int(row[0], 16))) for row in rows if int(row[4], 16) & _UNFIT}
    return set()


def _flags(interface: str) -> int | None:
    """Returns the flags of the network interface, or None if the system does not tell them."""
    if sys.platform != "linux":
        return None
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            answer = fcntl.ioctl(probe, _SIOCGIFFLAGS, struct.pack("16sH14x", interface.encode()[:15], 0))
        except OSError:
            return None
    return int(struct.unpack("16xH14x", answer)[0])


def _rank(address: Address) -> int:
    if address.needs_scope:
        return 5
    if address.interface.startswith(_BRIDGES):
        return 4
    if address.tunnel:
        return 3
    if address.network.is_link_local:
        return 2
    return 0 if ipaddress.ip_address(address.text).is_private else 1


def _outward() -> set[str]:
    """Returns the addresses from which packets to the internet would be sent, without sending any."""
    found = set()
    for family, outside in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((outside, 9))
            found.add(str(probe.getsockname()[0]))
    return found


def _asked_of_the_system() -> list[str]:
    """Returns the addresses that the system's resolver gives for this machine, for when interfaces cannot be listed."""
    found = list(_outward())
    with suppress(OSError):
        named = socket.getaddrinfo(socket.gethostname(), None, 0, socket.SOCK_STREAM)
        found += [str(info[4][0]).partition("%")[0] for info in named]
    return [text for text in found if not ipaddress.ip_address(text).is_loopback]


def _parsed(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
