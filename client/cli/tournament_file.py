"""Reads a tournament's settings from a TOML file: entrants, options, clock, format, deals. The command line overrides
them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import typer

from client.exit_codes import MISUSED, exit_with_error
from client.language import _
from client.tournament.specs import SETTINGS

SUFFIX = ".toml"
BOTS, OPTIONS, GAME = "bots", "options", "game"
NEVER_IN_A_FILE = {"help", "secret", "data", "json", "report", "csv", "unconfined", "bot", "option"}
_KEPT = "magehall.tournament_file"
_ENTRANT = ("bot", "label", *(name for name in SETTINGS if name != "option.NAME"), "option")


def load_tournament_file(context: typer.Context, value: str) -> str:
    """Reads the TOML file if the argument GAME names one, and makes its settings the defaults of the command's options.

    This is the callback of the argument GAME, which must be eager so that the callback runs before the other options
    are read.

    Args:
        context: The context of the command whose options the file sets.
        value: The typed value: a game's id or title, or a path that ends in `.toml`.

    Returns:
        The game's id or title; "" if the file names no game, because the bots' games then decide.
    """
    if not value.lower().endswith(SUFFIX):
        return value
    file = Path(value)
    game, settings = _read(file, context)
    context.default_map = settings
    context.meta[_KEPT] = file.absolute()
    return game


def bots_folder(context: typer.Context) -> Path:
    """Returns the folder from which relative paths of bots start: that of the TOML file, or the current one if --bot
    was typed."""
    file: Path | None = context.meta.get(_KEPT)
    source = context.get_parameter_source("bot")
    return file.parent if file is not None and source is not None and source.name == "DEFAULT_MAP" else Path.cwd()


def _read(file: Path, context: typer.Context) -> tuple[str, dict[str, Any]]:
    """Returns the game in the file, and the file's values by parameter name of the command."""
    try:
        told = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        exit_with_error(_("{file} cannot be read: {strerror}.", file=file, strerror=error.strerror), MISUSED)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        exit_with_error(_("{file} is not valid TOML: {error}.", file=file, error=str(error).rstrip(".")), MISUSED)
    known = {
        option.removeprefix("--").replace("-", "_"): parameter
        for parameter in context.command.params
        for option in parameter.opts
        if option.startswith("--")
    }
    keys = [GAME, BOTS, OPTIONS, *(key for key in known if key not in NEVER_IN_A_FILE)]
    settings: dict[str, Any] = {}
    for key, value in told.items():
        if key in NEVER_IN_A_FILE and key in known and key not in ("bot", "option"):
            exit_with_error(
                _("{file}: {key} is given on the command line only, as --{key}.", file=file, key=key), MISUSED
            )
        if key not in keys:
            _unknown(file, key, keys)
        if key == BOTS:
            settings["bot"] = _entrants(file, value)
        elif key == OPTIONS:
            settings["option"] = _options(file, value)
        elif key == GAME:
            _check_kind(file, key, value, str)
        else:
            parameter = known[key]
            # typer's name of the type is "integer range" or "int range", depending on its version
            kind = parameter.type.name
            _check_kind(file, key, value, int if kind.startswith("int") else bool if kind.startswith("bool") else str)
            settings[str(parameter.name)] = value
    return told.get(GAME, ""), settings


def _entrants(file: Path, value: object) -> list[str]:
    """Returns the entrants in the form that --bot takes. In the file each entrant is a text of that form, or a
    table."""
    if not isinstance(value, list) or not value:
        exit_with_error(
            _('{file}: {key} is a list, such as {key} = ["greedy", "random"].', file=file, key=BOTS), MISUSED
        )
    return [one if isinstance(one, str) else _entrant(file, one) for one in value]


def _entrant(file: Path, value: object) -> str:
    if not isinstance(value, dict) or not isinstance(value.get("bot"), str):
        exit_with_error(_('{file}: each entrant is a text, or a table with bot = "...".', file=file), MISUSED)
    settings = ""
    for key, setting in value.items():
        if key not in _ENTRANT:
            _unknown(file, key, _ENTRANT)
        if key == "option":
            settings += "".join(f",option.{one}" for one in _options(file, setting))
        elif key in SETTINGS:
            _check_kind(file, key, setting, (str, int))
            settings += f",{key}={setting}"
    label = value.get("label")
    named = f"{label}=" if label is not None else ""
    return f"{named}{value['bot']}{settings}"


def _options(file: Path, value: object) -> list[str]:
    """Returns the options as a list of NAME=VALUE texts, the form that --option takes."""
    if not isinstance(value, Mapping):
        exit_with_error(_("{file}: options is a table, such as options = {{ rounds = 2 }}.", file=file), MISUSED)
    return [f"{name}={one if isinstance(one, str) else _json(file, name, one)}" for name, one in value.items()]


def _json(file: Path, name: str, value: object) -> str:
    if not isinstance(value, bool | int | float | list):
        exit_with_error(_("{file}: {key} has a value that no option takes.", file=file, key=name), MISUSED)
    return msgspec.json.encode(value).decode()


def _check_kind(file: Path, key: str, value: object, kind: type | tuple[type, ...]) -> None:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        shown = {int: "7", bool: "true"}.get(kind, '"..."') if isinstance(kind, type) else '"..."'
        exit_with_error(_("{file}: {key} is written as {key} = {shown}.", file=file, key=key, shown=shown), MISUSED)


def _unknown(file: Path, key: str, known: Sequence[str]) -> NoReturn:
    like = get_close_matches(key, known, 1)
    hint = _(" Do you mean {like}?", like=like[0]) if like else ""
    listed = ", ".join(known)
    exit_with_error(
        _(
            "{file}: there is no setting {key!r}.{hint} There are: {listed}.",
            file=file,
            key=key,
            hint=hint,
            listed=listed,
        ),
        MISUSED,
    )
