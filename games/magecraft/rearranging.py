"""The lifts and puts that turn three books into three others."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import Action
from games.magecraft.moves import Lift, Master, Put

Shelf = list[list[tuple[str, bool]]]  # three books of spells by name; mastered or not


def rearrangement(books: Shelf, wanted: Sequence[Sequence[tuple[str, bool]]]) -> list[Action]:
    """Builds the wanted books from left to right, each spell lifted at most once; then masters those that are wanted
    mastered and are not. Both hold the same spells by name.
    """
    now = [list(book) for book in books]
    found: list[Action] = []
    masters: list[Action] = []
    for at, target in enumerate(wanted):
        for place, (name, mastered) in enumerate(target):
            if place >= len(now[at]) or now[at][place][0] != name:
                source, index = _loose(now, wanted, at, place, name)
                found += [Lift(source + 1, index + 1), Put(at + 1, place + 1)]
                now[at].insert(place, now[source].pop(index))
            if mastered and not now[at][place][1]:
                masters.append(Master(at + 1, place + 1))
    return found + masters


def _loose(now: Shelf, wanted: Sequence[Sequence[object]], at: int, place: int, name: str) -> tuple[int, int]:
    """Where a copy of the spell stands that no finished place needs."""
    for source, book in enumerate(now):
        if source < at:
            first = len(wanted[source])
        else:
            first = place if source == at else 0
        for index in range(first, len(book)):
            if book[index][0] == name:
                return source, index
    raise ValueError(f"there is no loose {name}")
