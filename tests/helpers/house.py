"""House bots that do the first legal thing, so that a test can predict them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.api import Action, Game
from matches.house import HouseBot, HouseQuestion, ImmediateHouseBot


class FirstHouse:
    """A house of bots with these names; each does the first thing that is legal."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def names(self, game: Game) -> Sequence[str]:
        return self._names

    def make(self, game: Game, seats: int, options: Mapping[str, Any], name: str, seed: int) -> HouseBot:
        def choose(asked: HouseQuestion) -> Action:
            return asked.legal[0]

        return ImmediateHouseBot(choose)
