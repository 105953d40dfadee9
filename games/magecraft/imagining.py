"""A truth from what a seat or a spectator knows, which is the view: bags and hidden hands are dealt."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import astuple

from games.api import Game
from games.chance import Chance
from games.magecraft import icons
from games.magecraft.academy import Academy
from games.magecraft.cards import CardSet
from games.magecraft.mage import KINDS, NO_BOARD, Mage
from games.magecraft.moves import GEM_AT
from games.magecraft.options import MagecraftOptions
from games.magecraft.payment import forced_gems
from games.magecraft.rules import MagecraftState
from games.magecraft.turn import ICON, NO_GOLD, NOTHING_LIFTED, PAY, PHASES, Turn
from games.magecraft.views import Academy as AcademyView
from games.magecraft.views import Board, Copy, Gems, MagecraftView, OwnBoard, Progress, SeatView


def imagine(
    game: Game, cards: CardSet, seen: MagecraftView, options: MagecraftOptions, chance: Chance
) -> MagecraftState:
    """What can be seen is as it is seen; the rest is dealt."""
    boards: list[Board | OwnBoard] = [seen.you, *seen.others] if isinstance(seen, SeatView) else [*seen.boards]
    boards.sort(key=lambda board: board.seat)
    progress = seen.progress
    state = MagecraftState(
        game=game,
        cards=cards,
        options=options,
        seats=len(boards),
        chance=chance.fork("draws to come"),
        first=progress.first,
        mages=[_mage(board, cards, chance) for board in boards],
        academy=_academy(seen.academy, cards),
        turn=_turn(progress, cards),
        round=progress.round,
        fallen=list(progress.fallen),
        reason=progress.reason,
    )
    active = boards[progress.active - 1]
    if isinstance(active, Board):
        mage = state.mages[progress.active - 1]
        while _has_no_choice(state, mage):  # then it would not have been asked (rules 4.1 and 8.4)
            _deal_hidden(mage, active, chance)
    return state


def _has_no_choice(state: MagecraftState, mage: Mage) -> bool:
    if state.turn.phase == PAY:
        return bool(forced_gems(state.turn, mage))
    return state.turn.phase == ICON and len(icons.choices(state, mage)) < 2


def _mage(board: Board | OwnBoard, cards: CardSet, chance: Chance) -> Mage:
    characters = [person.name for person in cards.characters]
    mage = Mage(board.seat, characters.index(board.character) if board.character else NO_BOARD)
    mage.alive = board.alive
    mage.books = [[_copy(copy, cards) for copy in book] for book in board.books]
    mage.life, mage.shield = _counts(board.life), _counts(board.shield)
    mage.score, mage.discard = _counts(board.score), _counts(board.discard)
    mage.known = _counts(board.known)
    if isinstance(board, OwnBoard):
        mage.hand = _counts(board.hand)
        mage.bag = chance.mix("bag", _spread(_counts(board.bag)))
    else:
        _deal_hidden(mage, board, chance)
    return mage


def _deal_hidden(mage: Mage, board: Board, chance: Chance) -> None:
    """What the others do not know: which of the hidden gems are in hand, and the order of the bag."""
    mage.hand, mage.bag = mage.known[:], chance.mix("hidden", _spread(_counts(board.hidden)))
    for _ in range(len(mage.bag) - board.bag_size):
        mage.hand[mage.bag.pop()] += 1


def _academy(seen: AcademyView, cards: CardSet) -> Academy:
    academy = Academy([cards.by_name[stack.spell] for stack in seen.stacks], 0, 0, 0)
    academy.left, academy.gems = [stack.left for stack in seen.stacks], _counts(seen.gems)
    return academy


def _turn(progress: Progress, cards: CardSet) -> Turn:
    turn = Turn(progress.active)
    turn.phase = PHASES.index(progress.phase)
    turn.book, turn.place, turn.innate_used = progress.book, progress.place, progress.innate_used
    turn.gold = GEM_AT[progress.gold] if progress.gold else NO_GOLD
    turn.keep_next = progress.keeps
    turn.to_discard, turn.to_pay = progress.to_discard, progress.to_pay
    turn.icons, turn.lifts = list(astuple(progress.icons)), progress.lifts
    turn.lifted = _copy(progress.lifted[0], cards) if progress.lifted else NOTHING_LIFTED
    turn.may_master = progress.may_master
    return turn


def _copy(copy: Copy, cards: CardSet) -> int:
    return cards.by_name[copy.spell].index * 2 + copy.mastered


def _counts(gems: Gems) -> list[int]:
    return [gems.fire, gems.water, gems.earth, gems.light, gems.darkness]


def _spread(counts: Sequence[int]) -> list[int]:
    """One number for each gem, in a fixed order."""
    return [gem for gem in range(KINDS) for _ in range(counts[gem])]
