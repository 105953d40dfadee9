"""Who is told what when a spell is cast or a player passes; made once for the same fields and kept."""

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


@cache
def support(seat: Seat, card: str, paid: bool) -> Told:
    """A Support spell is cast."""
    return tell_all(events.SupportCast(seat, card, paid))
