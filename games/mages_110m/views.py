"""What can be seen of a race: the same for everybody, and for a mage its own hand besides."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from games.api import Knowledge, Seat, View
from games.mages_110m.moves import Deed
from games.mages_110m.options import Surge

Phase: TypeAlias = Literal["action", "price", "aim", "reserve", "answer", "limit", "king", "over"]


class Lasting(msgspec.Struct, frozen=True, gc=False):
    """A spell with counters in front of a mage. A protection cast before the king sleeps until an opponent's turn."""

    card: str  # its name
    counters: int  # turns that it still lasts
    asleep: bool  # does nothing yet


class Mage(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """What everybody sees of a mage."""

    seat: Seat  # from 1 on
    square: int  # 1 is the first; one more than the track has: over the line
    hurdles: tuple[int, ...]  # the squares behind which one still stands in its lane
    arms: int  # that it has left
    legs: int  # that it has left
    endurance: int  # at most what it began with
    power: int  # that it has gathered
    reserve: int  # tokens that pay for failed rolls
    hand_size: int  # cards in the hand
    cvs: tuple[str, ...]  # the CVs in front of it
    lasting: tuple[Lasting, ...]  # spells with counters, the oldest first
    traded: bool  # the last action phase was a discard action
    dazed: bool  # has no action in its next turn


class Spell(msgspec.Struct, frozen=True, gc=False):
    """The spell that is being cast; `missing` is what the die lacks."""

    seat: Seat  # who casts it
    card: str  # its name
    at: Seat  # the mage aimed at; 0: nobody
    missing: int  # what the die lacks


class Race(View, frozen=True, tag_field="seen_by", tag="everybody"):
    """What everybody sees, and all that a spectator sees."""

    phase: Phase  # what is to be decided
    turn: int  # turns of all mages so far
    turn_of: Seat  # the mage of the turn
    to_move: tuple[Seat, ...]  # the seats that have to decide
    mages: tuple[Mage, ...]  # seat 1 first
    spell: tuple[Spell, ...]  # the one being cast, or none
    deed: tuple[Deed, ...]  # the one being paid for, or none
    king: tuple[Seat, ...]  # before the king: who is playing and who is to come
    pile: int  # cards left in it
    discard: tuple[str, ...]  # the last one lies on top
    counts: int  # how often the pile ran out
    squares: int  # of the track
    surge: Surge  # what becomes of power that has fired


class SeatRace(Race, frozen=True, tag_field="seen_by", tag="seat"):
    """The same for a mage, with its own hand and the answer it has given to the present spell."""

    seat: Seat  # your own
    hand: tuple[str, ...]  # your cards
    answer: tuple[str, ...]  # empty: none yet; else `let_be` or the counter-spell


class RaceKnowledge(Knowledge, frozen=True, gc=False):
    """All that a mage or a spectator knows: what is seen, what was told and still counts, and what can be worked out
    of the hands."""

    view: Race | SeatRace  # as a turn brings it
    price: int  # cards still to be dropped for the deed
    may_act: bool  # what the mage of the turn drew lets it act
    trades: bool  # its action phase is a discard action
    surging: bool  # power fires when the spell is done
    king_called_by: Seat  # for whom the king comes when the spell is done; 0 for nobody
    king_before_upkeep: bool  # the king came with the draw of the turn, so that its upkeep is to come
    bared: tuple[Seat, ...]  # have stood before this king: their hands hold no counter-spell
    kept: tuple[int, ...]  # by seat: so many cards of the hand are older than the pile, which holds none of them
    kept_cards: tuple[str, ...]  # which these are, of all hands together
    own_kept: tuple[str, ...]  # and of one's own
