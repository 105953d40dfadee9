"""Who is told what of the things that happen again and again; made once for the same fields and kept."""

from __future__ import annotations

from functools import cache

from games.api import Seat, Told, tell, tell_all, tell_others
from games.cheaty_mages import events

PASSED = [tell_all(events.Passed(seat, False)) for seat in range(7)]  # by seat


@cache
def placed(seat: Seat, card: str, fighter: int, paid: bool) -> Told:
    """A spell lies face up on a fighter."""
    return tell_all(events.SpellPlaced(seat, card, fighter, paid))


def hidden(seat: Seat, card: str, fighter: int, paid: bool) -> list[Told]:
    """A spell lies face down on a fighter: only its caster is told which."""
    return list(_hidden(seat, card, fighter, paid))


@cache
def _hidden(seat: Seat, card: str, fighter: int, paid: bool) -> tuple[Told, Told]:
    others = tell_others(seat, events.SpellHidden(seat, fighter, paid))
    return others, tell(seat, events.YouHid(card, fighter, paid))


def bet(seat: Seat, on: tuple[int, ...]) -> list[Told]:
    """Somebody bets: only that seat is told on whom."""
    return list(_bet(seat, on))


@cache
def _bet(seat: Seat, on: tuple[int, ...]) -> tuple[Told, Told]:
    return tell_others(seat, events.BetPlaced(seat, len(on))), tell(seat, events.YouBet(on))


@cache
def discarded(seat: Seat, card: str) -> Told:
    """A card is discarded from a hand."""
    return tell_all(events.Discarded(seat, card))


@cache
def looked(seat: Seat, fighter: int) -> Told:
    """Somebody looks at what lies face down on a fighter."""
    return tell_others(seat, events.Looked(seat, fighter))


@cache
def saw_nothing(seat: Seat, fighter: int) -> Told:
    """You looked where nothing lies face down."""
    return tell(seat, events.YouSaw(fighter, ()))


@cache
def support(seat: Seat, card: str, paid: bool) -> Told:
    """A Support spell is cast."""
    return tell_all(events.SupportCast(seat, card, paid))
