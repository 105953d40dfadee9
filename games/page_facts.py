"""A number with its name, as the templates of several games show it."""

from __future__ import annotations

import msgspec


class Fact(msgspec.Struct, frozen=True):
    """A number with its name, such as the power of a fighter."""

    name: str
    value: str
    style: str = ""  # one of `games.api.STYLES`
