"""The knockout: the better half of each group advances."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import ClassVar

from games.chance import Chance
from tournaments.formats.api import Results
from tournaments.formats.rounds import RoundByRoundFormat
from tournaments.formats.seats import cup_chance
from tournaments.language import _
from tournaments.schedule import Pairing
from tournaments.standings import win_shares_and_places

NEAR = 256  # matches computed in advance: more than are played at once, in a few milliseconds


class Knockout(RoundByRoundFormat):
    """Each group of one table plays `rounds` matches. The better half advances, until one group is left, the final.

    An entrant without a full group advances without playing, and gets a group in the next stage.
    """

    id: ClassVar[str] = "knockout"
    about: ClassVar[str] = (
        "groups of one table play `rounds` matches; the better half of each advances, until one group is left; "
        "an entrant without a full group advances without playing, and gets a group in the next stage"
    )

    @staticmethod
    def title() -> str:
        """See Format."""
        return _("knockout")

    def __init__(self, deals: str, entrants: int, seats: int, rounds: int, seed: int) -> None:
        super().__init__(deals, entrants, seats, rounds, seed)
        self._alive = cup_chance(seed, "knockout").shuffle("order", range(entrants))
        self._groups: list[list[int]] = []
        self._stages: dict[int, int] = {}
        self._draws: Chance  # randomness of the current stage
        self._drawn = rounds  # matches drawn per group in this stage; before the first stage none is left to draw
        self.planned = rounds * _groups_in_all(entrants, seats)

    def known_pairings(self, results: Results, out: Collection[int] = ()) -> Sequence[Pairing]:
        """Returns about NEAR pairings more than there are results, and begins the next stage when the current one is
        over."""
        self.draw_up_to(len(results) + NEAR)
        while self._drawn == self._of and self._is_over(results) and not self._is_final:
            if self._groups:
                self._alive = self._going_on(results)
            self._pair()
            self.draw_up_to(len(results) + NEAR)
        return self._pairings

    def draw_up_to(self, number: int) -> None:
        """Draws further matches of all groups until there is one with that number, but none beyond the current
        stage."""
        while self._drawn < self._of and len(self._pairings) < number:
            self._drawn += 1
            deal = (len(self._ends) - 1) * self._of + self._drawn
            self._add([self._sat.assign_seats(group, self._draws) for group in self._groups], deal)
            self._ends[-1] = len(self._pairings)

    @property
    def _is_final(self) -> bool:
        return bool(self._groups) and len(self._alive) == len(self._groups[0])

    def stages_reached(self, results: Results) -> Mapping[int, int]:
        """Returns the stage that each entrant reached."""
        self.known_pairings(results)
        return self._stages

    def _going_on(self, results: Results) -> list[int]:
        total: dict[int, tuple[Fraction, Fraction]] = dict.fromkeys(self._alive, (Fraction(0), Fraction(0)))
        for played in self._last(results):
            for entrant, (share, place) in zip(
                played.pairing.entrants, win_shares_and_places(played.results), strict=False
            ):
                shares, places = total[entrant]
                total[entrant] = shares + share, places - place
        playing = [one for group in self._groups for one in group]
        more = [one for one in self._alive if one not in playing]
        best = [
            sorted(group, key=lambda one: total[one], reverse=True)[: (len(group) + 1) // 2] for group in self._groups
        ]
        ranked = [one for rank in zip_longest(*best) for one in rank if one is not None]
        return ranked + more

    def _pair(self) -> None:
        """Forms the groups of the next stage, without drawing matches."""
        stage = len(self._ends) + 1
        self._draws, self._drawn = cup_chance(self._seed, f"stage {stage}"), 0
        size = min(self._seats, len(self._alive))
        late = len(self._alive) % size  # entrants at the front won their groups, and advance without playing
        playing = self._alive[late:]
        count = len(playing) // size
        self._groups = [playing[number::count] for number in range(count)]
        self._ends.append(len(self._pairings))
        self._stages.update(dict.fromkeys(self._alive, stage))


def _groups_in_all(entrants: int, seats: int) -> int:
    """Returns the total number of groups in all stages of a knockout."""
    count, alive = 0, entrants
    while True:
        size = min(seats, alive)
        groups = alive // size
        count += groups
        if groups == 1 and alive == size:
            return count
        alive = alive % size + groups * ((size + 1) // 2)
