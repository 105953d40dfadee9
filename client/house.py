"""The house bots: the installed bots, as the server seats them itself."""

from __future__ import annotations

from collections.abc import Sequence

from bots.sdk.bot import Turn
from bots.sdk.registry import all_bots, plays
from games.api import Action, Game, Seat, View
from server.house import Choose


class BotHouse:
    """Implements server.house.House."""

    def names(self, game: Game) -> Sequence[str]:
        return [name for name, kind in all_bots().items() if plays(kind, game.id)]

    def make(self, game: Game, name: str, seed: int) -> Choose:
        bot = all_bots()[name](seed)

        def choose(seat: Seat, view: View, legal: Sequence[Action], number: int) -> Action:
            bot.rng.seed(seed << 32 | number)  # so that a bot made anew after a restart goes on with the same chance
            return bot.choose(Turn(game, seat, view, legal, number))

        return choose
