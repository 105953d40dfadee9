"""What the options of a game's tables can be, from their types."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import inspect

from games.language import _

MOST = 16  # of a span of whole numbers that is listed number by number


def choices(options: type[msgspec.Struct]) -> dict[str, list[Any]]:
    """By option, every value that it takes, the default first; none for one that takes more than can be listed."""
    described = inspect.type_info(options)
    assert isinstance(described, inspect.StructType)
    return {field.name: _from(field.default, _values(field.type)) for field in described.fields}


def misfit(options: type[msgspec.Struct], given: Mapping[str, Any]) -> str:
    """A sentence on the first of these options that has a value which it does not take; "" where none can be named."""
    for name, values in choices(options).items():
        fitting = [value for value in values if type(value) is type(given.get(name)) and value == given[name]]
        if values and name in given and not fitting:
            listed = ", ".join(map(written, values))
            return _(
                "{name} takes {listed}, not {value}",
                name=name,
                listed=listed,
                value=json.dumps(given[name], default=repr)[:32],
            )
    return ""


def written(value: Any) -> str:
    """A value of an option as it is typed."""
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
