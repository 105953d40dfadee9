"""Creates frequent public events. Equal events are created once and cached."""

from __future__ import annotations

from functools import cache

from games.api import Seat, Told, tell_all
from games.mages_110m import events
from games.mages_110m.events import Figure


@cache
def changed(seat: Seat, what: Figure, now: int) -> Told:
    """Returns the event of a changed figure."""
    return tell_all(events.Changed(seat, what, now))


@cache
def was_cast(seat: Seat, card: str, at: Seat) -> Told:
    """Returns the event of a spell put into play."""
    return tell_all(events.WasCast(seat, card, at))


@cache
def rolled(seat: Seat, die: int, bonus: int, need: int) -> Told:
    """Returns the event of a die roll."""
    return tell_all(events.Rolled(seat, die, bonus, need))


@cache
def nobody_answers(seat: Seat, card: str) -> Told:
    """Returns the event for a spell that no opponent countered."""
    return tell_all(events.Answers(seat, card, ()))


@cache
def moved(seat: Seat, square: int, broken: tuple[int, ...]) -> Told:
    """Returns the event of a mage that moved."""
    return tell_all(events.Moved(seat, square, broken))


@cache
def dropped(seat: Seat, card: str) -> Told:
    """Returns the event of a discard from a hand."""
    return tell_all(events.Dropped(seat, card))


@cache
def drew(seat: Seat, count: int) -> Told:
    """Returns the event of drawn spells without CVs or the king."""
    return tell_all(events.Drew(seat, count))


@cache
def ticked(seat: Seat, card: str, counters: int) -> Told:
    """Returns the event of a lasting spell that lost a counter."""
    return tell_all(events.Ticked(seat, card, counters))
