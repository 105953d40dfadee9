"""Plays and checks matches in this process, without a server, for bot authors, tests and notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from bots.sdk import check as checking
from bots.sdk import local
from bots.sdk.bot import Bot
from bots.sdk.registry import check_plays, get_bot
from bots.sdk.seeds import bot_seed
from games.api import Action, Game, Outcome, Seat, State, options_from
from games.chance import Chance, deal_key, numbered_seed
from games.registry import all_games, get_game
from matches.record import Record, encode_local_replay, verify_replay


def chance(seed: int) -> Chance:
    """Returns the source of random numbers for a match.

    Args:
        seed: A number. The same number gives the same deal.

    Returns:
        The source of random numbers, which `Game.start` takes.
    """
    return Chance(deal_key(numbered_seed(seed)))


def play(
    game: str | Game,
    bots: Sequence[str | type[Bot] | Bot],
    *,
    seed: int = 1,
    options: Mapping[str, Any] | None = None,
    watch: local.Observer | None = None,
    save: str | PathLike[str] | None = None,
) -> Outcome:
    """Plays a match to its end, without a server and without a clock.

    Args:
        game: The id of a game, or a game.
        bots: The bots in seat order; bots[0] has seat 1. A bot is a name for `get_bot`, a class, or an instance.
            Classes and names get seeds that derive from `seed`; an instance keeps its own.
        seed: The seed of the match. The same seed gives the same match.
        options: Option values by name, for the options that differ from their defaults.
        watch: A function that is called as `watch(state, seat, action)` before each action. It must not change the
            state, which is the full state of the match.
        save: The path of a file to write the replay to, for `load_replay` and `magehall replay`.

    Returns:
        The outcome of the match: scores and places.

    Raises:
        KeyError: The game does not exist.
        NoSuchBot: The bot does not exist.
        ValueError: The game does not have the option or does not allow the number of seats, or a bot does not play the
            game.
        IllegalAction: A bot chose an illegal action.
    """
    rules = get_game(game) if isinstance(game, str) else game
    seated = [_made(bot, seed, seat) for seat, bot in enumerate(bots, 1)]
    for bot, made in zip(bots, seated, strict=True):
        check_plays(bot if isinstance(bot, str) else type(made).__name__, type(made), rules.id)
    done: list[tuple[Seat, Action]] = []

    def note(state: State, seat: Seat, action: Action) -> None:
        done.append((seat, action))
        if watch is not None:
            watch(state, seat, action)

    outcome = local.play(rules, seated, options_from(rules, options or {}), chance(seed), note)
    if save is not None:
        names = [bot if isinstance(bot, str) else type(made).__name__ for bot, made in zip(bots, seated, strict=True)]
        salt = numbered_seed(seed, "salt")[:16]
        Path(save).write_bytes(encode_local_replay(rules, options or {}, names, numbered_seed(seed), done, salt))
    return outcome


def load_replay(file: str | PathLike[str], game: Game | None = None) -> Record:
    """Reads a replay file and verifies every line of it.

    Args:
        file: The path of the replay.
        game: The game of the replay, if it is not installed.

    Returns:
        The match.

    Raises:
        BadReplay: The replay is invalid. The error has the number of the wrong line and a sentence.
        OSError: The file cannot be read.
    """
    return verify_replay(Path(file).read_bytes(), all_games() if game is None else {game.id: game})


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
) -> checking.CheckReport:
    """Checks a bot for faults, like `magehall bot check`.

    Args:
        bot: A name for `get_bot`, or a class.
        games: The ids of the games to play; none means every game that the bot plays.
        matches: The number of matches for each game. Each match is played twice.
        seed: The seed of the matches.
        limit: The seconds that one decision may take.

    Returns:
        The report. `report.ok` is True if the check found nothing.
    """
    kind = get_bot(bot) if isinstance(bot, str) else bot
    played = {name: get_game(name) for name in games or kind.games or all_games()}
    name = bot if isinstance(bot, str) else bot.__name__
    return checking.check(name, kind, played, matches=matches, seed=seed, limit=limit)
