"""Plain values as one of several types."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec


def converted(plain: Any, kind: Any, name: str = "value") -> Any:
    """The value as that type, which msgspec prepares once: a bare union takes it a millisecond at every conversion.
    Raises msgspec.ValidationError, whose text begins its path with that name."""
    return getattr(msgspec.convert({name: plain}, _holder(kind, name)), name)


@cache
def _holder(kind: Any, name: str) -> Any:
    return msgspec.defstruct("Holder", [(name, kind)])
