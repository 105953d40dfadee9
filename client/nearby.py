"""Announces and finds servers in the local network by zeroconf, which is an optional dependency."""

from __future__ import annotations

import logging
import random
import re
import secrets
import socket
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from time import monotonic, sleep
from typing import Any

import trio

from bots.sdk.tls import dial_unverified
from client.addresses import IPV4, IPV6, Address, own_addresses, reachable_addresses
from client.language import _, ngettext
from matches.seat import is_attended
from protocol import PORT
from protocol.messages import TableInfo
from protocol.printable import escape_text

KIND = "_magehall._tcp.local."
# how long to collect announcements: a server answers within a tenth of a second, unless the question is lost
LOOK_SECONDS = 0.9
ASK_SECONDS = 0.3  # time limit for asking servers that have announced only their name for their addresses
PATIENCE_SECONDS = 1.6  # time limit for the whole search, apart from greetings
GREET_SECONDS = 0.4  # time limit for the greetings of all found servers together
LOOK_AGAIN_SECONDS = 2.0  # the announcement is brought up to date this often
# most lines of a server's description, and characters of each; a string in DNS has at most 255 bytes
MOST_LINES, MOST_LETTERS = 5, 60
MOST_SERVERS, MOST_A_HOST = 20, 3  # most servers in the list, and most servers of one address
MOST_ADDRESSES = 12  # most addresses to try of one server, all in this machine's own networks
MOST_GREETED = 200  # most addresses to try in all; servers are tried in random order
MOST_NAMES = 10_000  # most announced names that are examined
GREETING = b"magehall "

log = logging.getLogger("magehall.nearby")


class SearchFailed(Exception):
    """Servers cannot be searched for. The text says why."""


class ZeroconfNotInstalled(SearchFailed):
    """zeroconf is not installed, so servers cannot be searched for at all."""


@dataclass(frozen=True)
class NearbyServer:
    """An announced server, and its lines about players who wait. Anyone in the network can forge an announcement.

    `host` is the address that sent a greeting, or the first announced one; `others` are the further addresses.
    """

    name: str
    host: str
    port: int
    waiting: tuple[str, ...]
    others: tuple[str, ...] = ()
    tls: bool = False


def waiting_lines(tables: Iterable[TableInfo]) -> tuple[str, ...]:
    """Returns a line in English for each open table with a player and an empty seat, such as `t1 ikasamage: Ada,
    greedy; 2 seats free`. Lines for running matches follow, such as `t2 magecraft: Bob, Cleo play`."""
    free_seats, played = list[str](), list[str]()
    for info in tables:
        free = sum(seat.kind == "empty" for seat in info.seats)
        names = ", ".join(seat.name for seat in info.seats if seat.kind != "empty")
        if info.state == "open" and free and is_attended(info):
            free_seats.append(f"{info.table} {info.game}: {names}; {free} seat{'s' * (free > 1)} free"[:MOST_LETTERS])
        elif info.state == "playing" and is_attended(info):
            head, play = f"{info.table} {info.game}: ", " play"
            played.append(f"{head}{names[: MOST_LETTERS - len(head + play)]}{play}")
    return tuple((free_seats + played)[:MOST_LINES])


def translate_line(line: str) -> str:
    """Translates a line that a server announced, which is in English, into the current language."""
    if (played := re.fullmatch(r"(t\d+ \S+: )(.*) play", line)) is not None:
        return _("{table}{names} play", table=played[1], names=played[2])
    found = re.fullmatch(r"(t\d+ \S+: )(.*); (\d+) seats? free", line)
    if found is None:
        return line
    names = _("nobody") if found[2] == "nobody" else found[2]
    free = int(found[3][:4])
    return f"{found[1]}{names}; {ngettext('{n} seat free', '{n} seats free', free)}"


async def announce_server(
    port: int,
    addresses: Callable[[], Sequence[str]],
    lines: Callable[[], tuple[str, ...]],
    interfaces: Sequence[str] = (),
    *,
    tls: bool = False,
) -> None:
    """Announces a server in the local network until cancelled. Announces it again when its addresses change, and tries
    again every few seconds if the network does not work."""
    service: _Announcement | None = None
    at: list[str] = []
    why_not = ""
    try:
        while True:
            now = list(addresses())
            if service is None or now != at:
                if service is not None:
                    await trio.to_thread.run_sync(service.close)
                service, at = None, now
                try:
                    service = await trio.to_thread.run_sync(_Announcement, port, now, lines(), interfaces, tls)
                except ZeroconfNotInstalled as why:
                    log.info("not announced in this network: %s", why)
                    return
                except SearchFailed as why:
                    if str(why) != why_not:
                        why_not = str(why)
                        log.info("not announced in this network: %s", why)
            if service is not None:
                # the lines may have changed while the server was announced, which takes a second
                await trio.to_thread.run_sync(service.update_lines, lines())
            await trio.sleep(LOOK_AGAIN_SECONDS)
    finally:
        if service is not None:
            with trio.CancelScope(shield=True, deadline=trio.current_time() + 1.0):
                await trio.to_thread.run_sync(service.close, abandon_on_cancel=True)


