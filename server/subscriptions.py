"""The tables that sessions watch, and the cups that they follow."""

from __future__ import annotations

from weakref import WeakSet

from server.player import Listener
from server.table.spectators import Spectators
from server.table.table import Table


class Subscriptions:
    """One a server. A session that ends is forgotten in all of them."""

    def __init__(self) -> None:
        self._watched: dict[Listener, WeakSet[Spectators]] = {}
        self._followers: dict[str, dict[Listener, None]] = {}  # by cup

    def watch(self, table: Table, listener: Listener, position: int) -> None:
        """Adds a spectator to a table, unless that batch of the journal is lost. Raises `too_many_spectators`."""
        table.seating.spectators.admit(listener, position, table.config.spectators_a_table)
        self._watched.setdefault(listener, WeakSet()).add(table.seating.spectators)

    def watched(self, listener: Listener) -> set[str]:
        """The ids of the tables that the session watches."""
        return {spectators.table for spectators in self._watched.get(listener, ()) if listener in spectators}

    def followers(self, cup: str) -> list[Listener]:
        """The sessions that follow a cup, in order of beginning."""
        return list(self._followers.get(cup, ()))

    def follow(self, cup: str, listener: Listener) -> None:
        """The session follows that cup from now on."""
        self._followers.setdefault(cup, {})[listener] = None

    def unfollow(self, cup: str, listener: Listener) -> None:
        """The session does not follow that cup any more, if it did."""
        if followers := self._followers.get(cup):
            followers.pop(listener, None)

    def forget_cup(self, cup: str) -> None:
        """There is no such cup any more."""
        self._followers.pop(cup, None)

    def forget(self, listener: Listener) -> None:
        """The session watches and follows nothing any more."""
        for spectators in self._watched.pop(listener, ()):
            spectators.discard(listener)
        for followers in self._followers.values():
            followers.pop(listener, None)
