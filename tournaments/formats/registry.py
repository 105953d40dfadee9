"""The registry of cup formats. A new format is a module here and an entry in `_ALL`; everything else is derived from
it."""

from __future__ import annotations

from tournaments.formats.api import DEALS, Format
from tournaments.formats.gauntlet import Gauntlet
from tournaments.formats.knockout import Knockout
from tournaments.formats.round_robin import RoundRobin
from tournaments.formats.swiss import Swiss
from tournaments.language import _

_ALL: tuple[type[Format], ...] = (RoundRobin, Gauntlet, Swiss, Knockout)
FORMATS: dict[str, type[Format]] = {one.id: one for one in _ALL}


def make_format(kind: str, deals: str, entrants: int, seats: int, rounds: int, seed: int) -> Format:
    """Creates a format. Raises ValueError, with a sentence, if it cannot be played."""
    if kind not in FORMATS:
        raise ValueError(_("There is no format {kind}; there are: {listed}.", kind=kind, listed=", ".join(FORMATS)))
    if deals not in DEALS:
        raise ValueError(_("Deals are {listed}.", listed=", ".join(DEALS)))
    if entrants < 1 or rounds < 1 or seats < 2:
        raise ValueError(_("A cup needs an entrant, two seats and a round."))
    chosen = FORMATS[kind]
    chosen.check_playable(deals, entrants, seats)
    if deals == "duplicate" and entrants < 2 * seats:
        raise ValueError(_("Duplicate deals need two tables of {seats} with nobody in common.", seats=seats))
    return chosen(deals, entrants, seats, rounds, seed)


def format_title(kind: str) -> str:
    """Returns the format's name in the current language; for an unknown format its id."""
    return FORMATS[kind].title() if kind in FORMATS else kind


def admits_late_entrants(kind: str) -> bool:
    """Returns whether that format takes entrants after the start."""
    return kind in FORMATS and FORMATS[kind].takes_late


def draws_rounds(kind: str) -> bool:
    """Returns whether the cup's log records when each round of that format is drawn."""
    return kind in FORMATS and FORMATS[kind].draws_rounds


def has_challenger(kind: str) -> bool:
    """Returns whether the first entrant of that format is compared with each of the others."""
    return kind in FORMATS and FORMATS[kind].has_challenger
