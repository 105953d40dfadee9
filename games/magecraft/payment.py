"""Pays for spells: coloured symbols and the golden gem automatically, wild symbols by choice."""

from __future__ import annotations

from games.magecraft.cards import WILD, Spell
from games.magecraft.mage import KINDS, Mage
from games.magecraft.moves import COLOURS
from games.magecraft.turn import NO_GOLD, TurnProgress


def can_gold_pay(gold: int, spell: Spell) -> bool:
    """Returns whether the golden gem can pay for one of the symbols of the spell."""
    return spell.wilds > 0 or (gold < COLOURS and spell.needs[gold] > 0)


def pay_colours(spell: Spell, turn: TurnProgress, mage: Mage, *, mastered: bool) -> list[int]:
    """Pays all coloured symbols, sets `turn.to_pay` to the number of wild symbols that are left, and returns the gems
    that left the hand.

    A golden gem pays first: for a symbol of its colour, else for the leftmost wild symbol. The player has no choice
    here, because with the cards of this package no other use is better.
    """
    needs, wilds = list(spell.needs), spell.wilds
    used, turn.gold = turn.gold, NO_GOLD
    leftmost = spell.cost[0]
    keep = leftmost if mastered and leftmost != WILD else NO_GOLD
    turn.keep_next = mastered and leftmost == WILD
    discard = mage.discard
    if used != NO_GOLD:
        discard[used] += 1
        if used < COLOURS and needs[used]:
            needs[used] -= 1
        else:
            wilds -= 1
            if turn.keep_next:
                keep, turn.keep_next = used, False
    paid = [colour for colour in range(COLOURS) for _ in range(needs[colour])]
    for gem in paid:
        mage.remove_from_hand(gem)
        discard[gem] += 1
    if keep != NO_GOLD:
        discard[keep] -= 1
        turn.gold = keep
    mage.invalidate_views()
    turn.to_pay = wilds
    return paid


def pay_wild(gem: int, turn: TurnProgress, mage: Mage) -> None:
    """Pays the next wild symbol. The gem that pays the leftmost symbol of a mastered spell becomes the golden gem."""
    mage.remove_from_hand(gem)
    turn.to_pay -= 1
    if turn.keep_next:
        turn.gold, turn.keep_next = gem, False
    else:
        mage.discard[gem] += 1


def forced_whole_hand(turn: TurnProgress, mage: Mage) -> list[int]:
    """Returns the gems of the hand if the remaining wild symbols need all of them and the player need not choose which
    one becomes the golden gem; else [].

    The result depends only on the size of the hand, which is public. So others learn nothing about the gems when they
    see whether the player has to choose (rule 8.4).
    """
    if turn.to_pay != sum(mage.hand) or (turn.keep_next and turn.to_pay > 1):
        return []
    return [gem for gem in range(KINDS) for _ in range(mage.hand[gem])]
