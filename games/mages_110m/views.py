"""The views: the public race, and for a seat its own hand."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from games.api import Knowledge, Seat, View
from games.mages_110m.moves import Deed
from games.mages_110m.options import Surge

Phase: TypeAlias = Literal["action", "price", "aim", "reserve", "answer", "limit", "king", "over"]


class LastingSpell(msgspec.Struct, frozen=True, gc=False):
    """A spell with counters in front of a mage. A protection cast before the king sleeps until an opponent's turn."""

    card: str  # its name in the card list
    counters: int  # the number of turns that the spell still lasts
    asleep: bool  # the spell has no effect yet


class MageView(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """The public facts about a mage."""

    seat: Seat  # counted from 1
    square: int  # counted from 1; behind the finish line it is the number of squares plus 1
    hurdles: tuple[int, ...]  # the squares behind which a hurdle still stands in its lane
    arms: int  # the number of arms that it has left
    legs: int  # the number of legs that it has left
    endurance: int  # at most its value at the start
    power: int  # the power that it has gained
    reserve: int  # the number of tokens that pay for failed rolls
    hand_size: int  # the number of cards in the hand
    cvs: tuple[str, ...]  # the names of the CVs in front of it
    lasting: tuple[LastingSpell, ...]  # spells with counters, the oldest first
    traded: bool  # its last action was a discard action
    dazed: bool  # the mage has no action in its next turn


class CurrentSpell(msgspec.Struct, frozen=True, gc=False):
    """The spell that is being cast."""

    seat: Seat  # the seat of the caster
    card: str  # its name in the card list
    at: Seat  # the seat of the target; 0 for none
    missing: int  # the points that the roll lacks


class Race(View, frozen=True, tag_field="seen_by", tag="everybody"):
    """The public view, which spectators see."""

    phase: Phase  # the kind of decision
    turn: int  # the number of turns of all mages so far
    turn_of: Seat  # the seat whose turn it is
    to_move: tuple[Seat, ...]  # the seats that have to decide
    mages: tuple[MageView, ...]  # seat 1 first
    spell: tuple[CurrentSpell, ...]  # the spell that is being cast, or none
    deed: tuple[Deed, ...]  # the deed that is being paid for, or none
    king: tuple[Seat, ...]  # the seat that plays before the king, then those that follow; empty without a king
    pile: int  # the number of cards left in the pile
    discard: tuple[str, ...]  # names of cards; the last one is on top
    counts: int  # the number of times the pile ran out
    squares: int  # the number of squares of the track
    surge: Surge  # the option `surge`


class SeatRace(Race, frozen=True, tag_field="seen_by", tag="seat"):
    """The view of a player: the public view with the hand and the answer."""

    seat: Seat  # your own seat
    hand: tuple[str, ...]  # the names of your cards
    answer: tuple[str, ...]  # your answer to the current spell: `let_be` or a counter-spell; empty before


class RaceKnowledge(Knowledge, frozen=True, gc=False):
    """Everything that a player or a spectator knows: the view, earlier events that still matter, and facts about hands
    that can be inferred."""

    view: Race | SeatRace  # the view that comes with each turn
    price: int  # the number of cards still to drop for the deed
    may_act: bool  # whether the drawn cards let the mage of the turn act
    trades: bool  # whether the mage of the turn takes a discard action
    surging: bool  # whether the mage surges when the spell is done
    king_called_by: Seat  # the seat for which the king comes when the spell is done; 0 for none
    king_before_upkeep: bool  # whether the king came with the draw of the turn, before its upkeep
    bared: tuple[Seat, ...]  # the seats that have played before this king, whose hands have no counter-spell
    kept: tuple[int, ...]  # by seat: the number of cards in the hand that were drawn before the pile was shuffled
    kept_cards: tuple[str, ...]  # the names of these cards, of all hands together
    own_kept: tuple[str, ...]  # the names of these cards in the own hand
