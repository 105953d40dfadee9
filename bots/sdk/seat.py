"""Requests with which a program takes a seat at a table: joining one, opening one, or the first one with room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from bots.sdk.link import Refused
from bots.sdk.pagination import is_last_page
from matches.seat import has_room, is_attended
from protocol import messages as m

R = TypeVar("R", bound=m.Reply)


class SeatRequester(Protocol):
    """An object that sends requests for one player, such as a Link."""

    async def ask(self, request: m.Request, answer: type[R]) -> R:
        """Sends a request and returns its answer, like `Link.ask`."""
        ...


async def take_seat(
    player: SeatRequester,
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
    """Joins a table, or opens a new one, and adds bots there.

    Args:
        player: The link of the player.
        game: The id of the new table's game.
        table: The id of the table to join; "" to open a new table.
        seats: The number of seats of the new table; 0 for the game's smallest number.
        bots: The names of house bots to add to the next empty seats. The table must belong to the player.
        options: The game options of the new table.
        clock: The clock rule of the new table; None for the server's own.
        delay: The delay of open hands of the new table, in seconds; 0 for none.
        nonce: The player's nonce for the deal, if an existing table is joined.

    Returns:
        The server's answer, with the table and the seat.

    Raises:
        Refused: The server refused a request. If it refused to add a bot, a new table is closed again.
        LinkFailed: The link failed.
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
            await player.ask(m.Close(id=1, table=taken.info.table), m.DoneReply)
        raise
    return taken


async def all_tables(player: SeatRequester) -> list[m.TableInfo]:
    """Returns all tables of a server, finished ones included.

    Args:
        player: The link.

    Returns:
        The tables, oldest first.

    Raises:
        Refused: The server refused the request.
        LinkFailed: The link failed.
    """
    tables: list[m.TableInfo] = []
    while True:
        part = await player.ask(m.Tables(id=1, after=tables[-1].table if tables else ""), m.TableList)
        tables += part.tables
        if is_last_page(part.tables, part.more, len(tables)):
            return tables


async def join_first(
    player: SeatRequester, tables: Sequence[m.TableInfo], game: str = "", nonce: str = ""
) -> m.TableReply | None:
    """Takes a seat at the first table that has an empty one.

    Tables with a connected player are tried first. Tables with open hands are skipped, because joining them needs the
    player's agreement.

    Args:
        player: The link.
        tables: The tables to try.
        game: The id of the game; "" for any game.
        nonce: The player's nonce for the deal.

    Returns:
        The server's answer, with the table and the seat; None if no table has an empty seat.

    Raises:
        LinkFailed: The link failed.
    """
    for info in sorted(tables, key=lambda one: not is_attended(one)):
        if has_room(info, game) and not info.delay:
            try:
                return await player.ask(m.Join(id=1, table=info.table, nonce=nonce), m.TableReply)
            except Refused:
                continue  # another player was quicker
    return None
