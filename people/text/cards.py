"""Finds cards by a typed name, or by its first letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from languages import strip_accents


class Titled(Protocol):
    """A card with the name that actions use, and with a title and a text for people."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def text(self) -> str: ...


Found = TypeVar("Found", bound=Titled)


def find_cards(cards: Sequence[Found], name: str) -> list[Found]:
    """Returns the cards whose name or title equals `name`, otherwise those whose name or title begins with it; all
    cards for ""."""
    wanted = _folded(name)
    exact = [card for card in cards if wanted in (_folded(card.name), _folded(card.title))]
    return exact or [
        card for card in cards if _folded(card.name).startswith(wanted) or _folded(card.title).startswith(wanted)
    ]


def _folded(name: str) -> str:
    return strip_accents(name).replace("_", " ").replace("-", " ")
