"""Calculations with gems for bots: the probability of each hand, and payments."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import comb

from games.magecraft.cards import CardSet, Spell
from games.magecraft.figures import MageFigures
from games.magecraft.moves import COLOURS

KINDS = COLOURS + 1


@lru_cache(maxsize=8)
def full_bag_hands(mages: MageFigures) -> list[tuple[tuple[int, ...], float]]:
    """Returns every hand that can be drawn from a full bag, with its probability."""
    bag = mages.bag.gem_counts[:COLOURS]
    hand, found = min(mages.hand, sum(bag)), []
    for counts in product(*[range(each + 1) for each in bag]):
        if sum(counts) == hand:
            ways = 1
            for each, count in zip(bag, counts, strict=True):
                ways *= comb(each, count)
            found.append(((*counts, 0), ways / comb(sum(bag), hand)))
    return found


def pay_spell(spell: Spell, hand: list[int], wanted_gems: Sequence[int]) -> bool:
    """Pays for a spell from the hand, with the least wanted gems for wild symbols. Returns False if the hand cannot
    pay; some of its gems may then be gone."""
    for colour in range(COLOURS):
        hand[colour] -= spell.needs[colour]
        if hand[colour] < 0:
            return False
    for _ in range(spell.wilds):
        if not any(hand):
            return False
        hand[least_wanted_gem(hand, wanted_gems)] -= 1
    return True


def least_wanted_gem(hand: Sequence[int], wanted_gems: Sequence[int]) -> int:
    """Returns the kind of gem in the hand that is least wanted. The hand must contain a gem.

    This is darkness, because no symbol asks for it, else the colour with the largest surplus over `wanted_gems`. Among
    equal ones it is the later one in GEMS.
    """
    if hand[COLOURS]:
        return COLOURS
    return max([(hand[gem] - wanted_gems[gem], gem) for gem in range(COLOURS) if hand[gem]])[1]


def wanted_gems(cards: CardSet, book: Sequence[int], place: int) -> list[int]:
    """Returns the number of gems of each kind that the next two spells of a book need, from `place` on.

    A book is a list of copies. A copy is twice the spell's index, plus 1 if it is mastered.
    """
    need = [0] * KINDS
    for copy in book[place : place + 2]:
        for colour, count in enumerate(cards.spells[copy >> 1].needs):
            need[colour] += count
    return need
