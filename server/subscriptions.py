"""Knows which tables each session watches, and which cups it follows."""

from __future__ import annotations

from weakref import WeakSet

from server.player import PlayerSession
from server.table.spectators import Spectators
from server.table.table import Table


class Subscriptions:
    """The tables that the sessions of one server watch, and the cups that they follow."""

    def __init__(self) -> None:
        self._watched: dict[PlayerSession, WeakSet[Spectators]] = {}
        self._followers: dict[str, dict[PlayerSession, None]] = {}  # by name of the cup: the sessions that follow it

    def watch_table(self, table: Table, listener: PlayerSession, position: int) -> None:
        """Adds a session to the spectators of a table. This is undone if batch `position` of the journal is lost.

        Raises `too_many_spectators`.
        """
        table.seating.spectators.add_within_limit(listener, position, table.config.spectators_a_table)
        self._watched.setdefault(listener, WeakSet()).add(table.seating.spectators)

    def watched_tables(self, listener: PlayerSession) -> set[str]:
        """Returns the ids of the tables that the session watches."""
        return {spectators.table for spectators in self._watched.get(listener, ()) if listener in spectators}

    def followers(self, cup: str) -> list[PlayerSession]:
        """Returns the sessions that follow a cup, in the order in which they began to follow it."""
        return list(self._followers.get(cup, ()))

    def follow_cup(self, cup: str, listener: PlayerSession) -> None:
        """Makes the session follow a cup."""
        self._followers.setdefault(cup, {})[listener] = None

    def unfollow_cup(self, cup: str, listener: PlayerSession) -> None:
        """Ends that the session follows a cup. Does nothing if it does not follow the cup."""
        if followers := self._followers.get(cup):
            followers.pop(listener, None)

    def forget_cup(self, cup: str) -> None:
        """Removes all followers of a cup that no longer exists."""
        self._followers.pop(cup, None)

    def remove_session(self, listener: PlayerSession) -> None:
        """Removes a session that has ended from all tables and cups."""
        for spectators in self._watched.pop(listener, ()):
            spectators.discard(listener)
        for followers in self._followers.values():
            followers.pop(listener, None)
