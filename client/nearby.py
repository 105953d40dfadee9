"""Servers in this network, announced and found without an address: by zeroconf, which need not be there."""

from __future__ import annotations

import ipaddress
import logging
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import trio

from protocol import PORT
from protocol.messages import TableInfo
from protocol.printable import escape

KIND = "_magehall._tcp.local."
LOOK_SECONDS = 1.0  # a server answers within a tenth of a second, unless the network loses the question
PATIENCE_SECONDS = 1.8  # for all of it, whatever happens
LOOK_AGAIN_SECONDS = 2.0  # how old an announcement may be
MOST_LINES, MOST_LETTERS = 5, 60  # of what a server says of itself; a line of DNS has 255 bytes
MOST_SERVERS = 20


class NotFound(Exception):
    """Nobody can be looked for; the text says why."""


@dataclass(frozen=True)
class Nearby:
    """A server, and who waits for whom there, in lines. It says so itself; a stranger may say anything."""

    name: str
    host: str
    port: int
    waiting: tuple[str, ...]


def waiting(tables: Iterable[TableInfo]) -> tuple[str, ...]:
    """The open tables with an empty seat: `t1 ikasamage: Ada, greedy; 2 seats free`."""
    lines = []
    for info in tables:
        free = sum(seat.kind == "empty" for seat in info.seats)
        if info.state == "open" and free:
            names = ", ".join(seat.name for seat in info.seats if seat.kind != "empty") or "nobody"
            seats = "1 seat free" if free == 1 else f"{free} seats free"
            lines.append(f"{info.table} {info.game}: {names}; {seats}"[:MOST_LETTERS])
    return tuple(lines[:MOST_LINES])


async def announce(
    port: int, addresses: Sequence[str], lines: Callable[[], tuple[str, ...]], interfaces: Sequence[str] = ()
) -> None:
    """Tells the network of a server until it is cancelled, or does nothing where that is not possible."""
    try:
        service = await trio.to_thread.run_sync(_Announced, port, addresses, lines(), interfaces)
    except NotFound as why:
        logging.getLogger("magehall.nearby").info("not announced in this network: %s", why)
        return
    try:
        while True:
            await trio.sleep(LOOK_AGAIN_SECONDS)
            await trio.to_thread.run_sync(service.say, lines())
    finally:
        with trio.CancelScope(shield=True, deadline=trio.current_time() + 1.0):
            await trio.to_thread.run_sync(service.close, abandon_on_cancel=True)


async def servers(interfaces: Sequence[str] = ()) -> list[Nearby]:
    """Those that answer now, within two seconds. Raises NotFound."""
    with trio.move_on_after(PATIENCE_SECONDS):
        return await trio.to_thread.run_sync(_look, interfaces, abandon_on_cancel=True)
    return []


class _Announced:
    """A server's entry in the network. Its methods wait for the network. Raises NotFound."""

    def __init__(self, port: int, addresses: Sequence[str], lines: tuple[str, ...], interfaces: Sequence[str]) -> None:
        self._zeroconf = _zeroconf(interfaces)
        self._port, self._lines = port, lines
        self._addresses = [address for address in addresses if _is_address(address)]
        self._name = socket.gethostname().partition(".")[0][:40] + (f" {port}" if port != PORT else "")
        try:
            self._zeroconf.register_service(self._info())
        except Exception as error:  # a network can fail in many ways, and nobody needs it
            self.close()
            raise NotFound(f"{error or type(error).__name__}") from None

    def say(self, lines: tuple[str, ...]) -> None:
        """Who waits for whom now."""
        if lines != self._lines:
            self._lines = lines
            self._zeroconf.update_service(self._info())

    def close(self) -> None:
        self._zeroconf.close()

    def _info(self) -> Any:
        from zeroconf import ServiceInfo

        properties = {f"w{number}": line for number, line in enumerate(self._lines, 1)}
        return ServiceInfo(
            KIND,
            f"{self._name}.{KIND}",
            port=self._port,
            properties=properties,
            server=f"{self._name.replace(' ', '-')}.local.",
            parsed_addresses=self._addresses,
        )


def _look(interfaces: Sequence[str]) -> list[Nearby]:
    zeroconf = _zeroconf(interfaces)
    from time import sleep

    from zeroconf import IPVersion, ServiceBrowser

    names: dict[str, None] = {}

    def heard(name: str, **_more: object) -> None:
        names[name] = None

    try:
        ServiceBrowser(zeroconf, KIND, handlers=[heard])
        sleep(LOOK_SECONDS)
        infos = [zeroconf.get_service_info(KIND, name, timeout=200) for name in list(names)[:MOST_SERVERS]]
        return [
            Nearby(
                escape(info.name.removesuffix(f".{KIND}"))[:MOST_LETTERS],
                info.parsed_addresses(IPVersion.V4Only)[0],
                info.port,
                _lines_of(info.properties),
            )
            for info in infos
            if info is not None and info.port and info.parsed_addresses(IPVersion.V4Only)
        ]
    except Exception as error:  # as above
        raise NotFound(f"{error or type(error).__name__}") from None
    finally:
        zeroconf.close()


def _lines_of(properties: dict[bytes, bytes | None]) -> tuple[str, ...]:
    told = [value or b"" for key, value in sorted(properties.items()) if key.startswith(b"w")]
    return tuple(escape(line.decode("utf-8", "replace"))[:MOST_LETTERS] for line in told[:MOST_LINES])


def _zeroconf(interfaces: Sequence[str]) -> Any:
    """Raises NotFound."""
    try:
        from zeroconf import InterfaceChoice, Zeroconf
    except ImportError:
        raise NotFound("zeroconf is not installed here") from None
    logger = logging.getLogger("zeroconf")  # it warns of strange neighbours, which is of no use to a player
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    try:
        return Zeroconf(interfaces=list(interfaces) or InterfaceChoice.All)
    except OSError as error:
        raise NotFound(f"there is no network ({error.strerror or error})") from None


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
