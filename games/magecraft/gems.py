"""Hands of gems, as a bot reckons with them: which come from a fresh bag, and what they pay for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import comb

from games.magecraft.cards import CardSet, Spell
from games.magecraft.figures import Mages
from games.magecraft.moves import COLOURS

KINDS = COLOURS + 1


@lru_cache(maxsize=8)
def fresh_hands(mages: Mages) -> list[tuple[tuple[int, ...], float]]:
    """Every hand of four colours from a fresh bag, and how likely it is."""
    bag = mages.bag.counts[:COLOURS]
    hand, found = min(mages.hand, sum(bag)), []
    for counts in product(*[range(each + 1) for each in bag]):
        if sum(counts) == hand:
            ways = 1
            for each, count in zip(bag, counts, strict=True):
                ways *= comb(each, count)
            found.append(((*counts, 0), ways / comb(sum(bag), hand)))
    return found


def pay(spell: Spell, hand: list[int], wanted: Sequence[int]) -> bool:
    """Pays from the hand, wild symbols with what is least wanted later; False, and a spoilt hand, if it cannot."""
    for colour in range(COLOURS):
        hand[colour] -= spell.needs[colour]
        if hand[colour] < 0:
            return False
    for _ in range(spell.wilds):
        if not any(hand):
            return False
        hand[spare_gem(hand, wanted)] -= 1
    return True


def spare_gem(hand: Sequence[int], wanted: Sequence[int]) -> int:
    """The kind of gem that is least wanted in a hand that is not empty: darkness, as no symbol asks for it, or that of
    which most is left beside what is wanted; of two equals the later in the order of GEMS."""
    if hand[COLOURS]:
        return COLOURS
    return max([(hand[gem] - wanted[gem], gem) for gem in range(COLOURS) if hand[gem]])[1]


def wanted(cards: CardSet, book: Sequence[int], place: int) -> list[int]:
    """The colours that the next two spells of a book ask for, from that place on; it is written as copies: twice the
    spell's index, plus one if mastered."""
    need = [0] * KINDS
    for copy in book[place : place + 2]:
        for colour, count in enumerate(cards.spells[copy >> 1].needs):
            need[colour] += count
    return need
