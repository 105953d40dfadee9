"""Deals random full states from a view: bags and hidden hands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import astuple

from games.api import Game
from games.chance import Chance, FastChance
from games.magecraft.academy import AcademyState
from games.magecraft.cards import CardSet
from games.magecraft.mage import KINDS, NO_BOARD, Mage
from games.magecraft.moves import GEM_AT
from games.magecraft.options import MagecraftOptions
from games.magecraft.rules import MagecraftState
from games.magecraft.turn import NO_GOLD, NOTHING_LIFTED, PHASES, TurnProgress
from games.magecraft.views import AcademyView, Board, Copy, Gems, MagecraftView, OwnBoard, Progress, SeatView

_NO_DRAWS = Chance(b"")


def determinize(
    game: Game, cards: CardSet, view: MagecraftView, options: MagecraftOptions, chance: Chance
) -> MagecraftState:
    """Returns a random full state that fits the view."""
    seen, draws = _seen(game, cards, view, options), chance.quick("imagined")
    state = seen.clone()
    state.chance = draws.derive_chance()
    for board in _boards(view):
        mage = state.mages[board.seat - 1]
        if isinstance(board, OwnBoard):
            mage.bag = draws.shuffled(mage.bag)
        else:
            _deal_hidden(mage, draws, board.bag_size)
    return state


@lru_cache(maxsize=4)  # callers mostly imagine many states from the same view
def _seen(game: Game, cards: CardSet, view: MagecraftView, options: MagecraftOptions) -> MagecraftState:
    """Returns the match with all hidden gems in the bags, sorted. The hands of other mages contain only their known
    gems."""
    boards, progress = sorted(_boards(view), key=lambda board: board.seat), view.progress
    return MagecraftState(
        game=game,
        cards=cards,
        options=options,
        seats=len(boards),
        chance=_NO_DRAWS,
        first=progress.first,
        mages=[_mage(board, cards) for board in boards],
        academy=_academy(view.academy, cards),
        turn=_turn(progress, cards),
        round=progress.round,
        fallen=list(progress.fallen),
        reason=progress.reason,
    )


def _boards(view: MagecraftView) -> list[Board | OwnBoard]:
    return [view.you, *view.others] if isinstance(view, SeatView) else [*view.boards]


def _mage(board: Board | OwnBoard, cards: CardSet) -> Mage:
    characters = [person.name for person in cards.characters]
    mage = Mage.create_empty()
    mage.seat, mage.alive = board.seat, board.alive
    mage.character = characters.index(board.character) if board.character else NO_BOARD
    mage.books = [[_copy(copy, cards) for copy in book] for book in board.books]
    mage.life, mage.shield = _counts(board.life), _counts(board.shield)
    mage.score, mage.discard = _counts(board.score), _counts(board.discard)
    mage.known = _counts(board.known)
    mage.hand = _counts(board.hand) if isinstance(board, OwnBoard) else mage.known[:]
    mage.bag = _spread(_counts(board.bag if isinstance(board, OwnBoard) else board.hidden))
    return mage


def _deal_hidden(mage: Mage, draws: FastChance, bag_size: int) -> None:
    """Deals the hidden gems of another mage into its hand and its bag."""
    mixed = draws.shuffled(mage.bag)
    mage.bag = mixed[:bag_size]
    for gem in mixed[bag_size:]:
        mage.hand[gem] += 1


def _academy(seen: AcademyView, cards: CardSet) -> AcademyState:
    spells = [cards.by_name[stack.spell] for stack in seen.stacks]
    return AcademyState(spells, [stack.left for stack in seen.stacks], _counts(seen.gems))


def _turn(progress: Progress, cards: CardSet) -> TurnProgress:
    turn = TurnProgress(progress.active)
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
    """Returns one number for each gem, in the order of GEMS."""
    return [gem for gem in range(KINDS) for _ in range(counts[gem])]
