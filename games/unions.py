"""Converts plain data to a type, which may be a union of several types."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec


def convert_union(plain: Any, kind: Any, name: str = "value") -> Any:
    """Converts plain data to a type.

    The type may be a bare union. msgspec needs a millisecond to prepare a union, so the prepared type is cached.

    Args:
        plain: Maps, lists, strings and numbers.
        kind: The type, or a union of types.
        name: The first word of the path in an error text.

    Returns:
        The typed value.

    Raises:
        msgspec.ValidationError: The data does not fit the type.
    """
    return getattr(msgspec.convert({name: plain}, _holder(kind, name)), name)


@cache
def _holder(kind: Any, name: str) -> Any:
    return msgspec.defstruct("Holder", [(name, kind)])
