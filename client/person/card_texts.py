"""Cards for people: found by name, title or their beginning, written in two lines. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import Card


def find_cards(cards: Sequence[Card], name: str) -> list[Card]:
    """The card of that name or title, else those whose name or title begins so; all cards for ""."""
    wanted = _folded(name)
    exact = [card for card in cards if wanted in (_folded(card.name), _folded(card.title))]
    return exact or [
        card for card in cards if _folded(card.name).startswith(wanted) or _folded(card.title).startswith(wanted)
    ]


def _folded(name: str) -> str:
    return name.lower().replace("_", " ").replace("-", " ")


def card_lines(card: Card) -> list[str]:
    """One card for people."""
    facts = "".join(f", {name} {value}" for name, value in card.facts.items())
    copies = f", {card.count} copies" if card.count != 1 else ""
    return [f"{card.title} ({card.name}): {card.kind}{facts}{copies}", f"  {card.text}"]
