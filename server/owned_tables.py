"""An index of tables by owner, so that the tables of one player are found without a scan of all tables."""

from __future__ import annotations

from collections import defaultdict
from typing import Generic, Protocol, TypeVar


class OwnedTable(Protocol):
    """The part of a table that the index needs."""

    owner: str

    def __hash__(self) -> int: ...


T = TypeVar("T", bound=OwnedTable)


class OwnedTables(Generic[T]):
    """Tables by the name of their owner. Tables of cups have no owner and are under ""."""

    def __init__(self) -> None:
        self._of: defaultdict[str, dict[T, None]] = defaultdict(dict)

    def tables_of(self, owner: str) -> list[T]:
        """Returns that owner's tables, in the order in which they were added."""
        return list(self._of[owner]) if owner in self._of else []

    def add(self, table: T) -> None:
        """Adds a table under its owner."""
        self._of[table.owner][table] = None

    def discard(self, table: T) -> None:
        """Removes a table. Does nothing if the index does not have it."""
        tables = self._of.get(table.owner, {})
        tables.pop(table, None)
        if not tables:
            self._of.pop(table.owner, None)

    def change_owner(self, table: T, owner: str) -> None:
        """Makes `owner` the owner of a table, and updates the index if the table is in it."""
        was_added = table in self._of.get(table.owner, ())
        self.discard(table)
        table.owner = owner
        if was_added:
            self.add(table)
