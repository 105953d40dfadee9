"""A cup at a server, read over the wire by anyone: its log, and the replays of its matches."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from bots.sdk.link import Identity, Link, Refused, open_link, tcp
from bots.sdk.parts import is_last
from bots.sdk.replays import fetch_replay
from bots.sdk.tls import Tls
from client.language import _
from protocol import messages as m
from tournaments.bundle import About, cup_from
from tournaments.cup import Cup


@dataclass(frozen=True)
class RemoteCup:
    """What a server tells of a cup.

    Attributes:
        cup: The cup as of the moment of asking. Its secret is empty until it is over.
        about: The versions that it is played with, and the commitment.
        replays: The file of each match that may be told, by table.
        missing: A sentence for each match that is over and whose replay the server does not give.
    """

    cup: Cup
    about: About
    replays: Mapping[str, bytes] = field(default_factory=dict)
    missing: tuple[str, ...] = ()


async def remote_cup(
    host: str,
    port: int,
    name: str,
    *,
    replays: Callable[[Cup], bool],
    on_match: Callable[[int, int], object] = lambda _done, _all: None,
    tls: Tls | None = None,
) -> RemoteCup:
    """Reads a cup from a server, under a guest's name that is forgotten afterwards.

    Args:
        host: The server's machine.
        port: Its port.
        name: The cup's name.
        replays: Whether the matches of that cup are read too.
        on_match: Called with how many matches were read, and of how many.
        tls: How the server proves who it is; None: the connection is in plain text.

    Raises:
        LinkFailed: No server of ours answers there.
        Refused: The server has no such cup.
        BadBundle: This version cannot follow the cup's log.
    """
    guest = Identity(f"guest-{secrets.token_hex(4)}", f"{host}:{port}", client="magehall tournament")
    async with open_link(tcp(host, port, tls), guest) as link:
        cup, about = cup_from(await _log(link, name))
        if not replays(cup):
            return RemoteCup(cup, about)
        told = set(cup.told())
        tables = [table for table in cup.tables.values() if table in told]
        found, missing = await _replays(link, tables, on_match)
        return RemoteCup(cup, about, found, tuple(missing))


async def _log(link: Link, name: str) -> list[str]:
    lines: list[str] = []
    while True:
        part = await link.ask(m.CupLog(id=1, cup=name, after=len(lines)), m.CupLogLines)
        lines += part.lines
        if is_last(part.lines, part.more, len(lines)):
            return lines


async def _replays(
    link: Link, tables: Iterable[str], on_match: Callable[[int, int], object]
) -> tuple[dict[str, bytes], list[str]]:
    found: dict[str, bytes] = {}
    missing: list[str] = []
    wanted = list(tables)
    for number, table in enumerate(wanted, 1):
        try:
            found[table] = await fetch_replay(link, table)
        except Refused as error:
            missing.append(_("{table}: the server gives no replay: {text}", table=table, text=error.error.text))
        on_match(number, len(wanted))
    return found, missing
