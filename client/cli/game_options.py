"""Parses options of a game or a bot from the command line: `--option NAME=VALUE`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bots.sdk.registry import parse_bot_options
from client.exit_codes import MISUSED, exit_with_error
from client.language import _
from games.api import Game, options_from


def parse_options(given: Iterable[str]) -> dict[str, Any]:
    """Returns the values by option name. Ends the command if an argument is malformed."""
    try:
        return parse_bot_options(given)
    except ValueError as error:
        exit_with_error(_("--option: {error}.", error=str(error)), MISUSED)


def parse_game_options(game: Game, given: Iterable[str] | None) -> dict[str, Any]:
    """Returns the values by option name. Ends the command if an argument is malformed, or if the game does not accept
    it."""
    options = parse_options(given or ())
    try:
        options_from(game, options)
    except ValueError as error:
        exit_with_error(str(error), MISUSED)
    return options
