"""Objects that all parts of one server share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import trio

from games.api import Game
from matches.house import HouseBots
from server.broadcast import Broadcaster
from server.config import Config
from server.fair_share import FairLock
from server.owned_tables import OwnedTables
from server.store.journal import Journal

LOBBY, LAST_TABLE, BANS, LET_IN = "lobby", 1, 2, 3
"""Subject and part numbers of the rows that belong to no name or table: the number of the latest table, so that ids are
never reused, the bans, and whether newcomers are admitted."""


@dataclass(frozen=True)
class Common:
    """Created once per server, and passed to lobby, tables and matches."""

    config: Config
    games: Mapping[str, Game]
    house: HouseBots
    journal: Journal = field(default_factory=Journal)
    queue: FairLock = field(default_factory=FairLock)
    """Held during deferrable work: one unit per scheduler tick. The share that used the least time goes first."""
    idle_lock: trio.Lock = field(default_factory=trio.Lock)
    """Held during work on matches without players, one at a time."""
    broadcaster: Broadcaster = field(default_factory=Broadcaster)
    owned: OwnedTables[Any] = field(default_factory=OwnedTables)
