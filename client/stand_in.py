"""House bots in the client: they play on when no person types any more, and give hints. Without input or output."""

from __future__ import annotations

from collections.abc import Iterable

from bots.sdk.bot import Bot, Turn
from bots.sdk.registry import all_bots, bot_for, name_for, plays
from bots.sdk.seeds import bot_seed
from games.api import Action, Game
from games.spelling import typed_text
from people.table import PersonTable
from people.text.sentences import hint_text


class LocalStandIns:
    """A house bot for each table, which plays in the person's place."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._bots: dict[str, Bot] = {}

    def knows(self, table: PersonTable) -> bool:
        """Returns whether a house bot has already played for the person at that table."""
        return table.id in self._bots

    def choose(self, table: PersonTable) -> Action:
        """Returns the house bot's action for the decision that is open at the table."""
        assert table.turn is not None
        if table.id not in self._bots:
            self._bots[table.id] = _bot(table.game, bot_seed(self.seed, table.id, table.seat))
        return self._bots[table.id].choose(table.turn)

    def advise(self, turn: Turn) -> Action:
        """Returns the action that the game's house bot would choose for that turn."""
        return _bot(turn.game, bot_seed(self.seed, f"{turn.number}", turn.seat)).choose(turn)

    def hint(self, table: PersonTable) -> str:
        """Returns in words the action that the house bot would choose, with its preview; "" if the person has no
        decision to make."""
        if (turn := table.turn) is None:
            return ""
        words, advice = turn.game.words, self.advise(turn)
        foreseen = words.preview(turn.view, advice, table.people) if turn.view is not None else ""
        name = name_for(turn.game.id, turn.game.house_bot)
        return hint_text(name, typed_text(words, advice), words.write(advice), foreseen, turn.game.cards())

    def names(self, games: Iterable[Game]) -> list[str]:
        """Returns the bots that play one of these games."""
        known = list(games)
        return [name for name, kind in all_bots().items() if any(plays(kind, game.id) for game in known)]


def _bot(game: Game, seed: int) -> Bot:
    return bot_for(game.id, game.house_bot)(seed)
