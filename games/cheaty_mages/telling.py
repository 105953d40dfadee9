"""Addresses frequent events to their receivers. Equal events are created once and cached."""

from __future__ import annotations

from functools import cache

from games.api import Seat, Told, tell, tell_all, tell_others
from games.cheaty_mages import events

PASSED = [tell_all(events.Passed(seat, False)) for seat in range(7)]  # by seat


@cache
def placed(seat: Seat, card: str, fighter: int, paid: bool) -> Told:
    """Returns the event of a spell placed face up on a fighter."""
    return tell_all(events.SpellPlaced(seat, card, fighter, paid))


def hidden(seat: Seat, card: str, fighter: int, paid: bool) -> list[Told]:
    """Returns the events of a spell placed face down on a fighter. Only its caster learns the card."""
    return list(_hidden(seat, card, fighter, paid))


@cache
def _hidden(seat: Seat, card: str, fighter: int, paid: bool) -> tuple[Told, Told]:
    others = tell_others(seat, events.SpellHidden(seat, fighter, paid))
    return others, tell(seat, events.YouHid(card, fighter, paid))


def bet(seat: Seat, on: tuple[int, ...]) -> list[Told]:
    """Returns the events of a bet. Only its own seat learns the fighters."""
    return list(_bet(seat, on))


@cache
def _bet(seat: Seat, on: tuple[int, ...]) -> tuple[Told, Told]:
    return tell_others(seat, events.BetPlaced(seat, len(on))), tell(seat, events.YouBet(on))


@cache
def discarded(seat: Seat, card: str) -> Told:
    """Returns the event of a discard from a hand."""
    return tell_all(events.Discarded(seat, card))


@cache
def looked(seat: Seat, fighter: int) -> Told:
    """Returns the event that tells others that a seat looked at a fighter's face-down spells."""
    return tell_others(seat, events.Looked(seat, fighter))


@cache
def saw_nothing(seat: Seat, fighter: int) -> Told:
    """Returns the event for a seat that looked at a fighter without face-down spells."""
    return tell(seat, events.YouSaw(fighter, ()))


@cache
def support(seat: Seat, card: str, paid: bool) -> Told:
    """Returns the event of a Support spell."""
    return tell_all(events.SupportCast(seat, card, paid))
