"""Bots on the person's side, as a person needs them: they play on where nobody types, and say what they would do."""

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
        """What its bot does at the turn that is awaited there."""
        ...

    def advise(self, turn: Turn) -> Action:
        """What the game's house bot would do."""
        ...

    def hint(self, table: PersonTable) -> str:
        """What the game's house bot would do, in words; "" where nothing is to be decided."""
        ...

    def names(self, games: Iterable[Game]) -> list[str]:
        """The bots that play one of these games."""
        ...
