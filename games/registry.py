"""Finds games: every sub-package of `games` with a `GAMES` list, and installed plug-ins (`magehall.games`)."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from typing import Any

import games
from games.api import Game
from games.language import _


class PluginError(Exception):
    """An installed plug-in cannot be used. The text of the exception names the plug-in and says why."""


@cache
def all_games() -> dict[str, Game]:
    """Returns every game.

    Returns:
        The games by id, in alphabetical order.

    Raises:
        PluginBroken: A plug-in cannot be used, or two games have the same id.
    """
    found: dict[str, Game] = {}
    for listed in (*_own(), *_plugged()):
        if listed.id in found:
            raise PluginError(_("Two games are called {game}.", game=listed.id))
        found[listed.id] = listed
    return dict(sorted(found.items()))


def get_game(game_id: str) -> Game:
    """Returns a game.

    Args:
        game_id: Its id.

    Returns:
        The game.

    Raises:
        KeyError: The game does not exist. The text is a sentence that lists the games.
    """
    known = all_games()
    if game_id not in known:
        raise KeyError(_("There is no game {game!r}; there are: {listed}.", game=game_id, listed=", ".join(known)))
    return known[game_id]


def load_game(game_id: str) -> Game:
    """Returns a game like `get_game`, but imports as few games as possible, for a process that plays only one."""
    return next((game for game in _own() if game.id == game_id), None) or get_game(game_id)


def _own() -> Iterator[Game]:
    packages = sorted(info.name for info in pkgutil.iter_modules(games.__path__) if info.ispkg)
    return (game for name in packages for game in getattr(importlib.import_module(f"games.{name}"), "GAMES", ()))


def _plugged() -> list[Game]:
    return [game for games in plugin_attributes("magehall.games", "GAMES") for game in games]


def plugin_attributes(group: str, name: str) -> Iterator[Any]:
    """Yields the attribute `name` of each installed plug-in of an entry point group. Raises PluginBroken if one cannot
    be loaded."""
    for point in entry_points(group=group):
        try:
            yield getattr(point.load(), name)
        except Exception as error:
            text = _("The plug-in {name} ({value}, {group}) cannot be used: {error}")
            raise PluginError(text.format(name=point.name, value=point.value, group=group, error=error)) from error
