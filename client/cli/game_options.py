"""Parses options of a game or a bot from the command line: `--option NAME=VALUE`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bots.sdk.registry import typed_options
from client.exit_codes import MISUSED, fail
from client.language import _
from games.api import Game, options_from


def checked_options(given: Iterable[str]) -> dict[str, Any]:
    """Returns the values by option name. Ends the command if an argument is malformed."""
    try:
        return typed_options(given)
    except ValueError as error:
        fail(_("--option: {error}.", error=str(error)), MISUSED)


def game_options(game: Game, given: Iterable[str] | None) -> dict[str, Any]:
    """Returns the values by option name. Ends the command if an argument is malformed, or if the game does not accept
    it."""
    options = checked_options(given or ())
    try:
        options_from(game, options)
    except ValueError as error:
        fail(str(error), MISUSED)
    return options
