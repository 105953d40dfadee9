"""Creates frequent events together with their receivers. Equal events are created once and cached."""

from __future__ import annotations

from functools import cache

from games.api import AddressedEvent, Seat, to_all, to_others, to_seat
from games.cheaty_mages import events

PASSED = [to_all(events.Passed(seat, False)) for seat in range(7)]  # the event of a pass, by seat


@cache
def placed_event(seat: Seat, card: str, fighter: int, paid: bool) -> AddressedEvent:
    """Returns the event of a spell placed face up on a fighter."""
    return to_all(events.SpellPlaced(seat, card, fighter, paid))


def hidden_spell_events(seat: Seat, card: str, fighter: int, paid: bool) -> list[AddressedEvent]:
    """Returns the events of a spell placed face down on a fighter. Only its caster learns the card."""
    return list(_hidden(seat, card, fighter, paid))


@cache
def _hidden(seat: Seat, card: str, fighter: int, paid: bool) -> tuple[AddressedEvent, AddressedEvent]:
    others = to_others(seat, events.SpellHidden(seat, fighter, paid))
    return others, to_seat(seat, events.YouHid(card, fighter, paid))


def bet_events(seat: Seat, on: tuple[int, ...]) -> list[AddressedEvent]:
    """Returns the events of a bet. Only its own seat learns the fighters."""
    return list(_bet(seat, on))


@cache
def _bet(seat: Seat, on: tuple[int, ...]) -> tuple[AddressedEvent, AddressedEvent]:
    return to_others(seat, events.BetPlaced(seat, len(on))), to_seat(seat, events.YouBet(on))


@cache
def discarded_event(seat: Seat, card: str) -> AddressedEvent:
    """Returns the event of a discard from a hand."""
    return to_all(events.Discarded(seat, card))


@cache
def looked_event(seat: Seat, fighter: int) -> AddressedEvent:
    """Returns the event that tells all other seats that a seat looked at the face-down spells on a fighter."""
    return to_others(seat, events.Looked(seat, fighter))


@cache
def saw_nothing_event(seat: Seat, fighter: int) -> AddressedEvent:
    """Returns the event for a seat that looked at a fighter without face-down spells."""
    return to_seat(seat, events.YouSaw(fighter, ()))


@cache
def support_event(seat: Seat, card: str, paid: bool) -> AddressedEvent:
    """Returns the event of a Support spell that was cast."""
    return to_all(events.SupportCast(seat, card, paid))
