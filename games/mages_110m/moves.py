"""What can be done and seen in 110 Metres Mages. Cards are written by name, squares are numbered from 1."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from games.api import Action, Options, Seat, View

Deed: TypeAlias = Literal["arm", "leg", "step", "clear", "rest", "reserve"]
DEEDS: tuple[Deed, ...] = ("arm", "leg", "step", "clear", "rest", "reserve")


# --- done --------------------------------------------------------------------------------------------------------


class Cast(Action, frozen=True, tag="cast"):
    """Play a spell from the hand; `at` is the seat it is aimed at, 0 for a spell that is aimed at nobody."""

    card: str
    at: Seat = 0


class Trade(Action, frozen=True, tag="trade"):
    """The discard action: two cards, chosen next, for one deed."""

    deed: Deed


class Gamble(Action, frozen=True, tag="gamble"):
    """Discard the whole hand and cast the top spell of the pile without a roll."""


class Aim(Action, frozen=True, tag="aim"):
    """At whom the gambled spell goes."""

    at: Seat


class Pass(Action, frozen=True, tag="pass"):
    """No action this turn."""


class Drop(Action, frozen=True, tag="drop"):
    """Discard one card: as a price, above the hand limit, or before the king when it cannot be cast."""

    card: str


class Pay(Action, frozen=True, tag="pay"):
    """Pay what the die lacks from the reserve."""


class Fizzle(Action, frozen=True, tag="fizzle"):
    """Do not pay: the spell is discarded and the reserve grows by one."""


class LetBe(Action, frozen=True, tag="let_be"):
    """Answer a spell with nothing."""


class Counter(Action, frozen=True, tag="counter"):
    """Answer a spell with a counter-spell from the hand."""

    card: str


Move: TypeAlias = Cast | Trade | Gamble | Aim | Pass | Drop | Pay | Fizzle | LetBe | Counter


# --- seen --------------------------------------------------------------------------------------------------------

Phase: TypeAlias = Literal["action", "price", "aim", "reserve", "answer", "limit", "king", "over"]


class Lasting(msgspec.Struct, frozen=True, gc=False):
    """A spell with counters in front of a mage. A protection cast before the king sleeps until an opponent's turn."""

    card: str
    counters: int
    asleep: bool


class Mage(msgspec.Struct, frozen=True, gc=False):
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


class SeatRace(Race, frozen=True, tag_field="seen_by", tag="seat"):
    """The same for a mage, with its own hand and the answer it has given to the present spell."""

    seat: Seat
    hand: tuple[str, ...]
    answer: tuple[str, ...]  # () = none yet, ("let_be",) or the counter-spell


class RaceOptions(Options, frozen=True):
    """No options: the card file holds every figure."""
