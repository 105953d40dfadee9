"""A revision: spells are lifted and put elsewhere, one after the other, and one may be mastered (rules 5.3 to 5.5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import assert_never

from games.api import Action, IllegalAction, Told, tell_all
from games.magecraft.casting import lose_gold
from games.magecraft.events import HandDiscarded, Lifted, Mastered, Placed, Revising
from games.magecraft.language import _
from games.magecraft.mage import KINDS, Mage, names
from games.magecraft.moves import BOOKS, DONE, Done, Lift, Master, Put, Revise, RevisionAction
from games.magecraft.truth import MagecraftTruth
from games.magecraft.turn import NO_GOLD, NOTHING_LIFTED, REVISE, Turn

GEMS_TO_REVISE = 4
_PLACES = range(1, 201)
LIFTS = tuple(tuple(Lift(book, place) for place in _PLACES) for book in BOOKS)
PUTS = tuple(tuple(Put(book, place) for place in _PLACES) for book in BOOKS)
MASTERS = tuple(tuple(Master(book, place) for place in _PLACES) for book in BOOKS)


def choices(turn: Turn, mage: Mage) -> Sequence[Action]:
    """Everything that the revision allows now."""
    first, second, third = mage.books
    if turn.lifted != NOTHING_LIFTED:
        return _puts(len(first), len(second), len(third))
    lifts = _lifts(len(first), len(second), len(third)) if turn.lifts else ()
    if not turn.may_master:
        return (*lifts, DONE)
    masters = [
        masters[at]
        for masters, copies in zip(MASTERS, mage.books, strict=True)
        for at, copy in enumerate(copies)
        if not copy & 1
    ]
    return (*lifts, *masters, DONE)


@lru_cache(maxsize=10_000)
def _lifts(first: int, second: int, third: int) -> tuple[Action, ...]:
    """All places of books of these lengths."""
    return (*LIFTS[0][:first], *LIFTS[1][:second], *LIFTS[2][:third])


@lru_cache(maxsize=10_000)
def _puts(first: int, second: int, third: int) -> tuple[Action, ...]:
    """All places between and around the spells of books of these lengths."""
    return (*PUTS[0][: first + 1], *PUTS[1][: second + 1], *PUTS[2][: third + 1])


def why_not(truth: MagecraftTruth, action: RevisionAction, mage: Mage) -> IllegalAction | None:
    """Why the revision cannot go on so, or None. The caller has seen to it that a revision is going on."""
    turn = truth.turn
    if isinstance(action, Put):
        if turn.lifted == NOTHING_LIFTED:
            return IllegalAction("nothing_lifted", _("Lift a spell before you put it down."))
        return _no_place(action, mage, 1)
    if turn.lifted != NOTHING_LIFTED:
        return IllegalAction("put_first", _("Put the lifted spell into a book first."))
    if isinstance(action, Done):
        return None
    if why := _no_place(action, mage, 0):
        return why
    if isinstance(action, Lift):
        return (
            None
            if turn.lifts
            else IllegalAction("no_lift", _("A revision lifts as often as there are spells; there is no lift left."))
        )
    if not turn.may_master:
        return IllegalAction("no_mastery", _("This revision can master no further spell."))
    if mage.books[action.book - 1][action.place - 1] & 1:
        return IllegalAction("mastered", _("That spell is mastered already."))
    return None


def _no_place(action: Lift | Put | Master, mage: Mage, beyond: int) -> IllegalAction | None:
    if action.book not in BOOKS or not 1 <= action.place <= len(mage.books[action.book - 1]) + beyond:
        return IllegalAction("no_place", _("Book {book} has no place {place}.", book=action.book, place=action.place))
    return None


def begin(truth: MagecraftTruth, action: Revise, mage: Mage, told: list[Told]) -> None:
    """Pays four gems. The rest of the hand goes with them: which four were paid would say what it is not."""
    turn = truth.turn
    if turn.gold != NO_GOLD:
        lose_gold(turn, mage, told)
    gems = [gem for gem in range(KINDS) for _ in range(mage.hand[gem])][:GEMS_TO_REVISE]
    for gem in gems:
        mage.lose(gem)
        mage.discard[gem] += 1
    told.append(tell_all(Revising(mage.seat, names(*gems))))
    told.append(tell_all(HandDiscarded(mage.seat, mage.drop_hand())))
    turn.phase = REVISE
    turn.lifts = sum(map(len, mage.books))
    turn.may_master = truth.options.mastery


def rearrange(truth: MagecraftTruth, action: Lift | Put | Master, mage: Mage, told: list[Told]) -> None:
    """Lifts, puts down or masters one spell."""
    turn = truth.turn
    book, at = mage.books[action.book - 1], action.place - 1
    told_of: type[Lifted] | type[Placed] | type[Mastered]
    match action:
        case Lift():
            turn.lifts -= 1
            copy = turn.lifted = book.pop(at)
            told_of = Lifted
        case Put():
            copy, turn.lifted = turn.lifted, NOTHING_LIFTED
            book.insert(at, copy)
            told_of = Placed
        case Master():
            turn.may_master = False
            copy = book[at] = book[at] | 1
            told_of = Mastered
        case _:
            assert_never(action)
    mage.touch(gems=False)
    told.append(tell_all(told_of(mage.seat, truth.cards.spells[copy >> 1].name, action.book, action.place)))
