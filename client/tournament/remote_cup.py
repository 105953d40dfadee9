"""Reads a cup from a remote server, which anyone may: its log, and the replays of its matches."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from bots.sdk.link import Dial, Identity, Link, Refused, open_link
from bots.sdk.pagination import is_last_page
from bots.sdk.replays import fetch_replay
from client.language import _
from protocol import messages as m
from tournaments.bundle import CupDescription, parse_cup_log
from tournaments.cup import Cup


@dataclass(frozen=True)
class RemoteCup:
    """A cup as its server describes it.

    Attributes:
        cup: The cup when it was requested. Its secret is empty until the cup is over.
        about: The versions of rules and cards with which it is played, and its commitment.
        replays: The replay file of each match that is public, by table.
        missing: A sentence for each finished match whose replay the server does not give.
    """

    cup: Cup
    about: CupDescription
    replays: Mapping[str, bytes] = field(default_factory=dict)
    missing: tuple[str, ...] = ()


async def fetch_cup(
    dial: Dial,
    server: str,
    name: str,
    *,
    replays: Callable[[Cup], bool],
    on_match: Callable[[int, int], object] = lambda _done, _all: None,
) -> RemoteCup:
    """Reads a cup from a server. The reader's guest name is forgotten afterwards.

    Args:
        dial: Opens a connection to the server.
        server: The server's address as HOST:PORT, for error messages.
        name: The cup's name.
        replays: A function that returns whether to read the matches of that cup as well.
        on_match: Called with the number of matches that are read, and the number of all matches.

    Raises:
        LinkFailed: No magehall server answers there.
        Refused: The server has no such cup.
        BadBundle: This version cannot follow the cup's log.
    """
    guest = Identity(f"guest-{secrets.token_hex(4)}", server, client="magehall tournament")
    async with open_link(dial, guest) as link:
        cup, about = parse_cup_log(await _log(link, name))
        if not replays(cup):
            return RemoteCup(cup, about)
        told = set(cup.publishable_tables())
        tables = [table for table in cup.tables.values() if table in told]
        found, missing = await _replays(link, tables, on_match)
        return RemoteCup(cup, about, found, tuple(missing))


async def _log(link: Link, name: str) -> list[str]:
    lines: list[str] = []
    while True:
        part = await link.ask(m.CupLog(id=1, cup=name, after=len(lines)), m.CupLogLines)
        lines += part.lines
        if is_last_page(part.lines, part.more, len(lines)):
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
