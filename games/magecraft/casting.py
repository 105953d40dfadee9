"""Casts spells: pays the cost from the mage's hand, and then gives the turn the icons of the spell to use (rules 3)."""

from __future__ import annotations

from games.api import AddressedEvent, to_all
from games.magecraft.cards import Spell
from games.magecraft.events import GoldKept, GoldLost, InnateCast, Paid, SpellCast
from games.magecraft.mage import Mage, gem_names
from games.magecraft.moves import GEM_AT, GEMS, Cast, Innate, Pay
from games.magecraft.payment import can_gold_pay, forced_whole_hand, pay_colours, pay_wild
from games.magecraft.truth import MagecraftTruth
from games.magecraft.turn import ICON, NO_GOLD, PAY, TurnProgress


def cast_spell(truth: MagecraftTruth, action: Cast, mage: Mage, told: list[AddressedEvent]) -> None:
    """Casts the next spell of a book, from left to right."""
    turn, book = truth.turn, action.book
    copy = mage.books[book - 1][turn.place]
    spell = truth.cards.spells[copy >> 1]
    turn.book, turn.place = book, turn.place + 1
    if turn.gold != NO_GOLD and not can_gold_pay(turn.gold, spell):
        discard_gold(turn, mage, told)
    gold = "" if turn.gold == NO_GOLD else GEMS[turn.gold]
    paid = pay_colours(spell, turn, mage, mastered=bool(copy & 1))
    told.append(to_all(SpellCast(mage.seat, book, spell.name, gem_names(*paid), gold)))
    _pay_with_the_whole_hand(turn, mage, told)
    if turn.gold != NO_GOLD:
        told.append(to_all(GoldKept(mage.seat, gem_names(turn.gold)[0])))
    _go_on(spell, turn)


def innate_spell(truth: MagecraftTruth, mage: Mage) -> Spell:
    return truth.cards.characters[mage.character].innate


def cast_innate(truth: MagecraftTruth, action: Innate, mage: Mage, told: list[AddressedEvent]) -> None:
    """Casts the character's innate spell. It does not use the golden gem, which stays for the next spell of the
    book."""
    turn, spell = truth.turn, innate_spell(truth, mage)
    turn.innate_used = True
    gold, turn.gold = turn.gold, NO_GOLD
    paid = pay_colours(spell, turn, mage, mastered=False)
    turn.gold = gold
    told.append(to_all(InnateCast(mage.seat, spell.name, gem_names(*paid))))
    _pay_with_the_whole_hand(turn, mage, told)
    _go_on(spell, turn)


def pay_wild_symbol(truth: MagecraftTruth, action: Pay, mage: Mage, told: list[AddressedEvent]) -> None:
    """Pays one wild symbol with the chosen gem. If the remaining wild symbols then need every gem of the hand, they are
    paid, too."""
    turn, gem = truth.turn, GEM_AT[action.gem]
    kept = turn.keep_next
    pay_wild(gem, turn, mage)
    told.append(to_all(Paid(mage.seat, gem_names(gem))))
    if kept:
        told.append(to_all(GoldKept(mage.seat, gem_names(gem)[0])))
    _pay_with_the_whole_hand(turn, mage, told)
    if not turn.to_pay:
        turn.phase = ICON


def discard_gold(turn: TurnProgress, mage: Mage, told: list[AddressedEvent]) -> None:
    """Discards the golden gem. The caller calls `mage.touch`."""
    mage.discard[turn.gold] += 1
    told.append(to_all(GoldLost(mage.seat, gem_names(turn.gold)[0])))
    turn.gold = NO_GOLD


def _pay_with_the_whole_hand(turn: TurnProgress, mage: Mage, told: list[AddressedEvent]) -> None:
    """Pays all remaining wild symbols if they need every gem of the hand.

    These gems are in an event of their own. So the exam notices if the kinds of gems ever decide whether the player has
    to choose.
    """
    gems = forced_whole_hand(turn, mage)
    for gem in gems:
        pay_wild(gem, turn, mage)
    if gems:
        told.append(to_all(Paid(mage.seat, gem_names(*gems))))


def _go_on(spell: Spell, turn: TurnProgress) -> None:
    turn.icons = list(spell.icons)
    turn.phase = PAY if turn.to_pay else ICON
