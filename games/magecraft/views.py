"""What a seat or a spectator sees of a Magecraft table."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from games.api import Seat, View


class Gems(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """How many gems of each kind lie somewhere; a kind that is not there may be left out on the wire."""

    fire: int = 0
    water: int = 0
    earth: int = 0
    light: int = 0
    darkness: int = 0


class Copy(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A spell in a book."""

    spell: str
    mastered: bool = False


class Board(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A mage as everybody sees it. Books are read from left to right. `character` is empty until a board is taken.

    `known` are gems of the hand that everybody can work out, because the bag ran empty since they were drawn;
    `hidden` are the gems of the bag and the rest of the hand together, nobody else knows which lie where.
    """

    seat: Seat
    character: str
    alive: bool
    books: tuple[tuple[Copy, ...], ...]
    life: Gems
    shield: Gems
    score: Gems
    discard: Gems
    hand_size: int
    bag_size: int
    known: Gems
    hidden: Gems


class OwnBoard(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """One's own mage: the hand, and what the bag holds but not in which order. `known` are the gems of the hand that
    everybody else can work out."""

    seat: Seat
    character: str
    alive: bool
    books: tuple[tuple[Copy, ...], ...]
    life: Gems
    shield: Gems
    score: Gems
    discard: Gems
    hand: Gems
    bag: Gems
    known: Gems


class Stack(msgspec.Struct, frozen=True, gc=False):
    """A spell of the Academy and how many copies are left."""

    spell: str
    left: int


class Academy(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    gems: Gems  # its darkness gems lie beside it
    stacks: tuple[Stack, ...]


class Icons(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Icons that are still to use."""

    draw: int = 0
    attack: int = 0
    heal: int = 0
    shield: int = 0
    vanish: int = 0
    darkness: int = 0


class Progress(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Where the match stands. `phase` is boards, setup, spells, pay, icons, revise or over."""

    phase: str
    round: int
    first: Seat
    active: Seat  # whose turn it is
    book: int = 0  # the book being read this turn; 0 before the first spell
    place: int = 0  # how many of its spells were cast this turn
    innate_used: bool = False
    gold: str = ""  # the golden gem that waits for the next spell of the book
    to_discard: int = 0  # gems of the starting hand that still have to go
    to_pay: int = 0  # wild symbols that still have to be paid
    icons: Icons = Icons()
    lifts: int = 0  # how many more spells a revision may lift
    lifted: tuple[Copy, ...] = ()
    may_master: bool = False
    keeps: bool = False  # the next gem that pays turns to gold
    fallen: tuple[Seat, ...] = ()  # who is out, the first to fall first
    reason: str = ""  # why the match is over


class SeatView(View, frozen=True, gc=False, tag_field="by", tag="seat"):
    """What a mage knows."""

    progress: Progress
    you: OwnBoard
    others: tuple[Board, ...]  # clockwise from you
    academy: Academy


class SpectatorView(View, frozen=True, gc=False, tag_field="by", tag="spectator"):
    """What a spectator knows."""

    progress: Progress
    boards: tuple[Board, ...]
    academy: Academy


MagecraftView: TypeAlias = SeatView | SpectatorView
