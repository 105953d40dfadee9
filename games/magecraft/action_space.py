"""Lists every action of a card file in a fixed order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from games.api import Action
from games.magecraft import moves as do
from games.magecraft.cards import CardSet
from games.magecraft.moves import BOOKS
from games.magecraft.options import MagecraftOptions
from games.magecraft.revision import LIFTS, MASTERS, PLACES, PUTS


@lru_cache(maxsize=64)
def all_actions(cards: CardSet, seats: int, options: MagecraftOptions) -> Sequence[Action]:
    """Returns every action that can ever be legal.

    If players choose their boards, the actions that take a board come first. The others are in the order of `moves.py`,
    each kind by seat, gem, spell, book and place. The largest place in a book is the number of spells that one mage can
    own.
    """
    found: list[Action] = []
    if options.boards == "chosen":
        found += [do.Take(person.name) for person in cards.characters]
    found += [*do.DISCARDS, *do.UNSHIELDS, *do.CASTS, do.INNATE, *do.PAYS, do.DRAW]
    found += [attack for attacks in do.ATTACKS[1 : seats + 1] for attack in attacks]
    found += [*do.HEALS, *do.ACADEMY_SHIELDS, *do.DISCARD_SHIELDS, *do.HAND_VANISHES, *do.LIFE_VANISHES]
    found += do.DARKENS[1 : seats + 1]
    found += [learn for kind in ("base", "academy") for spell in cards.spells_of_kind(kind) for learn in spell.learns]
    found.append(do.REVISE)
    places = max_spells(cards, seats)
    for rearranging in (LIFTS, PUTS, *([MASTERS] if options.mastery else [])):
        found += [action for book in BOOKS for action in rearranging[book - 1][:places]]
    return (*found, do.DONE, do.END)


def max_spells(cards: CardSet, seats: int) -> int:
    """Returns the number of spells that one mage can own, which is also the largest place in a book."""
    mages = cards.mages
    return min(mages.starters + (mages.base + mages.offered) * cards.tables[seats].copies, len(PLACES))
