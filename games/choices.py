"""Lists the possible values of a game's options, as their types define them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import inspect

from games.language import _

MOST = 16  # the longest range of whole numbers that is listed number by number


def option_choices(options: type[msgspec.Struct]) -> dict[str, list[Any]]:
    """Returns the possible values of each option by its name, the default first; [] for an option with too many values
    to list."""
    described = inspect.type_info(options)
    assert isinstance(described, inspect.StructType)
    return {field.name: _from(field.default, _values(field.type)) for field in described.fields}


def invalid_option_text(options: type[msgspec.Struct], given: Mapping[str, Any]) -> str:
    """Returns a sentence about the first option whose given value is not one of its possible values; "" if all values
    fit."""
    for name, values in option_choices(options).items():
        fitting = [value for value in values if type(value) is type(given.get(name)) and value == given[name]]
        if values and name in given and not fitting:
            listed = ", ".join(map(option_value_text, values))
            return _(
                "{name} takes {listed}, not {value}",
                name=name,
                listed=listed,
                value=json.dumps(given[name], default=repr)[:32],
            )
    return ""


def option_value_text(value: Any) -> str:
    """Returns an option's value as people type it."""
    return value if isinstance(value, str) else json.dumps(value)


def _values(kind: inspect.Type) -> list[Any]:
    if isinstance(kind, inspect.Metadata):
        return _values(kind.type)
    if isinstance(kind, inspect.UnionType):
        return [value for one in kind.types for value in _values(one)]
    if isinstance(kind, inspect.BoolType):
        return [False, True]
    if isinstance(kind, inspect.LiteralType):
        return list(kind.values)
    if isinstance(kind, inspect.IntType) and kind.ge is not None and kind.le is not None and kind.le - kind.ge < MOST:
        return list(range(kind.ge, kind.le + 1))
    return []


def _from(default: Any, values: list[Any]) -> list[Any]:
    return [value for value in values if value == default] + [value for value in values if value != default]
