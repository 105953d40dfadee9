"""Matches in this process, as a bot's author, a test or a notebook starts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bots.sdk import check as checking
from bots.sdk import local
from bots.sdk.bot import Bot
from bots.sdk.registry import get_bot
from bots.sdk.seeds import bot_seed
from games.api import Game, Outcome, options_from
from games.chance import Chance, deal_key, numbered_seed
from games.registry import all_games, get_game


def chance(seed: int) -> Chance:
    """The chance of a match, from a number that a person can type: the same number, the same deal."""
    return Chance(deal_key(numbered_seed(seed)))


def play(
    game: str | Game,
    bots: Sequence[str | type[Bot] | Bot],
    *,
    seed: int = 1,
    options: Mapping[str, Any] | None = None,
    watch: local.Observer | None = None,
) -> Outcome:
    """Plays a match to its end, without a server and without a clock; bots[0] has seat 1.

    A bot is a name as `get_bot` takes it, a class, or an object, which has its own seed; the others are made with
    seeds that come from `seed`, as the deal does: the same seed, the same match. `watch(state, seat, action)` is
    called before each action is done; the state is the whole truth, to be read only.

    Raises KeyError or NoSuchBot with a sentence where there is no such game or bot, ValueError for an option or a
    number of seats that the game does not take, and IllegalAction where a bot does what it may not.
    """
    rules = get_game(game) if isinstance(game, str) else game
    seated = [_made(bot, seed, seat) for seat, bot in enumerate(bots, 1)]
    return local.play(rules, seated, options_from(rules, options or {}), chance(seed), watch)


def _made(bot: str | type[Bot] | Bot, seed: int, seat: int) -> Bot:
    if isinstance(bot, Bot):
        return bot
    kind = get_bot(bot) if isinstance(bot, str) else bot
    return kind(bot_seed(seed, "bot", seat))


def check(
    bot: str | type[Bot],
    *games: str,
    matches: int = 10,
    seed: int = 1,
    limit: float = checking.LIMIT_SECONDS,
) -> checking.Report:
    """What is wrong with a bot in these games, or in all that it plays; what `magehall bot check` says.

    `limit` is the seconds that a decision may take. `report.ok` is whether nothing was found.
    """
    kind = get_bot(bot) if isinstance(bot, str) else bot
    played = {name: get_game(name) for name in games or kind.games or all_games()}
    name = bot if isinstance(bot, str) else bot.__name__
    return checking.check(name, kind, played, matches=matches, seed=seed, limit=limit)
