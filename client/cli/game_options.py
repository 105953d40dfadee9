"""Options of a game, or of a bot, as they are typed: `--option NAME=VALUE`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bots.sdk.registry import typed_options
from client.exit_codes import MISUSED, fail
from client.language import _
from games.api import Game, options_from


def checked_options(given: Iterable[str]) -> dict[str, Any]:
    """Returns the options by name. Ends the command if one is malformed."""
    try:
        return typed_options(given)
    except ValueError as error:
        fail(_("--option: {error}.", error=str(error)), MISUSED)


def game_options(game: Game, given: Iterable[str] | None) -> dict[str, Any]:
    """Returns the options by name, checked. Ends the command if the game does not accept them."""
    options = checked_options(given or ())
    try:
        options_from(game, options)
    except ValueError as error:
        fail(str(error), MISUSED)
    return options
