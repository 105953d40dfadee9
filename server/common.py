"""The objects that all parts of one server share."""

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
"""The store's subject, and its part numbers, for rows that belong to no name or table: the number of the latest table,
so that no id is used twice; the bans; and whether newcomers are admitted."""


@dataclass(frozen=True)
class SharedObjects:
    """The objects that all parts of one server share. Passed to the lobby, tables and matches."""

    config: Config
    games: Mapping[str, Game]
    house: HouseBots
    journal: Journal = field(default_factory=Journal)
    queue: FairLock = field(default_factory=FairLock)
    """Held during work that may be delayed: one holder per scheduler tick. The share that has used the least time goes
    first."""
    idle_lock: trio.Lock = field(default_factory=trio.Lock)
    """Held while a house bot's next step is delayed at a table without connected players, so that such tables take
    turns."""
    broadcaster: Broadcaster = field(default_factory=Broadcaster)
    owned: OwnedTables[Any] = field(default_factory=OwnedTables)
