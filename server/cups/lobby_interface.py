"""The part of the lobby that cups use, as a Protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from games.api import Game
from protocol.messages import ClockRule
from server.config import Config
from server.fair_share import FairLock
from server.name_registry import NameRegistry
from server.service_state import ServiceState
from server.store.journal import Journal
from server.subscriptions import Subscriptions
from server.table.table import Table


class CupLobby(Protocol):
    """The lobby, as cups use it."""

    config: Config
    people: NameRegistry
    journal: Journal
    queue: FairLock
    service: ServiceState
    subscriptions: Subscriptions

    @property
    def tables(self) -> Mapping[str, Table]:
        """The server's tables by id, including those that belong to no cup."""
        ...

    def get_game(self, game_id: str) -> Game:
        """Returns the installed game with that id. Raises Refusal if there is none."""
        ...

    def open_table(
        self,
        game_id: str,
        seats: int,
        owner: str,
        options: Mapping[str, Any],
        clock: ClockRule,
        seed: bytes = ...,
        word: str = ...,
    ) -> Table:
        """Opens a table. Raises Refusal."""
        ...

    def add_bot(self, table: Table, name: str, seat: int = ...) -> None:
        """Puts a house bot on a seat; by default on the first empty one. Raises Refusal."""
        ...

    def start_match(self, table: Table, answer: Callable[[], None] = ...) -> None:
        """Deals, and starts the task of the table. `answer` is called after the deal. Raises Refusal."""
        ...
