"""House bots in the client: they play on when no person types any more, and give hints. Without input or output."""

from __future__ import annotations

from collections.abc import Iterable

from bots.sdk.bot import Bot, Turn
from bots.sdk.registry import all_bots, bot_name_or_random, bot_or_random, bot_plays
from bots.sdk.seeds import bot_seed
from games.api import Action, Game
from games.spelling import typed_action_text
from people.table import PersonTable
from people.text.sentences import hint_text


class LocalStandIns:
    """A house bot for each table, which plays in the person's place."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._bots: dict[str, Bot] = {}

    def has_played_at(self, table: PersonTable) -> bool:
        """Returns whether a house bot has already played for the person at that table."""
        return table.id in self._bots

    def choose_action(self, table: PersonTable) -> Action:
        """Returns the house bot's action for the decision that is open at the table."""
        assert table.turn is not None
        if table.id not in self._bots:
            self._bots[table.id] = _bot(table.game, bot_seed(self.seed, table.id, table.seat))
        return self._bots[table.id].choose(table.turn)

    def suggest_action(self, turn: Turn) -> Action:
        """Returns the action that the game's house bot would choose for that turn."""
        return _bot(turn.game, bot_seed(self.seed, f"{turn.number}", turn.seat)).choose(turn)

    def hint_text(self, table: PersonTable) -> str:
        """Returns in words the action that the house bot would choose, with its preview; "" if the person has no
        decision to make."""
        if (turn := table.turn) is None:
            return ""
        words, advice = turn.game.words, self.suggest_action(turn)
        foreseen = words.preview_action(turn.view, advice, table.people) if turn.view is not None else ""
        name = bot_name_or_random(turn.game.id, turn.game.house_bot)
        return hint_text(
            name, typed_action_text(words, advice), words.format_action(advice), foreseen, turn.game.cards()
        )

    def bot_names(self, games: Iterable[Game]) -> list[str]:
        """Returns the bots that play one of these games."""
        known = list(games)
        return [name for name, kind in all_bots().items() if any(bot_plays(kind, game.id) for game in known)]


def _bot(game: Game, seed: int) -> Bot:
    return bot_or_random(game.id, game.house_bot)(seed)
