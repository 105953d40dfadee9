"""What all are told again and again in a race; made once for the same fields and kept."""

from __future__ import annotations

from functools import cache

from games.api import Seat, Told, tell_all
from games.mages_110m import events
from games.mages_110m.events import Figure


@cache
def changed(seat: Seat, what: Figure, now: int) -> Told:
    """A figure of a mage changed."""
    return tell_all(events.Changed(seat, what, now))


@cache
def was_cast(seat: Seat, card: str, at: Seat) -> Told:
    """A spell lies in play."""
    return tell_all(events.WasCast(seat, card, at))


@cache
def rolled(seat: Seat, die: int, bonus: int, need: int) -> Told:
    """The die of a spell."""
    return tell_all(events.Rolled(seat, die, bonus, need))


@cache
def nobody_answers(seat: Seat, card: str) -> Told:
    """All let a spell be."""
    return tell_all(events.Answers(seat, card, ()))


@cache
def moved(seat: Seat, square: int, broken: tuple[int, ...]) -> Told:
    """A mage stands on another square."""
    return tell_all(events.Moved(seat, square, broken))


@cache
def dropped(seat: Seat, card: str) -> Told:
    """A card is discarded from a hand."""
    return tell_all(events.Dropped(seat, card))


@cache
def drew(seat: Seat, count: int) -> Told:
    """Somebody drew spells and nothing else."""
    return tell_all(events.Drew(seat, count))


@cache
def ticked(seat: Seat, card: str, counters: int) -> Told:
    """A lasting spell lost a counter."""
    return tell_all(events.Ticked(seat, card, counters))
