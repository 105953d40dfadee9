"""Finds the class of a bot by its name. Bots are in packages below `bots` with a `BOTS` map, in plug-ins (entry points
`magehall.bots`), in Python files, and in programs of any language.

A name may end in a colon and a level, as in `greedy:easy`. Each level is an entry of its own in a `BOTS` map.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from inspect import signature
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

import bots
from bots.language import _
from bots.sdk.bot import Bot
from bots.sdk.program import program
from games.registry import PluginError, plugin_attributes

COMMAND = "cmd:"  # the prefix of a bot that is given as the command line of a program
LEVEL = ":"  # stands between a bot's name and its level


class NoSuchBot(Exception):
    """Raised if a bot cannot be found or loaded. The exception's text says why."""


@cache
def all_bots() -> dict[str, type[Bot]]:
    """Returns every bot that has a name: the house bots and those of plug-ins.

    Returns:
        The classes by name, in alphabetical order of the names.

    Raises:
        PluginBroken: A plug-in cannot be loaded, or two bots have the same name.
    """
    names = sorted(info.name for info in pkgutil.iter_modules(bots.__path__) if info.ispkg)
    own = (getattr(importlib.import_module(f"bots.{name}"), "BOTS", {}) for name in names)
    found: dict[str, type[Bot]] = {}
    for several in chain(own, plugin_attributes("magehall.bots", "BOTS")):
        for name, kind in several.items():
            if found.setdefault(name, kind) is not kind:
                raise PluginError(_("Two bots are called {bot}.", bot=name))
    return dict(sorted(found.items()))


def get_bot(spec: str, options: Mapping[str, Any] | None = None) -> type[Bot]:
    """Returns a bot's class.

    Args:
        spec: A name, `path.py:Class`, or `cmd:` followed by a program's command line.
        options: Keyword arguments for the bot's constructor.

    Returns:
        The class. If options are given, a subclass that passes them to the bot's constructor.

    Raises:
        NoSuchBot: The bot cannot be found or loaded.
        TypeError: The bot does not take these options.
    """
    kind = _named(spec)
    if not options:
        return kind
    signature(kind).bind(0, **options)

    def make(self: Bot, seed: int) -> None:
        kind.__init__(self, seed, **options)

    return type(kind.__name__, (kind,), {"__init__": make, "__doc__": kind.__doc__})


def parse_bot_options(given: Iterable[str]) -> dict[str, Any]:
    """Parses the options for a bot on a command line.

    Args:
        given: Options written as NAME=VALUE. A value that is not valid JSON is taken as a string.

    Returns:
        The values by name.

    Raises:
        ValueError: An option has no `=`.
    """
    options: dict[str, Any] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals:
            raise ValueError(_("an option is NAME=VALUE, not {one!r}", one=one))
        try:
            options[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            options[name] = value
    return options


def _named(spec: str) -> type[Bot]:
    if spec.startswith(COMMAND):
        try:
            return program(spec.removeprefix(COMMAND))
        except ValueError as error:
            raise NoSuchBot(str(error)) from None
    path = bot_file_path(spec)
    if path is not None:
        return _from_file(path, *spec.rsplit(":", 1))
    known = all_bots()
    if spec not in known:
        raise NoSuchBot(
            _(
                "There is no bot {spec!r}; there are: {listed}, or your own as path.py:Class or cmd:program.",
                spec=spec,
                listed=", ".join(known),
            )
        )
    return known[spec]


def bot_plays(kind: type[Bot], game_id: str) -> bool:
    """Returns whether a bot plays a game.

    Args:
        kind: The class of the bot. A bot without a list of games plays all games.
        game_id: The id of the game.

    Returns:
        True if the bot plays the game.
    """
    return not kind.games or game_id in kind.games


def check_plays(name: str, kind: type[Bot], game_id: str) -> None:
    """Raises an error if a bot does not play a game.

    Args:
        name: The bot's name, for the error.
        kind: The class of the bot.
        game_id: The id of the game.

    Raises:
        ValueError: The bot does not play the game. The exception's text is a sentence for the user.
    """
    if not bot_plays(kind, game_id):
        listed = ", ".join(kind.games)
        raise ValueError(_("{name} does not play {game}; it plays: {listed}.", name=name, game=game_id, listed=listed))


def bot_file_path(spec: str) -> Path | None:
    """Returns the path of the file if `spec` is `path.py:Class`; None for any other way to give a bot. Raises NoSuchBot
    if the file does not exist."""
    if ":" not in spec or spec.startswith(COMMAND):
        return None
    # A bot's name with a level. Absolute paths are not looked up, because the first call of `all_bots` is slow.
    if not spec.startswith("/") and spec.partition(":")[0] in all_bots():
        return None
    path_text = spec.rpartition(":")[0]
    if not Path(path_text).is_file():
        raise NoSuchBot(_("There is no file {path!r} for the bot {spec!r}.", path=path_text, spec=spec))
    return Path(path_text)


def bot_name_or_random(game_id: str, wanted: str) -> str:
    """Returns the name `wanted` if that bot exists and plays the game, otherwise "random"."""
    kind = all_bots().get(wanted)
    return wanted if kind is not None and bot_plays(kind, game_id) else "random"


def bot_or_random(game_id: str, wanted: str) -> type[Bot]:
    """Returns the class of the bot `wanted` if it exists and plays the game, otherwise that of `random`."""
    return all_bots()[bot_name_or_random(game_id, wanted)]


def _from_file(path: Path, path_text: str, class_name: str) -> type[Bot]:
    module_spec = importlib.util.spec_from_file_location(f"magehall_bot_{path.stem}", path)
    if module_spec is None or module_spec.loader is None:
        raise NoSuchBot(_("{path!r} is no Python file.", path=path_text))
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[module_spec.name] = module
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # the bot can import modules beside it; as the folder is last, they hide none of ours
    try:
        module_spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise NoSuchBot(
            _(
                "{path} fails to load: {kind}: {error}",
                path=path_text,
                kind=type(error).__name__,
                error=error,
            )
        ) from error
    kind = getattr(module, class_name, None)
    if not isinstance(kind, type) or not issubclass(kind, Bot):
        raise NoSuchBot(
            _(
                "{path} has no class {name!r} that is a magehall.Bot.",
                path=path_text,
                name=class_name,
            )
        )
    return kind
