"""Pays for spells: coloured symbols and the golden gem automatically, wild symbols by choice."""

from __future__ import annotations

from games.magecraft.cards import WILD, Spell
from games.magecraft.mage import KINDS, Mage
from games.magecraft.moves import COLOURS
from games.magecraft.turn import NO_GOLD, TurnProgress


def gold_pays(gold: int, spell: Spell) -> bool:
    """Returns whether the golden gem can pay for a symbol of the spell."""
    return spell.wilds > 0 or (gold < COLOURS and spell.needs[gold] > 0)


def pay_colours(spell: Spell, turn: TurnProgress, mage: Mage, *, mastered: bool) -> list[int]:
    """Pays all coloured symbols, sets `turn.to_pay` to the number of wild ones, and returns the gems from the hand.

    A golden gem pays first: for a symbol of its colour, else for the leftmost wild symbol. The player is not asked,
    because with the cards of this folder no other use is better.
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
        mage.lose(gem)
        discard[gem] += 1
    if keep != NO_GOLD:
        discard[keep] -= 1
        turn.gold = keep
    mage.touch()
    turn.to_pay = wilds
    return paid


def pay_wild(gem: int, turn: TurnProgress, mage: Mage) -> None:
    """Pays the next wild symbol. The gem that pays the leftmost symbol of a mastered spell becomes the golden gem."""
    mage.lose(gem)
    turn.to_pay -= 1
    if turn.keep_next:
        turn.gold, turn.keep_next = gem, False
    else:
        mage.discard[gem] += 1


def whole_hand(turn: TurnProgress, mage: Mage) -> list[int]:
    """Returns the gems of the hand if the remaining wild symbols take all of them and the choice of a golden gem is not
    open; else [].

    This depends on the size of the hand only, which is public. So whether the player is asked says nothing about the
    gems (rule 8.4).
    """
    if turn.to_pay != sum(mage.hand) or (turn.keep_next and turn.to_pay > 1):
        return []
    return [gem for gem in range(KINDS) for _ in range(mage.hand[gem])]
