"""A bot of somebody's own, as several commands take it: loaded, with its games, and kept off stdout."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable, Mapping
from typing import IO, Annotated, Any

import typer

from bots.sdk.bot import Bot
from bots.sdk.program import Program, ProgramFailed
from bots.sdk.registry import NoSuchBot, get_bot, plays
from client.ending import MISUSED, fail
from client.language import _
from client.safe_output import open_safely
from games.api import Game
from games.registry import all_games

Spec = Annotated[
    str, typer.Argument(metavar="BOT", help="A bot's name, path.py:Class, or 'cmd:program and its arguments'.")
]

OfClass = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="For the class's __init__. May be repeated.")
]


def bot_named(spec: str, options: Mapping[str, Any] | None = None) -> type[Bot]:
    """The bot, made with these keyword arguments. Ends the command with a sentence where there is none, or where it
    does not take them."""
    try:
        return get_bot(spec, options)
    except NoSuchBot as error:
        fail(str(error), MISUSED)
    except TypeError as error:
        fail(
            _("{spec}: {error}; its options are those that its __init__ takes by name.", spec=spec, error=error),
            MISUSED,
        )


def check_made(kind: type[Bot], seed: int) -> None:
    """Makes the bot once, as for each of its matches later. Ends the command with its traceback where that raises, and
    in a sentence where it is a program that does not run."""
    try:
        bot = kind(seed)
        if isinstance(bot, Program):
            bot.check_runs()
    except ProgramFailed as error:
        fail(_("{bot} cannot start. {error}", bot=kind.__name__, error=error))
    except (Exception, SystemExit):
        traced = traceback.format_exc().rstrip()
        fail(_("{bot} cannot be made; its __init__ raised:\n{traced}", bot=kind.__name__, traced=traced))


def games_of(kind: type[Bot], wanted: Iterable[str] = ()) -> dict[str, Game]:
    """The wanted games, or all that the bot plays. Ends the command where it does not play one."""
    played = {game_id: game for game_id, game in all_games().items() if plays(kind, game_id)}
    for game_id in wanted:
        if game_id not in played:
            known = ", ".join(played) or _("none that is installed")
            fail(
                _(
                    "{bot} does not play {game!r}; it plays: {known}.",
                    bot=kind.__name__,
                    game=game_id,
                    known=known,
                ),
                MISUSED,
            )
    return {game_id: played[game_id] for game_id in wanted} if wanted else played


def stdout_of_our_own() -> IO[str]:
    """The real stdout, which never raises; what the bot prints goes to stderr from here on, whichever way it prints."""
    out = open_safely(os.dup(1))
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return out
