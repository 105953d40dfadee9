"""The views of a Magecraft table."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from games.api import Seat, View


class Gems(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The number of gems of each kind in one place. On the wire, a kind with 0 gems may be left out."""

    fire: int = 0
    water: int = 0
    earth: int = 0
    light: int = 0
    darkness: int = 0


class Copy(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True, gc=False):
    """A copy of a spell in a book."""

    spell: str  # its name in the card list
    mastered: bool = False  # its mastered side is up


class Board(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A mage as all other seats and spectators see it."""

    seat: Seat  # counted from 1
    character: str  # its name in the card list
    alive: bool  # False if this mage is eliminated
    books: tuple[tuple[Copy, ...], ...]  # the spells of each book, from left to right
    life: Gems  # the gems of the life
    shield: Gems  # the gems of the shield
    score: Gems  # the gems of the score
    discard: Gems  # the gems of the discard
    hand_size: int  # the number of gems in the hand
    bag_size: int  # the number of gems in the bag
    known: Gems  # the gems of the hand that all players can infer
    hidden: Gems  # the bag and the rest of the hand together, mixed


class OwnBoard(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """The mage of the seat that receives the view."""

    seat: Seat  # your own seat
    character: str  # its name in the card list
    alive: bool  # False if you are eliminated
    books: tuple[tuple[Copy, ...], ...]  # the spells of each book, from left to right
    life: Gems  # the gems of the life
    shield: Gems  # the gems of the shield
    score: Gems  # the gems of the score
    discard: Gems  # the gems of the discard
    hand: Gems  # the gems of the hand
    bag: Gems  # the gems of the bag
    known: Gems  # the gems of the hand that all players can infer


class Stack(msgspec.Struct, frozen=True, gc=False):
    """A spell of the Academy with the number of copies left."""

    spell: str  # its name in the card list
    left: int  # the number of copies left


class AcademyView(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """The spells and gems of the Academy."""

    gems: Gems  # its gems; the darkness gems lie beside it
    stacks: tuple[Stack, ...]  # the spells on offer


class Icons(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The icons that are not used yet."""

    draw: int = 0
    attack: int = 0
    heal: int = 0
    shield: int = 0
    vanish: int = 0
    darkness: int = 0


class Progress(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The progress of the match and of the current turn."""

    phase: str  # boards, setup, spells, pay, icons, revise or over
    round: int  # counted from 1; 0 before the first turn
    first: Seat  # the seat with the first turn
    active: Seat  # the seat whose turn it is
    book: int = 0  # the current book of this turn; 0 before the first spell
    place: int = 0  # the number of spells of this book cast in this turn
    innate_used: bool = False  # the innate spell was cast this turn
    gold: str = ""  # the golden gem for the next spell of the book; "" if there is none
    to_discard: int = 0  # the number of gems of the starting hand to discard
    to_pay: int = 0  # the number of wild symbols to pay
    icons: Icons = Icons()  # the unused icons of the current spell
    lifts: int = 0  # the number of spells that the revision may still lift
    lifted: tuple[Copy, ...] = ()  # the lifted spell of the revision, or none
    may_master: bool = False  # this revision may still master a spell
    keeps: bool = False  # the next gem that pays becomes the golden gem
    fallen: tuple[Seat, ...] = ()  # the eliminated seats, in order of elimination
    reason: str = ""  # the reason for the end of the match; "" before


class SeatView(View, frozen=True, gc=False, tag_field="by", tag="seat"):
    """The view of a mage's player."""

    progress: Progress  # the progress of the match
    you: OwnBoard  # your own board
    others: tuple[Board, ...]  # clockwise from you
    academy: AcademyView  # spells to learn, and gems


class SpectatorView(View, frozen=True, gc=False, tag_field="by", tag="spectator"):
    """The view of a spectator."""

    progress: Progress  # the progress of the match
    boards: tuple[Board, ...]  # seat 1 first
    academy: AcademyView  # spells to learn, and gems


MagecraftView: TypeAlias = SeatView | SpectatorView
