"""Bots for a person: they play on after the end of the input, and give hints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from games.api import Action, Game
from matches.turn import Turn
from people.table import PersonTable


class StandIns(Protocol):
    """The bots, one for each table."""

    def knows(self, table: PersonTable) -> bool:
        """Returns whether a bot has already played at that table."""
        ...

    def choose(self, table: PersonTable) -> Action:
        """Returns the bot's action for the turn that is awaited at the table."""
        ...

    def advise(self, turn: Turn) -> Action:
        """Returns the action that the game's house bot would choose."""
        ...

    def hint(self, table: PersonTable) -> str:
        """Returns the house bot's choice in words; "" if there is no turn to decide."""
        ...

    def names(self, games: Iterable[Game]) -> list[str]:
        """Returns the bots that play one of these games."""
        ...
