"""A revision: spells are lifted and put elsewhere one by one, and one may be mastered (rules 5.3 to 5.5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from games.api import Action, AddressedEvent, IllegalAction, to_all
from games.magecraft.casting import discard_gold
from games.magecraft.events import HandDiscarded, Lifted, Mastered, Placed, Revising
from games.magecraft.language import _
from games.magecraft.mage import KINDS, Mage, gem_names
from games.magecraft.moves import BOOKS, DONE, Done, Lift, Master, Put, Revise
from games.magecraft.truth import MagecraftTruth
from games.magecraft.turn import NO_GOLD, NOTHING_LIFTED, REVISE, TurnProgress

GEMS_TO_REVISE = 4
PLACES = range(1, 201)
LIFTS = tuple(tuple(Lift(book, place) for place in PLACES) for book in BOOKS)
PUTS = tuple(tuple(Put(book, place) for place in PLACES) for book in BOOKS)
MASTERS = tuple(tuple(Master(book, place) for place in PLACES) for book in BOOKS)
_NO_LIFTS = (DONE,)


def legal_revisions(turn: TurnProgress, mage: Mage) -> Sequence[Action]:
    """Returns the legal actions of a revision."""
    first, second, third = mage.books
    if turn.lifted != NOTHING_LIFTED:
        return _puts(len(first), len(second), len(third))
    lifts = _lifts(len(first), len(second), len(third)) if turn.lifts else _NO_LIFTS
    if not turn.may_master:
        return lifts
    masters = [
        masters[at]
        for masters, copies in zip(MASTERS, mage.books, strict=True)
        for at, copy in enumerate(copies)
        if not copy & 1
    ]
    return (*lifts[:-1], *masters, DONE)


@lru_cache(maxsize=10_000)
def _lifts(first: int, second: int, third: int) -> tuple[Action, ...]:
    """Returns all lifts, and `done`, for books of these lengths."""
    return (*LIFTS[0][:first], *LIFTS[1][:second], *LIFTS[2][:third], DONE)


@lru_cache(maxsize=10_000)
def _puts(first: int, second: int, third: int) -> tuple[Action, ...]:
    """Returns all puts for books of these lengths."""
    return (*PUTS[0][: first + 1], *PUTS[1][: second + 1], *PUTS[2][: third + 1])


# Each `why_not_` function returns the reason why the action is illegal; None if it is legal. The caller has checked the
# phase.


def illegal_put_reason(truth: MagecraftTruth, action: Put, mage: Mage) -> IllegalAction | None:
    if truth.turn.lifted == NOTHING_LIFTED:
        return IllegalAction("nothing_lifted", _("Lift a spell before you put it down."))
    return _no_place(action, mage, 1)


def illegal_lift_reason(truth: MagecraftTruth, action: Lift, mage: Mage) -> IllegalAction | None:
    turn = truth.turn
    if turn.lifted != NOTHING_LIFTED:
        return _put_first()
    why = _no_place(action, mage, 0)
    if why is None and not turn.lifts:
        why = IllegalAction("no_lift", _("You may lift at most as many spells as you have; none is left."))
    return why


def illegal_master_reason(truth: MagecraftTruth, action: Master, mage: Mage) -> IllegalAction | None:
    turn = truth.turn
    if turn.lifted != NOTHING_LIFTED:
        return _put_first()
    if why := _no_place(action, mage, 0):
        return why
    if not turn.may_master:
        return IllegalAction("no_mastery", _("This revision cannot master another spell."))
    if mage.books[action.book - 1][action.place - 1] & 1:
        return IllegalAction("mastered", _("That spell is already mastered."))
    return None


def illegal_done_reason(truth: MagecraftTruth, action: Done, mage: Mage) -> IllegalAction | None:
    return None if truth.turn.lifted == NOTHING_LIFTED else _put_first()


def _put_first() -> IllegalAction:
    return IllegalAction("put_first", _("Put the lifted spell into a book first."))


def _no_place(action: Lift | Put | Master, mage: Mage, beyond: int) -> IllegalAction | None:
    if action.book not in BOOKS or not 1 <= action.place <= len(mage.books[action.book - 1]) + beyond:
        return IllegalAction("no_place", _("Book {book} has no place {place}.", book=action.book, place=action.place))
    return None


def begin_revision(truth: MagecraftTruth, action: Revise, mage: Mage, told: list[AddressedEvent]) -> None:
    """Pays four gems and begins a revision. The rest of the hand is discarded, too, because four chosen gems would
    reveal something about the others."""
    turn = truth.turn
    if turn.gold != NO_GOLD:
        discard_gold(turn, mage, told)
    gems = [gem for gem in range(KINDS) for _ in range(mage.hand[gem])][:GEMS_TO_REVISE]
    for gem in gems:
        mage.remove_from_hand(gem)
        mage.discard[gem] += 1
    told.append(to_all(Revising(mage.seat, gem_names(*gems))))
    told.append(to_all(HandDiscarded(mage.seat, mage.discard_hand())))
    turn.phase = REVISE
    turn.lifts = sum(map(len, mage.books))
    turn.may_master = truth.options.mastery


def lift_spell(truth: MagecraftTruth, action: Lift, mage: Mage, told: list[AddressedEvent]) -> None:
    """Takes a spell out of its book."""
    turn, at = truth.turn, action.place
    turn.lifts -= 1
    copy = turn.lifted = mage.books[action.book - 1].pop(at - 1)
    mage.invalidate_books()
    told.append(to_all(Lifted(mage.seat, truth.cards.spells[copy >> 1].name, action.book, at)))


def put_spell(truth: MagecraftTruth, action: Put, mage: Mage, told: list[AddressedEvent]) -> None:
    """Puts the lifted spell into a book."""
    turn, at = truth.turn, action.place
    copy, turn.lifted = turn.lifted, NOTHING_LIFTED
    mage.books[action.book - 1].insert(at - 1, copy)
    mage.invalidate_books()
    told.append(to_all(Placed(mage.seat, truth.cards.spells[copy >> 1].name, action.book, at)))


def master_spell(truth: MagecraftTruth, action: Master, mage: Mage, told: list[AddressedEvent]) -> None:
    """Turns a spell to its mastered side."""
    book, at = mage.books[action.book - 1], action.place
    truth.turn.may_master = False
    book[at - 1] |= 1
    mage.invalidate_books()
    told.append(to_all(Mastered(mage.seat, truth.cards.spells[book[at - 1] >> 1].name, action.book, at)))
