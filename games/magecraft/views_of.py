"""Builds views: the progress, the Academy, and the boards of all mages."""

from __future__ import annotations

from games.api import Seat
from games.magecraft.academy import AcademyState
from games.magecraft.cards import CardSet
from games.magecraft.mage import KINDS, NO_BOARD, Mage
from games.magecraft.moves import DARKNESS, GEMS
from games.magecraft.truth import MagecraftTruth
from games.magecraft.turn import NO_GOLD, NOTHING_LIFTED, PHASES
from games.magecraft.views import (
    AcademyView,
    Board,
    Copy,
    Gems,
    Icons,
    OwnBoard,
    Progress,
    SeatView,
    SpectatorView,
    Stack,
)


def view_of(truth: MagecraftTruth, seat: Seat | None) -> SeatView | SpectatorView:
    """Returns the view of a seat, or of a spectator for None."""
    mages, cards = truth.mages, truth.cards
    progress = _progress(truth)
    academy = truth.academy.seen or _academy(truth.academy)
    if seat is None:
        return SpectatorView(progress, tuple([mage.open_board or _open_board(mage, cards) for mage in mages]), academy)
    mine = mages[seat - 1]
    others = mages[seat:] + mages[: seat - 1]
    boards = tuple([mage.open_board or _open_board(mage, cards) for mage in others])
    return SeatView(progress, mine.own_board or _own_board(mine, cards), boards, academy)


def _progress(truth: MagecraftTruth) -> Progress:
    turn = truth.turn
    return Progress(
        PHASES[turn.phase],
        truth.round,
        truth.first,
        turn.seat,
        turn.book,
        turn.place,
        turn.innate_used,
        "" if turn.gold == NO_GOLD else GEMS[turn.gold],
        turn.to_discard,
        turn.to_pay,
        Icons(*turn.icons),
        turn.lifts,
        () if turn.lifted == NOTHING_LIFTED else (truth.cards.faces[turn.lifted],),
        turn.may_master,
        turn.keep_next,
        tuple(truth.fallen),
        truth.reason,
    )


def _academy(academy: AcademyState) -> AcademyView:
    stacks = tuple([Stack(spell.name, left) for spell, left in zip(academy.spells, academy.left, strict=True)])
    academy.seen = AcademyView(Gems(*academy.gems), stacks)
    return academy.seen


def _own_board(mage: Mage, cards: CardSet) -> OwnBoard:
    gems = mage.own_gems or _own_gems(mage)
    mage.own_board = OwnBoard(mage.seat, _character(mage, cards), mage.alive, _books(mage, cards), *gems)
    return mage.own_board


def _own_gems(mage: Mage) -> tuple[Gems, ...]:
    bag = mage.bag
    mage.own_gems = (
        Gems(*mage.life),
        Gems(*mage.shield),
        Gems(*mage.score),
        Gems(*mage.discard),
        Gems(*mage.hand),
        Gems(bag.count(0), bag.count(1), bag.count(2), bag.count(3), bag.count(DARKNESS)),
        Gems(*mage.known),
    )
    return mage.own_gems


def _open_board(mage: Mage, cards: CardSet) -> Board:
    bag, hand, known = mage.bag, mage.hand, mage.known
    mage.open_board = Board(
        mage.seat,
        _character(mage, cards),
        mage.alive,
        _books(mage, cards),
        Gems(*mage.life),
        Gems(*mage.shield),
        Gems(*mage.score),
        Gems(*mage.discard),
        sum(hand),
        len(bag),
        Gems(*known),
        Gems(*[bag.count(gem) + hand[gem] - known[gem] for gem in range(KINDS)]),
    )
    return mage.open_board


def _character(mage: Mage, cards: CardSet) -> str:
    return "" if mage.character == NO_BOARD else cards.characters[mage.character].name


def _books(mage: Mage, cards: CardSet) -> tuple[tuple[Copy, ...], ...]:
    faces = cards.faces
    first, second, third = mage.books
    return (
        tuple([faces[copy] for copy in first]),
        tuple([faces[copy] for copy in second]),
        tuple([faces[copy] for copy in third]),
    )
