"""The legal actions in each phase, and the reasons why other actions are illegal. Those of the spell phase are here;
`dealing`, `icons` and `revision` have those of other phases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from games.api import Action, IllegalAction, Seat
from games.magecraft import dealing, icons, revision
from games.magecraft import moves as do
from games.magecraft.cards import Spell, cost_words, is_affordable, pack_hand
from games.magecraft.casting import innate_spell
from games.magecraft.language import N_, _
from games.magecraft.mage import KINDS, Mage
from games.magecraft.moves import BOOKS, GEM_AT
from games.magecraft.revision import GEMS_TO_REVISE
from games.magecraft.truth import MagecraftTruth
from games.magecraft.turn import BOARDS, ICON, NO_GOLD, OVER, PAY, REVISE, SETUP, SPELLS, TurnProgress

# For each kind of gem, the number that one more gem adds to a packed hand. It adds the golden gem to a hand.
_ONE_MORE = tuple(pack_hand(gem == 0, gem == 1, gem == 2, gem == 3, 1) for gem in range(KINDS))


def legal_actions(truth: MagecraftTruth, seat: Seat) -> Sequence[Action]:
    """Returns the legal actions of a seat; none if it is not this seat's turn."""
    turn = truth.turn
    if seat != turn.seat or turn.phase == OVER:
        return ()
    if truth.choices is None:
        truth.choices = tuple(_choices(truth, turn, truth.mages[seat - 1]))
    return truth.choices


def _choices(truth: MagecraftTruth, turn: TurnProgress, mage: Mage) -> Sequence[Action]:
    phase = turn.phase
    if phase == SPELLS:
        return _in_the_spell_phase(truth, turn, mage)
    if phase == ICON:
        return icons.legal_icon_uses(truth, mage)
    if phase == REVISE:
        return revision.legal_revisions(turn, mage)
    if phase == BOARDS:
        return dealing.board_choices(truth)
    hand = mage.hand
    ways: Sequence[Action] = do.PAYS if phase == PAY else do.DISCARDS
    return [ways[gem] for gem in range(KINDS) if hand[gem]]


def illegal_reason(truth: MagecraftTruth, seat: Seat, action: Action) -> IllegalAction | None:
    """Returns the reason why an action is illegal now; None if it is legal."""
    turn = truth.turn
    if turn.phase == OVER:
        return IllegalAction("over", _("The match is over."))
    if seat != turn.seat:
        return IllegalAction("not_your_turn", _("It is seat {seat}'s turn.", seat=turn.seat))
    found = _WHY_NOT.get(type(action))
    if found is None:
        return IllegalAction("unknown", _("That is not an action of Magecraft."))
    phase, why = found
    if phase != turn.phase:
        return IllegalAction("not_now", _(_ASKED[turn.phase]))
    return why(truth, action, truth.mages[seat - 1])


_ASKED = {
    BOARDS: N_("Take a character board first."),
    SETUP: N_("Discard gems of your starting hand first."),
    SPELLS: N_("You cannot do that now: cast a spell, learn, revise or end your turn."),
    PAY: N_("Pay the wild symbols first."),
    ICON: N_("Use the icons of the spell first."),
    REVISE: N_("Finish the revision first."),
}


def _not_in_hand(truth: MagecraftTruth, action: do.Discard | do.Pay, mage: Mage) -> IllegalAction | None:
    gem = action.gem
    return (
        None
        if mage.hand[GEM_AT[gem]]
        else IllegalAction("no_gem", _("There is no {gem} gem in your hand.", gem=_(gem)))
    )


# The spell phase


def _in_the_spell_phase(truth: MagecraftTruth, turn: TurnProgress, mage: Mage) -> list[Action]:
    """Returns the legal actions of the spell phase (rules 2, 3 and 5)."""
    found: list[Action] = []
    if not turn.has_cast:
        shield = mage.shield
        found += [do.UNSHIELDS[gem] for gem in range(KINDS) if shield[gem]]
    spells, hand = truth.cards.spells, mage.packed_hand()
    if turn.book:
        with_gold = hand if turn.gold == NO_GOLD else hand + _ONE_MORE[turn.gold]
        copies = mage.books[turn.book - 1]
        if turn.place < len(copies) and is_affordable(with_gold, spells[copies[turn.place] >> 1].key):
            found.append(do.CASTS[turn.book - 1])
    else:
        for cast, copies in zip(do.CASTS, mage.books, strict=True):
            if copies and is_affordable(hand, spells[copies[0] >> 1].key):
                found.append(cast)
    if not turn.innate_used and is_affordable(hand, innate_spell(truth, mage).key):
        found.append(do.INNATE)
    academy = truth.academy
    for spell, left in zip(academy.spells, academy.left, strict=True):
        if left and is_affordable(hand, spell.key):
            found += spell.learns
    if sum(mage.hand) >= GEMS_TO_REVISE:
        found.append(do.REVISE)
    found.append(do.END)
    return found


