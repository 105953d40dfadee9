"""Matches in this process, as a bot's author, a test or a notebook starts them."""

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
from matches.record import Record, verify, written_alone


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
    save: str | PathLike[str] | None = None,
) -> Outcome:
    """Plays a match to its end, without a server and without a clock; bots[0] has seat 1.

    A bot is a name as `get_bot` takes it, a class, or an object, which has its own seed; the others are made with
    seeds that come from `seed`, as the deal does: the same seed, the same match. `watch(state, seat, action)` is
    called before each action is done; the state is the whole truth, to be read only. `save` is a file to which the
    replay is written, as `load_replay` and `magehall replay` read it.

    Raises KeyError or NoSuchBot with a sentence where there is no such game or bot, ValueError for an option or a
    number of seats that the game does not take, and for a bot that does not play it, and IllegalAction where a bot
    does what it may not.
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
        Path(save).write_bytes(written_alone(rules, options or {}, names, numbered_seed(seed), done, salt))
    return outcome


def load_replay(file: str | PathLike[str], game: Game | None = None) -> Record:
    """The match in a file, after all of it was checked; a game of your own has to be given.

    Raises BadReplay with the line that does not hold and a sentence, OSError.
    """
    return verify(Path(file).read_bytes(), all_games() if game is None else {game.id: game})


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
