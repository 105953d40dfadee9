"""An index of the tables by owner, so that nothing has to look at all tables to find those of one player."""

from __future__ import annotations

from collections import defaultdict
from typing import Generic, Protocol, TypeVar


class Owned(Protocol):
    """A table, as far as the index knows it."""

    owner: str

    def __hash__(self) -> int: ...


T = TypeVar("T", bound=Owned)


class OwnedTables(Generic[T]):
    """The tables of each owner's name; those of cups are under ""."""

    def __init__(self) -> None:
        self._of: defaultdict[str, dict[T, None]] = defaultdict(dict)

    def of(self, owner: str) -> list[T]:
        """Returns that owner's tables, the one that was added first at the front."""
        return list(self._of[owner]) if owner in self._of else []

    def add(self, table: T) -> None:
        """Adds a table under its owner."""
        self._of[table.owner][table] = None

    def discard(self, table: T) -> None:
        """Removes a table. Does nothing if it was not added."""
        tables = self._of.get(table.owner, {})
        tables.pop(table, None)
        if not tables:
            self._of.pop(table.owner, None)

    def move(self, table: T, owner: str) -> None:
        """Gives the table that owner; it stays outside if it was not added."""
        was_added = table in self._of.get(table.owner, ())
        self.discard(table)
        table.owner = owner
        if was_added:
            self.add(table)
