"""How a spell is paid: coloured symbols and the golden gem by themselves, wild ones by choice."""

from __future__ import annotations

from games.magecraft.cards import WILD, Spell
from games.magecraft.mage import KINDS, Mage
from games.magecraft.moves import COLOURS
from games.magecraft.turn import NO_GOLD, Turn


def gold_pays(gold: int, spell: Spell) -> bool:
    """Whether the golden gem can pay for some symbol of the spell."""
    return spell.wilds > 0 or (gold < COLOURS and spell.needs[gold] > 0)


def pay_colours(spell: Spell, turn: Turn, mage: Mage, *, mastered: bool) -> list[int]:
    """Pays every coloured symbol and leaves the wild ones in `turn.to_pay`; returns the gems from the hand.

    The golden gem, if there is one, pays first: a symbol of its colour, else the leftmost wild symbol. No other use
    of it could leave its owner better off with the cards of this folder, so it is not asked for.
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


def pay_wild(gem: int, turn: Turn, mage: Mage) -> None:
    """Pays the next wild symbol; the gem that pays the leftmost symbol of a mastered spell turns to gold."""
    mage.lose(gem)
    turn.to_pay -= 1
    if turn.keep_next:
        turn.gold, turn.keep_next = gem, False
    else:
        mage.discard[gem] += 1


def whole_hand(turn: Turn, mage: Mage) -> list[int]:
    """The gems of the hand if the wild symbols left take all of them and none can turn to gold in place of another.

    The size of the hand decides, which everybody knows: being asked says nothing about the gems (rule 8.4).
    """
    if turn.to_pay != sum(mage.hand) or (turn.keep_next and turn.to_pay > 1):
        return []
    return [gem for gem in range(KINDS) for _ in range(mage.hand[gem])]
