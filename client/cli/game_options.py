"""Options of a game, or of a bot, as they are typed: `--option NAME=VALUE`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from client.ending import MISUSED, fail
from client.language import _
from games.api import Game, options_from


def typed_options(given: Iterable[str]) -> dict[str, Any]:
    """The options by name; a value is JSON, or else a string. Ends the command where it is none."""
    options: dict[str, Any] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals:
            fail(_("--option takes NAME=VALUE, not {one!r}.", one=one), MISUSED)
        try:
            options[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            options[name] = value
    return options


def game_options(game: Game, given: list[str]) -> dict[str, Any]:
    """The options by name, checked; ends the command where the game does not take them."""
    options = typed_options(given)
    try:
        options_from(game, options)
    except ValueError as error:
        fail(str(error), MISUSED)
    return options