async def find_servers(
    interfaces: Sequence[str] = (), known: Callable[[str, int], bool] | None = None
) -> list[NearbyServer]:
    """Returns the announced servers that send a greeting, after two seconds at most, and at most MOST_A_HOST for each
    address. Raises NotFound."""
    announced: list[NearbyServer] = []
    with trio.move_on_after(PATIENCE_SECONDS):
        announced = await trio.to_thread.run_sync(_look, interfaces, abandon_on_cancel=True)
    return await responding_servers(announced, known)


async def responding_servers(
    announced: Sequence[NearbyServer], known: Callable[[str, int], bool] | None = None, seconds: float = GREET_SECONDS
) -> list[NearbyServer]:
    """Returns those of the announced servers that send a greeting, in the given order, each with an address that did.
    All addresses are tried at the same time.

    If several addresses of a server send a greeting, the first one for which `known` is true counts, because the user
    has a name there; otherwise the first one. A malicious announcement may name any address, any number of times.
    """
    drawn = random.sample(announced, len(announced))
    hosts = [((one.port, one.tls), (one.host, *one.others)) for one in drawn]
    in_turn = [(all_[nth], *port) for nth in range(MOST_ADDRESSES) for port, all_ in hosts if nth < len(all_)]
    # the first address of each server comes before the second address of any
    places = list(dict.fromkeys(in_turn))[:MOST_GREETED]
    greeted = set[tuple[str, int, bool]]()

    async def greet(host: str, port: int, tls: bool) -> None:
        with suppress(OSError, ValueError, trio.BrokenResourceError):  # an announced host name may be invalid
            stream: trio.abc.Stream
            if tls:
                stream = await dial_unverified(host, port)
            else:
                stream = await trio.open_tcp_stream(host, port)
            async with stream:
                if (await stream.receive_some(len(GREETING))).startswith(GREETING):
                    greeted.add((host, port, tls))

    with trio.move_on_after(seconds):
        async with trio.open_nursery() as nursery:
            for place in places:
                nursery.start_soon(greet, *place)
    found: dict[tuple[str, int], NearbyServer] = {}
    listed = Counter[str]()
    for one in announced:
        answering = [host for host in (one.host, *one.others) if (host, one.port, one.tls) in greeted]
        answering.sort(key=lambda host: known is None or not known(host, one.port))
        if answering and listed[answering[0]] < MOST_A_HOST and (answering[0], one.port) not in found:
            found[answering[0], one.port] = replace(one, host=answering[0], others=tuple(answering[1:]))
            listed[answering[0]] += 1
    return list(found.values())[:MOST_SERVERS]


class _Announcement:
    """The announcement of one server. The constructor and all methods block on the network. The constructor raises
    NotFound."""

    def __init__(
        self, port: int, addresses: Sequence[str], lines: tuple[str, ...], interfaces: Sequence[str], tls: bool
    ) -> None:
        self._zeroconf = _zeroconf(interfaces)
        self._tls = tls
        self._port, self._lines = port, lines
        self._addresses = list(addresses)
        name = socket.gethostname().partition(".")[0][:40] + (f" {port}" if port != PORT else "")
        self._name = f"{name}.{KIND}"
        # random, because several machines may have the same name
        self._server = f"magehall-{secrets.token_hex(6)}.local."
        try:
            info = self._info()
            self._zeroconf.register_service(info, allow_name_change=True)
        except Exception as error:  # zeroconf can raise many exceptions, and the announcement is optional
            self.close()
            raise SearchFailed(_why(error)) from None
        self._name = info.name

    def update_lines(self, lines: tuple[str, ...]) -> None:
        """Announces new lines about waiting players. A failure is only logged, because the next attempt may succeed."""
        if lines == self._lines:
            return
        try:
            self._zeroconf.update_service(self._info(lines))
        except Exception as error:  # zeroconf can raise many exceptions
            log.debug("not announced now: %s", _why(error))
        else:
            self._lines = lines

    def close(self) -> None:
        with suppress(Exception):  # zeroconf can raise many exceptions
            self._zeroconf.close()

    def _info(self, lines: tuple[str, ...] | None = None) -> Any:
        from zeroconf import ServiceInfo

        properties = {f"w{number}": line for number, line in enumerate(self._lines if lines is None else lines, 1)}
        if self._tls:
            properties["tls"] = "1"
        return ServiceInfo(
            KIND,
            self._name,
            port=self._port,
            properties=properties,
            server=self._server,
            parsed_addresses=self._addresses,
        )


