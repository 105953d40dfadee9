"""Servers in memory that are killed, one after the other on the same disk."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import trio

from games.api import Game
from matches.house import HouseBots
from server.config import Config
from tests.helpers.disk import Disk
from tests.helpers.hall import TOYS, Hall
from tests.helpers.house import FirstHouse
from tests.helpers.peer import Peer

CONFIG = Config(port=0, house_seconds=0.0)


@asynccontextmanager
async def running(
    disk: Disk,
    config: Config = CONFIG,
    games: Mapping[str, Game] = TOYS,
    house: HouseBots = FirstHouse("first"),  # noqa: B008 (it remembers nothing)
) -> AsyncIterator[Hall]:
    """A server on that disk. Leaving the block kills it: nothing is said, and nothing more is written."""
    async with trio.open_nursery() as nursery:
        yield Hall(nursery, config, games, house, disk)
        disk.dead = True
        nursery.cancel_scope.cancel()
    disk.dead = False


async def resume(hall: Hall, old: Peer, name: str, table: str = "t1", after: int = 0, *, bot: bool = False) -> Peer:
    """The same player again at the same table."""
    peer = await hall.again(name, old.token, bot=bot)
    answer = await peer.ask("resume", table=table, after=after)
    assert answer["type"] == "resumed", answer
    return peer
