"""A view of a Magecraft table as numbers, and how many decisions a match can have.

Mages stand in the order of their seats, whoever looks; `seat` says who does. Gems are five numbers, in the order of
moves.GEMS. A spell in a book is one number: 1 and twice its number in the card file, and 1 more if it is mastered.
"""

from __future__ import annotations

from functools import lru_cache
from operator import add
from typing import Any

from msgspec.structs import astuple

from games.layout import KEPT, Field, Layout, one_of, part, row, write, zeros
from games.magecraft.cards import ICONS, MOST_SYMBOLS, CardSet
from games.magecraft.every import most_spells
from games.magecraft.moves import BOOKS, COLOURS, GEM_AT, GEMS
from games.magecraft.turn import PHASES
from games.magecraft.views import Academy, Board, Copy, MagecraftView, OwnBoard, Progress, SeatView

ZONES = ("life", "shield", "score", "discard", "known", "held")  # held: in bag and hand together

UNSAID = frozenset({"reason"})  # why it is over


def layout(cards: CardSet, seats: int) -> Layout:
    """What stands where."""
    spells, places, gem, gems = len(cards.spells), most_spells(cards, seats), _most_of_a_kind(cards, seats), len(GEMS)
    found = [
        Field("seat", (seats,)),
        Field("phase", (len(PHASES),)),
        Field("first", (seats,)),
        Field("active", (seats,)),
        Field("book", (len(BOOKS) + 1,)),
        Field("gold", (gems,)),
        Field("round", (1,), 0, cards.rounds),
        Field("place", (1,), 0, places),
        Field("innate_used", (1,)),
        Field("to_discard", (1,), 0, max(cards.mages.discarded)),
        Field("to_pay", (1,), 0, MOST_SYMBOLS),
        Field("lifts", (1,), 0, places),
        Field("lifted", (1,), 0, 2 * spells),
        Field("may_master", (1,)),
        Field("keeps", (1,)),
        Field("icons", (len(ICONS),), 0, MOST_SYMBOLS),
        Field("fallen", (seats,), 0, seats),
        Field("academy gems", (gems,), 0, gem),
        Field("academy spells", (spells,), 0, cards.tables[seats].copies),
        Field("hand", (gems,), 0, gem),
        Field("bag", (gems,), 0, gem),
    ]
    for seat in range(1, seats + 1):
        found += [
            Field(f"mage {seat} character", (len(cards.characters),)),
            Field(f"mage {seat} alive", (1,)),
            Field(f"mage {seat} hand_size", (1,), 0, gem * gems),
            Field(f"mage {seat} bag_size", (1,), 0, gem * gems),
            *[Field(f"mage {seat} {zone}", (gems,), 0, gem) for zone in ZONES],
            *[Field(f"mage {seat} book {book}", (places,), 0, 2 * spells) for book in BOOKS],
        ]
    return Layout(found)


def _most_of_a_kind(cards: CardSet, seats: int) -> int:
    table, mages = cards.tables[seats], cards.mages
    each = max(life + bag for life, bag in zip(mages.life.counts, mages.bag.counts, strict=True))
    return max(each * seats + table.gems, table.darkness)


def encode(cards: CardSet, view: MagecraftView, out: Any) -> None:
    """Writes the numbers of the view."""
    if isinstance(view, SeatView):
        mine, seats = view.you.seat, 1 + len(view.others)
        boards: list[Board | OwnBoard] = [view.you, *view.others]
        first = seats - mine + 1  # the board of seat 1: they are clockwise from one's own
        boards = boards[first:] + boards[:first]
        own = part(*astuple(view.you.hand), *astuple(view.you.bag))
    else:
        mine, seats, boards, own = 0, len(view.boards), [*view.boards], zeros(2 * len(GEMS))
    write(
        (
            one_of(mine - 1, seats),
            _progress(cards, view.progress, seats),
            _academy(cards, view.academy),
            own,
            *[_board(cards, board, seats) for board in boards],
        ),
        out,
    )


def _progress(cards: CardSet, progress: Progress, seats: int) -> bytes:
    fallen = progress.fallen
    where = _where(progress.phase, progress.first, progress.active, progress.book, progress.gold, seats)
    return where + part(
        *(progress.round, progress.place, progress.innate_used, progress.to_discard, progress.to_pay),
        *(progress.lifts, _copy(cards, progress.lifted[0]) if progress.lifted else 0),
        *(progress.may_master, progress.keeps),
        *astuple(progress.icons),
        *([fallen.index(seat) + 1 if seat in fallen else 0 for seat in range(1, seats + 1)] if fallen else [0] * seats),
    )


@lru_cache(maxsize=KEPT)
def _where(phase: str, first: int, active: int, book: int, gold: str, seats: int) -> bytes:
    whose = one_of(first - 1, seats) + one_of(active - 1, seats)
    what = one_of(book, len(BOOKS) + 1) + one_of(GEM_AT.get(gold, -1), len(GEMS))
    return one_of(PHASES.index(phase), len(PHASES)) + whose + what


@lru_cache(maxsize=KEPT)
def _book(cards: CardSet, book: tuple[Copy, ...], places: int) -> bytes:
    return row([_copy(cards, copy) for copy in book], places)


def _copy(cards: CardSet, copy: Copy) -> int:
    return 2 * cards.by_name[copy.spell].index + copy.mastered + 1


@lru_cache(maxsize=KEPT)
def _academy(cards: CardSet, academy: Academy) -> bytes:
    left = [0] * len(cards.spells)
    for stack in academy.stacks:
        left[cards.by_name[stack.spell].index] = stack.left
    return part(*astuple(academy.gems), *left)


@lru_cache(maxsize=1_000)
def _character(cards: CardSet, name: str) -> bytes:
    return part(*[person.name == name for person in cards.characters])


@lru_cache(maxsize=KEPT)
def _board(cards: CardSet, board: Board | OwnBoard, seats: int) -> bytes:
    places = most_spells(cards, seats)
    known = astuple(board.known)
    if isinstance(board, OwnBoard):
        hand, bag = astuple(board.hand), astuple(board.bag)
        sizes = sum(hand), sum(bag)
        held = map(add, hand, bag)
    else:
        sizes = board.hand_size, board.bag_size
        held = map(add, known, astuple(board.hidden))
    zones = (*astuple(board.life), *astuple(board.shield), *astuple(board.score), *astuple(board.discard))
    return b"".join(
        (
            _character(cards, board.character),
            part(board.alive, *sizes, *zones, *known, *held),
            *[_book(cards, book, places) for book in board.books],
        )
    )


def longest(cards: CardSet, seats: int) -> int:
    """More decisions than these a match cannot have: everybody in every round takes the whole shield off, casts each
    spell that one may own, symbol by symbol and icon by icon, and lifts and puts each of them in a revision."""
    spells = most_spells(cards, seats)
    words = max(
        spell.wilds + sum(spell.icons) for spell in (*cards.spells, *[person.innate for person in cards.characters])
    )
    gems = COLOURS * _most_of_a_kind(cards, seats) + cards.tables[seats].darkness
    setup = seats + sum(cards.mages.discarded)
    return setup + cards.rounds * seats * (gems + (spells + 1) * (1 + words) + 2 * spells + 3)
