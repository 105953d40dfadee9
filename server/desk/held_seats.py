"""Holds seats at open tables for a while for players who have lost their connection, then gives them up."""

from __future__ import annotations

from collections.abc import Mapping

import trio

from server.name_registry import NameRegistry
from server.store.journal import Journal
from server.table.table import Table

LOOK_SECONDS = 1.0  # the shortest interval between two checks


class HeldSeats:
    """The seats that are held at the open tables of one lobby."""

    def __init__(
        self, nursery: trio.Nursery, tables: Mapping[str, Table], people: NameRegistry, journal: Journal
    ) -> None:
        self._nursery, self._tables, self._people, self._journal = nursery, tables, people, journal
        self._until: dict[tuple[str, str], float] = {}  # by table and name of the player: until when the seat is held

    def hold_seat(self, table: Table, name: str, seconds: float) -> None:
        """Holds the player's seat for that number of seconds from now, if the table is open."""
        if table.state == "open":
            if not self._until:
                self._nursery.start_soon(self._run)
            self._until[table.id, name] = trio.current_time() + seconds

    async def _run(self) -> None:
        while self._until:
            await trio.sleep(max(LOOK_SECONDS, min(self._until.values()) - trio.current_time()))
            if self._journal.failing:  # that the seat is given up could not be stored, so it waits
                continue
            now = trio.current_time()
            for key in [key for key, until in self._until.items() if until <= now]:
                del self._until[key]
                self._give_up(*key)

    def _give_up(self, table_id: str, name: str) -> None:
        table, player = self._tables.get(table_id), self._people.find_player(name)
        if (
            table is not None
            and player is not None
            and table.state == "open"
            and player in table.seating.absent_players()
        ):
            table.stand_up(player)
