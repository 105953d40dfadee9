"""The bots that a person can use: they play on when the input has ended, and give hints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from games.api import Action, Game
from matches.turn import Turn
from people.table import PersonTable


class StandIns(Protocol):
    """One bot for each table."""

    def knows(self, table: PersonTable) -> bool:
        """Whether a bot has played at that table already."""
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
        """The bots that play one of these games."""
        ...
