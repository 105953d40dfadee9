"""The spell phase: what a mage may do with a hand before the turn ends, and why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from games.api import Action, IllegalAction
from games.magecraft import moves as do
from games.magecraft.cards import Spell, affordable, hand_key
from games.magecraft.casting import innate_of
from games.magecraft.mage import KINDS, Mage
from games.magecraft.moves import BOOKS, GEM_AT
from games.magecraft.revision import GEMS_TO_REVISE
from games.magecraft.turn import NO_GOLD, Turn

if TYPE_CHECKING:
    from games.magecraft.rules import MagecraftState

SpellPhaseAction: TypeAlias = do.Cast | do.Innate | do.Learn | do.Revise | do.Unshield | do.End

# A golden gem as one gem more in a packed hand.
_ONE_MORE = tuple(hand_key(gem == 0, gem == 1, gem == 2, gem == 3, 1) for gem in range(KINDS))


def choices(state: MagecraftState, turn: Turn, mage: Mage) -> list[Action]:
    """Everything that the hand, the books and the Academy allow (rules 2, 3 and 5)."""
    found: list[Action] = []
    if not turn.started:
        shield = mage.shield
        found += [do.UNSHIELDS[gem] for gem in range(KINDS) if shield[gem]]
    spells, hand = state.cards.spells, mage.hand_key()
    if turn.book:
        with_gold = hand if turn.gold == NO_GOLD else hand + _ONE_MORE[turn.gold]
        copies = mage.books[turn.book - 1]
        if turn.place < len(copies) and affordable(with_gold, spells[copies[turn.place] >> 1].key):
            found.append(do.CASTS[turn.book - 1])
    else:
        for cast, copies in zip(do.CASTS, mage.books, strict=True):
            if copies and affordable(hand, spells[copies[0] >> 1].key):
                found.append(cast)
    if not turn.innate_used and affordable(hand, innate_of(state, mage).key):
        found.append(do.INNATE)
    academy = state.academy
    for spell, left in zip(academy.spells, academy.left, strict=True):
        if left and affordable(hand, spell.key):
            found += spell.learns
    if sum(mage.hand) >= GEMS_TO_REVISE:
        found.append(do.REVISE)
    found.append(do.END)
    return found


def why_not(state: MagecraftState, action: SpellPhaseAction, turn: Turn, mage: Mage) -> IllegalAction | None:
    """The caller has seen to it that this is the spell phase."""
    match action:
        case do.Cast():
            return _why_not_cast(state, action.book, turn, mage)
        case do.Learn():
            spell = state.cards.by_name.get(action.spell)
            if action.book not in BOOKS:
                return IllegalAction("no_book", f"There is no book {action.book}.")
            if spell is None or not state.academy.has(spell):
                return IllegalAction("not_on_offer", f"The Academy has no {action.spell} to learn.")
            return _too_dear(mage.hand_key(), spell)
        case do.Innate():
            if turn.innate_used:
                return IllegalAction("innate_used", "The innate spell is cast once a turn.")
            return _too_dear(mage.hand_key(), innate_of(state, mage))
        case do.Revise():
            if sum(mage.hand) < GEMS_TO_REVISE:
                return IllegalAction("too_dear", f"A revision costs {GEMS_TO_REVISE} gems.")
            return None
        case do.Unshield():
            if turn.started:
                return IllegalAction("too_late", "The shield can be reduced before the first spell only.")
            if not mage.shield[GEM_AT[action.gem]]:
                return IllegalAction("no_gem", f"There is no {action.gem} gem in your shield.")
            return None
        case do.End():
            return None


def _why_not_cast(state: MagecraftState, book: int, turn: Turn, mage: Mage) -> IllegalAction | None:
    if book not in BOOKS:
        return IllegalAction("no_book", f"There is no book {book}.")
    if turn.book and book != turn.book:
        return IllegalAction("other_book", f"All spells of a turn come from one book, now book {turn.book}.")
    copies = mage.books[book - 1]
    if turn.place >= len(copies):
        return IllegalAction("no_spell", f"Book {book} has no further spell.")
    hand = mage.hand_key() if turn.gold == NO_GOLD else mage.hand_key() + _ONE_MORE[turn.gold]
    return _too_dear(hand, state.cards.spells[copies[turn.place] >> 1])


def _too_dear(hand: int, spell: Spell) -> IllegalAction | None:
    if affordable(hand, spell.key):
        return None
    return IllegalAction("too_dear", f"Your hand cannot pay for {spell.title}: {spell.cost_text}.")