def _look(interfaces: Sequence[str]) -> list[NearbyServer]:
    own = [] if interfaces else own_addresses()
    zeroconf = _zeroconf(interfaces)
    from zeroconf import ServiceBrowser

    names: dict[str, None] = {}

    def heard(name: str, **_more: object) -> None:
        names[name] = None

    try:
        ServiceBrowser(zeroconf, KIND, handlers=[heard])
        sleep(LOOK_SECONDS)
        return list(_answering(zeroconf, list(names)[:MOST_NAMES], own))
    except Exception as error:  # zeroconf can raise many exceptions
        raise SearchFailed(_why(error)) from None
    finally:
        zeroconf.close()


def _answering(zeroconf: Any, names: Iterable[str], own: Sequence[Address]) -> Iterator[NearbyServer]:
    """Yields the servers with an address in a network of this machine. The addresses of most servers have arrived by
    now; the others are asked for theirs until ASK_SECONDS have passed."""
    from zeroconf import BadTypeInNameException, IPVersion, ServiceInfo

    infos = []
    for name in names:
        with suppress(BadTypeInNameException):  # the name is not a valid service name
            infos.append(ServiceInfo(KIND, name))
    until = monotonic() + ASK_SECONDS
    for info in sorted(infos, key=lambda info: not info.load_from_cache(zeroconf)):
        left = until - monotonic()
        if not info.addresses and (left <= 0 or not info.request(zeroconf, min(200, int(1_000 * left)))):
            continue
        near = reachable_addresses(info.parsed_addresses(IPVersion.All), own, MOST_ADDRESSES)
        if info.port and near:
            name = escape_text(info.name.removesuffix(f".{KIND}"))[:MOST_LETTERS]
            yield NearbyServer(
                name, near[0], info.port, _lines_of(info.properties), tuple(near[1:]), b"tls" in info.properties
            )


def _lines_of(properties: dict[bytes, bytes | None]) -> tuple[str, ...]:
    told = [value or b"" for key, value in sorted(properties.items()) if key.startswith(b"w")]
    return tuple(escape_text(line.decode("utf-8", "replace"))[:MOST_LETTERS] for line in told[:MOST_LINES])


def _zeroconf(interfaces: Sequence[str]) -> Any:
    """Returns a Zeroconf object for these interfaces, or for all if there are none. Raises NotFound."""
    try:
        from zeroconf import Zeroconf
    except ImportError:
        raise ZeroconfNotInstalled(_("zeroconf is not installed here")) from None
    # drops zeroconf's warnings about malformed packets, which do not help a player
    logger = logging.getLogger("zeroconf")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    chosen = list(interfaces) or _interfaces()
    # IPv4 alone, for machines where IPv6 is partly or wholly disabled
    older = [one for one in chosen if isinstance(one, str)]
    for some in (chosen, older) if older and older != chosen else (chosen,):
        try:
            return Zeroconf(interfaces=some)
        except (OSError, RuntimeError) as error:
            why = getattr(error, "strerror", None) or error
    raise SearchFailed(_("there is no network ({strerror})", strerror=escape_text(str(why))))


def _interfaces() -> list[str | int]:
    """Returns the machine's IPv4 addresses, and the index of each interface with IPv6; loopback if there is no
    network."""
    own = own_addresses()
    with_ipv6 = dict.fromkeys(one.interface for one in own if one.ip_version == IPV6 and one.interface)
    numbers = []
    for name in with_ipv6:
        with suppress(OSError, ValueError):
            numbers.append(int(name) if name.isdigit() else socket.if_nametoindex(name))
    return [one.text for one in own if one.ip_version == IPV4] + numbers or ["127.0.0.1"]


def _why(error: Exception) -> str:
    """Returns the text of an error, with control characters escaped, because it may quote a packet."""
    return escape_text(str(error)) or type(error).__name__
