"""The house bots: the installed bots, as the server seats them itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bots.sdk.bot import Turn
from bots.sdk.registry import all_bots, plays
from games.api import Action, Game, Seat, View, options_from
from server.house import Choose


class BotHouse:
    """Implements server.house.House."""

    def names(self, game: Game) -> Sequence[str]:
        """Those that decide at once: who asks for knowledge wants to think, which is for a process of its own."""
        return [name for name, kind in all_bots().items() if plays(kind, game.id) and "knowledge" not in kind.wants]

    def make(self, game: Game, seats: int, options: Mapping[str, Any], name: str, seed: int) -> Choose:
        bot = all_bots()[name](seed)

        def choose(seat: Seat, view: View, legal: Sequence[Action], number: int) -> Action:
            bot.rng.seed(seed << 32 | number)  # so that a bot made anew after a restart goes on with the same chance
            return bot.choose(Turn(game, seat, view, legal, number, seats=seats, options=options_from(game, options)))

        return choose
