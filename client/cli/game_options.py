"""Options of a game, or of a bot, as they are typed: `--option NAME=VALUE`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bots.sdk.registry import typed_options
from client.ending import MISUSED, fail
from client.language import _
from games.api import Game, options_from


def checked_options(given: Iterable[str]) -> dict[str, Any]:
    """The options by name. Ends the command where one is none."""
    try:
        return typed_options(given)
    except ValueError as error:
        fail(_("--option: {error}.", error=str(error)), MISUSED)


def game_options(game: Game, given: Iterable[str] | None) -> dict[str, Any]:
    """The options by name, checked; ends the command where the game does not take them."""
    options = checked_options(given or ())
    try:
        options_from(game, options)
    except ValueError as error:
        fail(str(error), MISUSED)
    return options
