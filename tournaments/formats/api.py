"""The interface of a cup format, which decides who plays whom next. Pure: equal results give equal pairings.

`next` takes the results so far, and returns all pairings that are known by now, including earlier ones, in the order in
which they should begin. A returned pairing does not change, except by `admit`. A format never uses the order in which
matches end, so a cup played one match at a time has the same pairings as one played at many tables.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar, Protocol, TypeAlias

from tournaments.language import _
from tournaments.schedule import Pairing
from tournaments.standings import CountedMatch

DEALS = ("fresh", "duplicate", "rotated")
"""How deals are given to matches. fresh: every match has its own deal. duplicate: the matches of a round have the same
deal, at tables with no common entrants. rotated: each deal is played once for each entrant, and each entrant sits in
each seat once with it."""

Results: TypeAlias = Mapping[int, CountedMatch]
"""The finished matches by the number of their pairing."""
Sitting: TypeAlias = tuple[int, ...]


class Format(Protocol):
    """Pairs entrants, which are numbers from 0. The class attributes describe the format itself."""

    id: ClassVar[str]  # id in the protocol and on the command line
    about: ClassVar[str]  # description on the protocol's page
    takes_late: ClassVar[bool]  # whether entrants may enter after the start
    # whether the cup's log records when each round is drawn, because the draw leaves out entrants who have given up
    draws_rounds: ClassVar[bool]
    has_challenger: ClassVar[bool]  # whether the first entrant is compared with each of the others

    planned: int  # total number of matches

    def __init__(self, deals: str, entrants: int, seats: int, rounds: int, seed: int) -> None: ...

    @staticmethod
    def title() -> str:
        """Returns the name of the format in the current language."""
        ...

    @staticmethod
    def check_playable(deals: str, entrants: int, seats: int) -> None:
        """Raises ValueError, with a sentence, if the format cannot be played with these arguments."""
        ...

    def is_round_due(self, results: Results) -> bool:
        """Returns whether another round can be drawn now, in a format that draws rounds."""
        ...

    def known_pairings(self, results: Results, out: Collection[int] = ()) -> Sequence[Pairing]:
        """Returns all pairings that are known by now, in order. A cup is over when all of them are over.

        The entrants in `out` have given up, and a round that this call draws may leave them out.
        """
        ...

    def draw_up_to(self, number: int) -> None:
        """Computes the pairings up to that number, if possible, because that match has already begun."""
        ...

    def stages_reached(self, results: Results) -> Mapping[int, int]:
        """Returns how far each entrant came, by its number, if the standings rank by this first; {} otherwise."""
        ...

    def admit_entrant(self, begun: int, most: int) -> None:
        """Adds an entrant, with the next number, who plays in the rounds that have not begun. Their pairings may
        change.

        Args:
            begun: The highest number of a match that has begun.
            most: The greatest number of matches that the cup may have.

        Raises:
            ValueError: The format takes no late entrant now. Nothing has changed.
        """
        ...


def check_tables(entrants: int, seats: int) -> None:
    """Raises ValueError if the entrants do not fill a table."""
    if entrants < seats:
        raise ValueError(_("There are fewer entrants than the {seats} seats of a table.", seats=seats))


def check_match_count(planned: int, most: int) -> None:
    """Raises ValueError if `planned` matches are more than the limit `most` of a cup."""
    if planned > most:
        raise ValueError(_("That would be {planned} matches; a cup has at most {most}.", planned=planned, most=most))
