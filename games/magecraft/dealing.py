"""The setup before the first turn: taking boards, if players choose them, and starting hands (rules 1)."""

from __future__ import annotations

from games.api import AddressedEvent, IllegalAction, to_all
from games.magecraft.ending import begin_turn
from games.magecraft.events import Discarded, Taken
from games.magecraft.language import _
from games.magecraft.mage import Mage
from games.magecraft.moves import GEM_AT, Discard, Take
from games.magecraft.truth import MagecraftTruth
from games.magecraft.turn import SETUP


def board_choices(truth: MagecraftTruth) -> list[Take]:
    """Returns one action for each character board that no mage has taken yet."""
    taken = {mage.character for mage in truth.mages}
    return [Take(person.name) for at, person in enumerate(truth.cards.characters) if at not in taken]


def illegal_board_reason(truth: MagecraftTruth, action: Take, mage: Mage) -> IllegalAction | None:
    """Returns the reason why a board cannot be taken; None if it can. The caller has checked the phase."""
    if action in board_choices(truth):
        return None
    return IllegalAction("no_board", _("There is no such board left to take."))


def take_board(truth: MagecraftTruth, action: Take, mage: Mage, told: list[AddressedEvent]) -> None:
    """Takes a board. The last board is taken automatically. When all mages have a board, the starting hands are
    drawn."""
    names = [person.name for person in truth.cards.characters]
    mage.character = names.index(action.character)
    mage.invalidate_views()
    told.append(to_all(Taken(mage.seat, action.character)))
    truth.turn.seat = mage.seat % truth.seats + 1
    if truth.turn.seat == truth.first:
        draw_hands(truth, told)
    elif len(left := board_choices(truth)) == 1:
        take_board(truth, left[0], truth.mages[truth.turn.seat - 1], told)


def fill_bags(truth: MagecraftTruth) -> None:
    """Fills the bags of all mages. It needs no event, because the first gems of each bag are known."""
    for mage in truth.mages:
        mage.refill_bag(truth.chance, [])


def draw_hands(truth: MagecraftTruth, told: list[AddressedEvent]) -> None:
    """Draws the starting hands in turn order."""
    hands = truth.cards.starting_hands(truth.seats, truth.options)
    for at, (drawn, _kept) in enumerate(hands):
        mage = truth.mages[(truth.first - 1 + at) % truth.seats]
        mage.draw_gems(drawn, truth.chance, told)
    truth.turn.phase = SETUP
    truth.turn.to_discard = _to_discard(truth, truth.first)
    _go_on(truth, told)


def discard_gem(truth: MagecraftTruth, action: Discard, mage: Mage, told: list[AddressedEvent]) -> None:
    """Discards a gem of the starting hand. After the last such gem the first turn begins."""
    turn, gem = truth.turn, GEM_AT[action.gem]
    mage.remove_from_hand(gem)
    mage.discard[gem] += 1
    told.append(to_all(Discarded(mage.seat, action.gem)))
    turn.to_discard -= 1
    _go_on(truth, told)


def _to_discard(truth: MagecraftTruth, seat: int) -> int:
    drawn, kept = truth.cards.starting_hands(truth.seats, truth.options)[(seat - truth.first) % truth.seats]
    return drawn - kept


def _go_on(truth: MagecraftTruth, told: list[AddressedEvent]) -> None:
    """Continues with the next mage that has gems to discard, or else begins the first turn."""
    turn = truth.turn
    while not turn.to_discard:
        turn.seat = turn.seat % truth.seats + 1
        if turn.seat == truth.first:
            truth.round = 1
            begin_turn(truth, truth.first, told)
            return
        turn.to_discard = _to_discard(truth, turn.seat)
