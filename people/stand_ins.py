"""The interface of bots that act for a person: they play on after the end of the person's input, and give hints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from games.api import Action, Game
from matches.turn import Turn
from people.table import PersonTable


class StandIns(Protocol):
    """Bots that act for one person, a separate one for each table."""

    def has_played_at(self, table: PersonTable) -> bool:
        """Returns whether a bot has already played for the person at that table."""
        ...

    def choose_action(self, table: PersonTable) -> Action:
        """Returns the bot's action for the person's open decision at the table."""
        ...

    def suggest_action(self, turn: Turn) -> Action:
        """Returns the action that the game's house bot would choose in this turn."""
        ...

    def hint_text(self, table: PersonTable) -> str:
        """Returns a sentence with the house bot's choice for the open decision; "" if there is none."""
        ...

    def bot_names(self, games: Iterable[Game]) -> list[str]:
        """Returns the names of the bots that play at least one of these games."""
        ...