def _why_not_learn(truth: MagecraftTruth, action: do.Learn, mage: Mage) -> IllegalAction | None:
    spell = truth.cards.by_name.get(action.spell)
    if action.book not in BOOKS:
        return IllegalAction("no_book", _("There is no book {book}.", book=action.book))
    if spell is None or not truth.academy.has_copy(spell):
        return IllegalAction("not_on_offer", _("The Academy has no {spell} to learn.", spell=action.spell))
    return _too_dear(mage.packed_hand(), spell)


def _why_not_innate(truth: MagecraftTruth, action: do.Innate, mage: Mage) -> IllegalAction | None:
    if truth.turn.innate_used:
        return IllegalAction("innate_used", _("You have already cast your innate spell this turn."))
    return _too_dear(mage.packed_hand(), innate_spell(truth, mage))


def _why_not_revise(truth: MagecraftTruth, action: do.Revise, mage: Mage) -> IllegalAction | None:
    if sum(mage.hand) < GEMS_TO_REVISE:
        return IllegalAction("too_dear", _("A revision costs {gems} gems.", gems=GEMS_TO_REVISE))
    return None


def _why_not_unshield(truth: MagecraftTruth, action: do.Unshield, mage: Mage) -> IllegalAction | None:
    if truth.turn.has_cast:
        return IllegalAction("too_late", _("You can take gems off your shield only before your first spell."))
    if not mage.shield[GEM_AT[action.gem]]:
        return IllegalAction("no_gem", _("There is no {gem} gem in your shield.", gem=_(action.gem)))
    return None


def _nothing_against_the_end(truth: MagecraftTruth, action: do.End, mage: Mage) -> None:
    return None


def _why_not_cast(truth: MagecraftTruth, action: do.Cast, mage: Mage) -> IllegalAction | None:
    turn, book = truth.turn, action.book
    if book not in BOOKS:
        return IllegalAction("no_book", _("There is no book {book}.", book=book))
    if turn.book and book != turn.book:
        return IllegalAction(
            "other_book", _("All spells of a turn come from one book, now book {book}.", book=turn.book)
        )
    copies = mage.books[book - 1]
    if turn.place >= len(copies):
        return IllegalAction("no_spell", _("Book {book} has no more spells.", book=book))
    hand = mage.packed_hand() if turn.gold == NO_GOLD else mage.packed_hand() + _ONE_MORE[turn.gold]
    return _too_dear(hand, truth.cards.spells[copies[turn.place] >> 1])


def _too_dear(hand: int, spell: Spell) -> IllegalAction | None:
    if is_affordable(hand, spell.key):
        return None
    return IllegalAction(
        "too_dear", _("Your hand cannot pay for {title}: {cost}.", title=_(spell.title), cost=cost_words(spell))
    )


# For each kind of action: its phase, and the function that returns the reason why the action is illegal.
_WhyNot: TypeAlias = Callable[[MagecraftTruth, Any, Mage], IllegalAction | None]
_WHY_NOT: dict[type[Action], tuple[int, _WhyNot]] = {
    do.Take: (BOARDS, dealing.illegal_board_reason),
    do.Discard: (SETUP, _not_in_hand),
    do.Pay: (PAY, _not_in_hand),
    do.Cast: (SPELLS, _why_not_cast),
    do.Innate: (SPELLS, _why_not_innate),
    do.Learn: (SPELLS, _why_not_learn),
    do.Revise: (SPELLS, _why_not_revise),
    do.Unshield: (SPELLS, _why_not_unshield),
    do.End: (SPELLS, _nothing_against_the_end),
    do.Attack: (ICON, icons.illegal_attack_reason),
    do.Draw: (ICON, icons.illegal_draw_reason),
    do.Heal: (ICON, icons.illegal_heal_reason),
    do.Shield: (ICON, icons.illegal_shield_reason),
    do.Vanish: (ICON, icons.illegal_vanish_reason),
    do.Darken: (ICON, icons.illegal_darken_reason),
    do.Lift: (REVISE, revision.illegal_lift_reason),
    do.Put: (REVISE, revision.illegal_put_reason),
    do.Master: (REVISE, revision.illegal_master_reason),
    do.Done: (REVISE, revision.illegal_done_reason),
}
