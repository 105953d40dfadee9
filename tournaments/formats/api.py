"""The contract of a cup format: who plays whom next. Pure: equal results give equal pairings.

`next` is given the results so far and returns every pairing that can be said by now, those before it included, in the
order in which they are best begun. What it has said stays. A format never looks at which match ended first, so a cup
played one match at a time has the same pairings as one played at many tables.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar, Protocol, TypeAlias

from tournaments.language import _
from tournaments.schedule import Pairing
from tournaments.standings import Played

DEALS = ("fresh", "duplicate", "rotated")
"""fresh: every match has a deal of its own. duplicate: the matches of a round have the same deal, at tables with nobody
in common. rotated: a deal is played once for each entrant, who sit in each seat with it once."""

Results: TypeAlias = Mapping[int, Played]
"""What is over, by the number of the pairing."""
Sitting: TypeAlias = tuple[int, ...]


class Format(Protocol):
    """Pairs entrants, which are numbers from 0. The class attributes describe the format itself."""

    id: ClassVar[str]  # on the wire and the command line
    about: ClassVar[str]  # what is played, for the protocol's page
    takes_late: ClassVar[bool]  # entrants may enter after the start
    draws_rounds: ClassVar[bool]  # the cup's log says when each round is drawn: the draw depends on who is out by then
    has_challenger: ClassVar[bool]  # the first entrant is measured against each of the others

    planned: int  # matches in all

    def __init__(self, deals: str, entrants: int, seats: int, rounds: int, seed: int) -> None: ...

    @staticmethod
    def title() -> str:
        """Returns the name of the format in the current language."""
        ...

    @staticmethod
    def check(deals: str, entrants: int, seats: int) -> None:
        """Raises ValueError, with a sentence, if the format cannot be played with these."""
        ...

    def is_due(self, results: Results) -> bool:
        """Whether one more round can be drawn now, in a format that draws rounds."""
        ...

    def next(self, results: Results, out: Collection[int] = ()) -> Sequence[Pairing]:
        """All pairings that are known by now, in order. A cup is over when all of them are. The entrants who are `out`
        have given up: what is drawn now may do without them."""
        ...

    def draw(self, number: int) -> None:
        """The pairing of that number is known from now on too, if it can be: it began, however far it is."""
        ...

    def reached(self, results: Results) -> Mapping[int, int]:
        """How far each entrant came, where that goes before all points; {} where it does not matter."""
        ...

    def admit(self, begun: int, most: int) -> None:
        """Adds an entrant, with the next number, who plays in the rounds that have not begun. Pairings of these may be
        drawn again.

        Args:
            begun: The highest number of a match that has begun.
            most: The number of matches that the cup may have.

        Raises:
            ValueError: The format takes no late entrant now. Nothing has changed.
        """
        ...


def check_tables(entrants: int, seats: int) -> None:
    """Raises ValueError if the entrants do not fill a table."""
    if entrants < seats:
        raise ValueError(_("There are fewer entrants than the {seats} seats of a table.", seats=seats))


def check_size(planned: int, most: int) -> None:
    """Raises ValueError for more matches than a cup may have."""
    if planned > most:
        raise ValueError(_("That would be {planned} matches; a cup has at most {most}.", planned=planned, most=most))
