"""Encodes a view as numbers, and computes an upper bound for the length of a match.

Mages are in seat order for every viewer; the field `seat` names the viewer. Gems are five counts in the order of
`moves.GEMS`. A spell in a book is encoded as 1 plus twice its number in the card file, plus 1 if it is mastered.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache, partial
from itertools import chain
from operator import add, attrgetter
from typing import Any

from msgspec.structs import astuple

from games.api import Seat
from games.layout import (
    Layout,
    LayoutField,
    PartCache,
    join_parts,
    number_packer,
    one_hot,
    pack_numbers,
    pack_padded,
    zero_part,
)
from games.magecraft.action_space import max_spells
from games.magecraft.cards import ICONS, MOST_SYMBOLS, CardSet
from games.magecraft.moves import BOOKS, COLOURS, GEM_AT, GEMS
from games.magecraft.turn import PHASES
from games.magecraft.views import AcademyView, Board, Copy, Icons, MagecraftView, OwnBoard, SeatView

ZONES = ("life", "shield", "score", "discard", "known", "held")  # held: the gems of bag and hand together

NO_ICONS = Icons()

_turn = attrgetter("round", "place", "innate_used", "to_discard", "to_pay", "lifts")
_own = attrgetter("alive", "life", "shield", "score", "discard", "known", "hand", "bag")
_open = attrgetter("alive", "hand_size", "bag_size", "life", "shield", "score", "discard", "known", "hidden")
_pack_turn, _pack_own = number_packer(9), number_packer(2 * len(GEMS))
_pack_board = number_packer(3 + len(ZONES) * len(GEMS))

UNSAID = frozenset({"reason"})  # the end of the match implies it


def view_layout(cards: CardSet, seats: int) -> Layout:
    """Returns the layout of the vector."""
    spells, places, gem, gems = len(cards.spells), max_spells(cards, seats), _most_of_a_kind(cards, seats), len(GEMS)
    found = [
        LayoutField("seat", (seats,)),
        LayoutField("phase", (len(PHASES),)),
        LayoutField("first", (seats,)),
        LayoutField("active", (seats,)),
        LayoutField("book", (len(BOOKS) + 1,)),
        LayoutField("gold", (gems,)),
        LayoutField("round", (1,), 0, cards.rounds),
        LayoutField("place", (1,), 0, places),
        LayoutField("innate_used", (1,)),
        LayoutField("to_discard", (1,), 0, max(cards.max_discards(seats))),
        LayoutField("to_pay", (1,), 0, MOST_SYMBOLS),
        LayoutField("lifts", (1,), 0, places),
        LayoutField("lifted", (1,), 0, 2 * spells),
        LayoutField("may_master", (1,)),
        LayoutField("keeps", (1,)),
        LayoutField("icons", (len(ICONS),), 0, MOST_SYMBOLS),
        LayoutField("fallen", (seats,), 0, seats),
        LayoutField("academy gems", (gems,), 0, gem),
        LayoutField("academy spells", (spells,), 0, cards.tables[seats].copies),
        LayoutField("hand", (gems,), 0, gem),
        LayoutField("bag", (gems,), 0, gem),
    ]
    for seat in range(1, seats + 1):
        found += [
            LayoutField(f"mage {seat} character", (len(cards.characters),)),
            LayoutField(f"mage {seat} alive", (1,)),
            LayoutField(f"mage {seat} hand_size", (1,), 0, gem * gems),
            LayoutField(f"mage {seat} bag_size", (1,), 0, gem * gems),
            *[LayoutField(f"mage {seat} {zone}", (gems,), 0, gem) for zone in ZONES],
            *[LayoutField(f"mage {seat} book {book}", (places,), 0, 2 * spells) for book in BOOKS],
        ]
    return Layout(found)


def _most_of_a_kind(cards: CardSet, seats: int) -> int:
    table, mages = cards.tables[seats], cards.mages
    each = max(life + bag for life, bag in zip(mages.life.gem_counts, mages.bag.gem_counts, strict=True))
    return max(each * seats + table.gems, table.darkness)


class Encoder:
    """Encodes the views of one card set and one number of mages."""

    def __init__(self, cards: CardSet, seats: int) -> None:
        self._cards, self._seats, self._places = cards, seats, max_spells(cards, seats)
        self._seat = [zero_part(seats), *[one_hot(at, seats) for at in range(seats)]]
        self._phase = {phase: one_hot(at, len(PHASES)) for at, phase in enumerate(PHASES)}
        self._book = [one_hot(book, len(BOOKS) + 1) for book in (0, *BOOKS)]
        self._gold = {"": zero_part(len(GEMS))} | {gem: one_hot(at, len(GEMS)) for gem, at in GEM_AT.items()}
        self._character = {"": zero_part(len(cards.characters))} | {
            person.name: one_hot(at, len(cards.characters)) for at, person in enumerate(cards.characters)
        }
        self._copy = {copy: number for number, copy in enumerate(cards.faces, 1)}
        self._no_icons, self._nobody, self._nothing_own = (
            zero_part(len(ICONS)),
            zero_part(seats),
            zero_part(2 * len(GEMS)),
        )
        self._boards: PartCache[Board | OwnBoard] = PartCache(self._board)
        self._owns: dict[Seat, PartCache[tuple[Any, ...]]] = defaultdict(partial(PartCache, _own_figures))
        self._opens: dict[Seat, PartCache[tuple[Any, ...]]] = defaultdict(partial(PartCache, _open_figures))
        self._books: dict[Seat, PartCache[tuple[Copy, ...]]] = defaultdict(partial(PartCache, self._row))
        self._academies = PartCache(self._academy)

    def encode_view(self, view: MagecraftView) -> bytearray:
        """Returns the numbers of a view, as 32-bit floats."""
        boards: tuple[Board | OwnBoard, ...]
        if isinstance(view, SeatView):
            you, others = view.you, view.others
            mine, first = you.seat, self._seats - you.seat  # the others are in clockwise order from the own seat
            boards = (*others[first:], you, *others[:first])
            own = _pack_own(*astuple(you.hand), *astuple(you.bag))
        else:
            mine, boards, own = 0, view.boards, self._nothing_own
        now, seat = view.progress, self._seat
        return join_parts(
            (
                seat[mine],
                self._phase[now.phase],
                seat[now.first],
                seat[now.active],
                self._book[now.book],
                self._gold[now.gold],
                _pack_turn(*_turn(now), self._copy[now.lifted[0]] if now.lifted else 0, now.may_master, now.keeps),
                pack_numbers(*astuple(now.icons)) if now.icons != NO_ICONS else self._no_icons,
                _order(now.fallen, self._seats) if now.fallen else self._nobody,
                *self._academies.cached_parts((view.academy,)),
                own,
                *self._boards.cached_parts(boards),
            )
        )

    def _academy(self, academy: AcademyView, _last: object) -> bytes:
        left = [0] * len(self._cards.spells)
        for stack in academy.stacks:
            left[self._cards.by_name[stack.spell].index] = stack.left
        return pack_numbers(*astuple(academy.gems), *left)

    def _board(self, board: Board | OwnBoard, _last: object) -> bytes:
        """Returns the numbers of a mage. Those of its gems and of its books are cached, because most stay the same."""
        own, seat = isinstance(board, OwnBoard), board.seat
        figures = (
            self._owns[seat].cached_parts((_own(board),)) if own else self._opens[seat].cached_parts((_open(board),))
        )
        return b"".join((self._character[board.character], *figures, *self._books[seat].cached_parts(board.books)))

    def _row(self, book: tuple[Copy, ...], _last: object) -> bytes:
        return pack_padded([self._copy[copy] for copy in book], self._places)


@lru_cache(maxsize=16)
def get_encoder(cards: CardSet, seats: int) -> Encoder:
    """Returns a shared encoder, which keeps its cache between calls."""
    return Encoder(cards, seats)


def _own_figures(given: tuple[Any, ...], _last: object) -> bytes:
    alive, *zones = given
    *zones, known, hand, bag = map(astuple, zones)
    return _pack_board(alive, sum(hand), sum(bag), *chain(*zones), *known, *map(add, hand, bag))


def _open_figures(given: tuple[Any, ...], _last: object) -> bytes:
    alive, hand_size, bag_size, *zones = given
    *zones, known, hidden = map(astuple, zones)
    return _pack_board(alive, hand_size, bag_size, *chain(*zones), *known, *map(add, known, hidden))


@lru_cache(maxsize=1_000)
def _order(some: tuple[int, ...], seats: int) -> bytes:
    return pack_numbers(*[some.index(seat) + 1 if seat in some else 0 for seat in range(1, seats + 1)])


def max_game_length(cards: CardSet, seats: int) -> int:
    """Returns an upper bound for the number of decisions of a match.

    In each round each mage takes all gems off its shield, casts every spell that it can own with a decision for every
    symbol and icon, and moves each spell in a revision.
    """
    spells = max_spells(cards, seats)
    words = max(
        spell.wilds + sum(spell.icons) for spell in (*cards.spells, *[person.innate for person in cards.characters])
    )
    gems = COLOURS * _most_of_a_kind(cards, seats) + cards.tables[seats].darkness
    setup = seats + sum(cards.max_discards(seats))
    return setup + cards.rounds * seats * (gems + (spells + 1) * (1 + words) + 2 * spells + 3)
