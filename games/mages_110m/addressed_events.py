"""Creates frequent public events. Equal events are created once and cached."""

from __future__ import annotations

from functools import cache

from games.api import AddressedEvent, Seat, to_all
from games.mages_110m import events
from games.mages_110m.events import MageFigure


@cache
def figure_changed_event(seat: Seat, what: MageFigure, now: int) -> AddressedEvent:
    """Returns the event that one of a mage's figures, such as its endurance, has changed."""
    return to_all(events.Changed(seat, what, now))


@cache
def cast_event(seat: Seat, card: str, at: Seat) -> AddressedEvent:
    """Returns the event of a spell put into play."""
    return to_all(events.WasCast(seat, card, at))


@cache
def rolled_event(seat: Seat, die: int, bonus: int, need: int) -> AddressedEvent:
    """Returns the event of a die roll."""
    return to_all(events.Rolled(seat, die, bonus, need))


@cache
def no_answers_event(seat: Seat, card: str) -> AddressedEvent:
    """Returns the event that no opponent countered a spell."""
    return to_all(events.Answers(seat, card, ()))


@cache
def moved_event(seat: Seat, square: int, broken: tuple[int, ...]) -> AddressedEvent:
    """Returns the event that a mage moved to another square."""
    return to_all(events.Moved(seat, square, broken))


@cache
def discarded_event(seat: Seat, card: str) -> AddressedEvent:
    """Returns the event that a mage discarded a card from its hand."""
    return to_all(events.Dropped(seat, card))


@cache
def drew_event(seat: Seat, count: int) -> AddressedEvent:
    """Returns the event that a mage drew spells only, without CVs and without the king."""
    return to_all(events.Drew(seat, count))


@cache
def counter_removed_event(seat: Seat, card: str, counters: int) -> AddressedEvent:
    """Returns the event that a lasting spell lost a counter."""
    return to_all(events.Ticked(seat, card, counters))
