"""What a cup needs of the lobby."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from games.api import Game
from protocol.messages import ClockRule
from server.config import Config
from server.fair_share import FairLock
from server.people import People
from server.service_state import ServiceState
from server.store.journal import Journal
from server.subscriptions import Subscriptions
from server.table.table import Table


class Rooms(Protocol):
    """The lobby, as far as cups know it."""

    config: Config
    people: People
    journal: Journal
    queue: FairLock
    service: ServiceState
    subscriptions: Subscriptions

    @property
    def tables(self) -> Mapping[str, Table]:
        """All tables by id."""
        ...

    def game(self, game_id: str) -> Game:
        """Raises Refusal for one that is not installed."""
        ...

    def open(
        self,
        game_id: str,
        seats: int,
        owner: str,
        options: Mapping[str, Any],
        clock: ClockRule,
        seed: bytes = ...,
        word: str = ...,
    ) -> Table:
        """A new table. Raises Refusal."""
        ...

    def add_bot(self, table: Table, name: str, seat: int = ...) -> None:
        """Puts a bot on a seat. Raises Refusal."""
        ...

    def start(self, table: Table, answer: Callable[[], None] = ...) -> None:
        """Deals, and lets the table run. Raises Refusal."""
        ...
