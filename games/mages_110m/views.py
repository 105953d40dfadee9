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

    card: str
    counters: int
    asleep: bool


class Mage(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """What everybody sees of a mage. `hurdles` are the squares behind which one still stands in its lane."""

    seat: Seat
    square: int
    hurdles: tuple[int, ...]
    arms: int
    legs: int
    endurance: int
    power: int
    reserve: int
    hand_size: int
    cvs: tuple[str, ...]
    lasting: tuple[Lasting, ...]
    traded: bool  # the last action phase was a discard action
    dazed: bool


class Spell(msgspec.Struct, frozen=True, gc=False):
    """The spell that is being cast; `missing` is what the die lacks."""

    seat: Seat
    card: str
    at: Seat
    missing: int


class Race(View, frozen=True, tag_field="seen_by", tag="everybody"):
    """What everybody sees, and all that a spectator sees."""

    phase: Phase
    turn: int  # turns of all mages so far
    turn_of: Seat
    to_move: tuple[Seat, ...]
    mages: tuple[Mage, ...]
    spell: tuple[Spell, ...]  # the one being cast, or none
    deed: tuple[Deed, ...]  # the one being paid for, or none
    king: tuple[Seat, ...]  # before the king: who is playing and who is to come
    pile: int
    discard: tuple[str, ...]  # the last one lies on top
    counts: int  # how often the pile ran out
    squares: int
    surge: Surge  # what becomes of power that has fired


class SeatRace(Race, frozen=True, tag_field="seen_by", tag="seat"):
    """The same for a mage, with its own hand and the answer it has given to the present spell."""

    seat: Seat
    hand: tuple[str, ...]
    answer: tuple[str, ...]  # () = none yet, ("let_be",) or the counter-spell


class RaceKnowledge(Knowledge, frozen=True, gc=False):
    """All that a mage or a spectator knows: what is seen, what was told and still counts, and what can be worked out
    of the hands."""

    view: Race | SeatRace
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
