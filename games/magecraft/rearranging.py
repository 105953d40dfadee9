"""Finds the actions of a revision that turn three books into three other books."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from games.api import Action
from games.magecraft.moves import Lift, Master, Put

Shelf = list[list[tuple[str, bool]]]  # three books of spells by name, with a flag for mastered
BookSpot: TypeAlias = tuple[int, int]  # a book and a place in it, both from 0


def find_rearrangement(books: Shelf, wanted: Sequence[Sequence[tuple[str, bool]]]) -> list[Action]:
    """Returns the actions that turn `books` into `wanted`, which must contain the same spells.

    It builds the books from left to right and lifts each spell at most once. Then it masters as few spells as possible.
    """
    # the books with the old spot of each spell, which identifies it
    now = [[(at, place) for place in range(len(book))] for at, book in enumerate(books)]
    goes = _chosen(books, wanted)
    found: list[Action] = []
    masters: list[Action] = []
    for at, target in enumerate(wanted):
        for place, (_name, mastered) in enumerate(target):
            spell = goes[at, place]
            if place >= len(now[at]) or now[at][place] != spell:
                source = next(number for number, book in enumerate(now) if spell in book)
                index = now[source].index(spell)
                found += [Lift(source + 1, index + 1), Put(at + 1, place + 1)]
                now[at].insert(place, now[source].pop(index))
            if mastered and not books[spell[0]][spell[1]][1]:
                masters.append(Master(at + 1, place + 1))
    return found + masters


def _chosen(books: Shelf, wanted: Sequence[Sequence[tuple[str, bool]]]) -> dict[BookSpot, BookSpot]:
    """Returns, for each wanted spot, the old spot of the spell that goes there. Spells that are mastered already go to
    spots that want a mastered one, and few spells move."""
    free = {(at, place): spell for at, book in enumerate(books) for place, spell in enumerate(book)}
    spots = {(at, place): spell for at, book in enumerate(wanted) for place, spell in enumerate(book)}
    chosen: dict[BookSpot, BookSpot] = {}
    for mastered, stays in ((True, True), (True, False), (False, True), (False, False)):
        for spot, (name, asked) in spots.items():
            if spot in chosen or (mastered and not asked):
                continue
            fits = (
                one
                for one, (other, is_so) in free.items()
                if other == name and (is_so or not mastered) and (one == spot or not stays)
            )
            if (one := next(fits, None)) is not None:
                chosen[spot] = one
                del free[one]
    return chosen
