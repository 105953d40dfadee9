"""A program's seat at a table: how it is taken, what is read and sent there, and when the match starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from bots.sdk.link import Refused
from bots.sdk.parts import is_last
from matches.seat import has_room, is_attended
from protocol import messages as m

R = TypeVar("R", bound=m.Reply)


class Asker(Protocol):
    """A link, or something that asks through one."""

    async def ask(self, request: m.Request, answer: type[R]) -> R:
        """As Link.ask."""
        ...


async def take_seat(
    player: Asker,
    game: str = "",
    *,
    table: str = "",
    seats: int = 0,
    bots: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    clock: m.ClockRule | None = None,
    delay: int = 0,
    nonce: str = "",
) -> m.TableReply:
    """Takes a seat at the named table, or at a new one, of which `seats`, `options`, `clock` and `delay` are.

    The bots are put on the next seats, for which the table must be the player's own. Returns the answer that gave the
    seat. Raises Refused, LinkFailed. A new table where a bot is refused is closed again.
    """
    if table:
        taken = await player.ask(m.Join(id=1, table=table, nonce=nonce), m.TableReply)
    else:
        opening = m.Open(id=1, game=game, seats=seats, options=dict(options or {}), clock=clock, delay=delay)
        taken = await player.ask(opening, m.TableReply)
    try:
        for bot in bots:
            await player.ask(m.Add(id=1, table=taken.info.table, bot=bot), m.TableReply)
    except Refused:
        if not table:
            await player.ask(m.Close(id=1, table=taken.info.table), m.Done)
        raise
    return taken


async def all_tables(player: Asker) -> list[m.TableInfo]:
    """The server's tables, asked for part by part. Raises Refused, LinkFailed."""
    tables: list[m.TableInfo] = []
    while True:
        part = await player.ask(m.Tables(id=1, after=tables[-1].table if tables else ""), m.TableList)
        tables += part.tables
        if is_last(part.tables, part.more, len(tables)):
            return tables


async def join_first(
    player: Asker, tables: Sequence[m.TableInfo], game: str = "", nonce: str = ""
) -> m.TableReply | None:
    """Takes a seat at the first of those tables that has one, of that game; None where there is none. Tables where
    a player waits come before those whose players are away. One where spectators see all hands is passed over: nobody
    has agreed to that. Raises LinkFailed."""
    for info in sorted(tables, key=lambda one: not is_attended(one)):
        if has_room(info, game) and not info.delay:
            try:
                return await player.ask(m.Join(id=1, table=info.table, nonce=nonce), m.TableReply)
            except Refused:
                continue  # somebody else was quicker
    return None
