"""What everything in one server shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import trio

from games.api import Game
from matches.house import House
from server.config import Config
from server.crier import Crier
from server.fair_share import FairLock
from server.owned_tables import OwnedTables
from server.store.journal import Journal

LOBBY, LAST_TABLE, BANS, LET_IN = "lobby", 1, 2, 3
"""Where it is kept what belongs to no name and no table: the number of the latest table, so that no id comes again,
and who is not let in."""


@dataclass(frozen=True)
class Common:
    """Made once a server, handed to lobby, tables and matches."""

    config: Config
    games: Mapping[str, Game]
    house: House
    journal: Journal = field(default_factory=Journal)
    queue: FairLock = field(default_factory=FairLock)
    """For work that can wait: one piece a round of the scheduler, and who has used least goes first."""
    leisure: trio.Lock = field(default_factory=trio.Lock)
    """For matches that nobody plays: one of them at a time."""
    crier: Crier = field(default_factory=Crier)
    owned: OwnedTables[Any] = field(default_factory=OwnedTables)
