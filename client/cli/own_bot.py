"""Loads a user's bot, which several commands take as an argument, with its games, and keeps what it prints off
stdout."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable, Mapping
from typing import IO, Annotated, Any

import typer

from bots.sdk.bot import Bot
from bots.sdk.program import Program, ProgramFailed
from bots.sdk.registry import NoSuchBot, bot_plays, get_bot
from client.exit_codes import MISUSED, exit_with_error
from client.language import _
from client.safe_output import open_safely
from games.api import Game
from games.registry import all_games

Spec = Annotated[
    str, typer.Argument(metavar="BOT", help="A bot's name, path.py:Class, or 'cmd:program and its arguments'.")
]

OfClass = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="NAME=VALUE", help="A keyword argument for the class's __init__. May be repeated."
    ),
]


def require_bot_class(spec: str, options: Mapping[str, Any] | None = None) -> type[Bot]:
    """Returns the class of the bot that `spec` names, bound to these keyword arguments. Ends the command with a
    sentence if there is no such bot, or if it does not accept the arguments."""
    try:
        return get_bot(spec, options)
    except NoSuchBot as error:
        exit_with_error(str(error), MISUSED)
    except TypeError as error:
        exit_with_error(
            _("{spec}: {error}. Its options are the keyword arguments of its __init__.", spec=spec, error=error),
            MISUSED,
        )


def check_can_create(kind: type[Bot], seed: int) -> None:
    """Creates one bot of this class as a test. Ends the command with the traceback if its `__init__` raises, and with a
    sentence if the bot is an external program that does not run."""
    try:
        bot = kind(seed)
        if isinstance(bot, Program):
            bot.check_runs()
    except ProgramFailed as error:
        exit_with_error(_("{bot} cannot start. {error}", bot=kind.__name__, error=error))
    except (Exception, SystemExit):
        traced = traceback.format_exc().rstrip()
        exit_with_error(_("{bot} cannot be created. Its __init__ raised:\n{traced}", bot=kind.__name__, traced=traced))


def games_for_bot(kind: type[Bot], wanted: Iterable[str] = ()) -> dict[str, Game]:
    """Returns the wanted games, or all games that the bot plays. Ends the command if it does not play a wanted one."""
    played = {game_id: game for game_id, game in all_games().items() if bot_plays(kind, game_id)}
    for game_id in wanted:
        if game_id not in played:
            known = ", ".join(played) or _("none that is installed")
            exit_with_error(
                _(
                    "{bot} does not play {game!r}; it plays: {known}.",
                    bot=kind.__name__,
                    game=game_id,
                    known=known,
                ),
                MISUSED,
            )
    return {game_id: played[game_id] for game_id in wanted} if wanted else played


def reserve_stdout() -> IO[str]:
    """Returns a file for the real stdout, whose writes never raise. From then on everything that the bot prints goes to
    stderr."""
    out = open_safely(os.dup(1))
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return out
