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


class Copy(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True, gc=False):
    """A spell in a book."""

    spell: str  # its name in the card list
    mastered: bool = False  # lies on its mastered side


class Board(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A mage as everybody sees it. Books are read from left to right. `character` is empty until a board is taken.

    `known` are gems of the hand that everybody can work out, because the bag ran empty since they were drawn;
    `hidden` are the gems of the bag and the rest of the hand together, nobody else knows which lie where.
    """

    seat: Seat  # from 1 on
    character: str  # its name in the card list
    alive: bool  # false: this mage is out
    books: tuple[tuple[Copy, ...], ...]  # each from left to right
    life: Gems  # life gems
    shield: Gems  # gems of the shield
    score: Gems  # gems won
    discard: Gems  # gems of the discard
    hand_size: int  # gems in the hand
    bag_size: int  # gems in the bag
    known: Gems  # of the hand, what everybody can work out
    hidden: Gems  # the bag and the rest of the hand together


class OwnBoard(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """One's own mage: the hand, and what the bag holds but not in which order. `known` are the gems of the hand that
    everybody else can work out."""

    seat: Seat  # your own
    character: str  # its name in the card list
    alive: bool  # false: you are out
    books: tuple[tuple[Copy, ...], ...]  # each from left to right
    life: Gems  # life gems
    shield: Gems  # gems of the shield
    score: Gems  # gems won
    discard: Gems  # gems of the discard
    hand: Gems  # gems of the hand
    bag: Gems  # gems of the bag
    known: Gems  # of the hand, what everybody can work out


class Stack(msgspec.Struct, frozen=True, gc=False):
    """A spell of the Academy and how many copies are left."""

    spell: str  # its name in the card list
    left: int  # copies


class Academy(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """What everybody may learn, and the gems beside it."""

    gems: Gems  # its darkness gems lie beside it
    stacks: tuple[Stack, ...]  # the spells on offer


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

    phase: str  # what is to be decided
    round: int  # from 1 on; 0 before the first turn
    first: Seat  # who began
    active: Seat  # whose turn it is
    book: int = 0  # the book being read this turn; 0 before the first spell
    place: int = 0  # how many of its spells were cast this turn
    innate_used: bool = False  # the innate spell was cast this turn
    gold: str = ""  # the golden gem that waits for the next spell of the book
    to_discard: int = 0  # gems of the starting hand that still have to go
    to_pay: int = 0  # wild symbols that still have to be paid
    icons: Icons = Icons()  # of the spell being cast, not used yet
    lifts: int = 0  # how many more spells a revision may lift
    lifted: tuple[Copy, ...] = ()  # the spell in hand during a revision, or none
    may_master: bool = False  # this revision may still turn a spell over
    keeps: bool = False  # the next gem that pays turns to gold
    fallen: tuple[Seat, ...] = ()  # who is out, the first to fall first
    reason: str = ""  # why the match is over


class SeatView(View, frozen=True, gc=False, tag_field="by", tag="seat"):
    """What a mage knows."""

    progress: Progress  # where the match stands
    you: OwnBoard  # your own board
    others: tuple[Board, ...]  # clockwise from you
    academy: Academy  # what can be learnt


class SpectatorView(View, frozen=True, gc=False, tag_field="by", tag="spectator"):
    """What a spectator knows."""

    progress: Progress  # where the match stands
    boards: tuple[Board, ...]  # seat 1 first
    academy: Academy  # what can be learnt


MagecraftView: TypeAlias = SeatView | SpectatorView
