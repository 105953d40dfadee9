"""The gauntlet: one challenger against all others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tournaments.formats.api import Sitting
from tournaments.formats.rounds import PredrawnFormat
from tournaments.formats.seats import SeatCounts, cup_chance
from tournaments.language import _


class Gauntlet(PredrawnFormat):
    """The first entrant plays against all others. With more than two seats, others who sit at the same table also
    meet."""

    id: ClassVar[str] = "gauntlet"
    about: ClassVar[str] = "the first entrant is at every table; in each round it meets each other entrant once"
    has_challenger: ClassVar[bool] = True

    @staticmethod
    def title() -> str:
        """See Format."""
        return _("gauntlet")

    @staticmethod
    def check_playable(deals: str, entrants: int, seats: int) -> None:
        """See Format."""
        PredrawnFormat.check_playable(deals, entrants, seats)
        if deals != "fresh":
            raise ValueError(_("A gauntlet has fresh deals: its first entrant plays in every match."))

    def __init__(self, deals: str, entrants: int, seats: int, rounds: int, seed: int) -> None:
        super().__init__(_against_the_first(entrants, seats, seed), -(-(entrants - 1) // (seats - 1)), rounds, deals)


def _against_the_first(entrants: int, seats: int, seed: int) -> Iterator[list[Sitting]]:
    """Yields rounds in which all others meet the first entrant. If the others do not fill the last table of a round,
    some of them play twice in that round."""
    chance, sat = cup_chance(seed, "gauntlet"), SeatCounts(entrants, seats)
    while True:
        others, tables = chance.shuffle("others", range(1, entrants)), []
        while others:
            rivals, others = others[: seats - 1], others[seats - 1 :]
            rest = [one for one in range(1, entrants) if one not in rivals]
            rivals += chance.shuffle("filling", rest)[: seats - 1 - len(rivals)]
            tables.append(sat.assign_seats([0, *rivals], chance))
        yield tables
