"""A cup of one match, for comparing worlds."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from tournaments.formats.api import Results
from tournaments.formats.rounds import BaseFormat
from tournaments.schedule import Pairing


class OneMatch(BaseFormat):
    """A format: everybody sits at one table, in order."""

    id: ClassVar[str] = "one_match"
    about: ClassVar[str] = "one match"

    @staticmethod
    def title() -> str:
        return "one match"

    def __init__(self, deals: str, entrants: int, seats: int, rounds: int, seed: int) -> None:
        self.planned = 1
        self._pairing = Pairing(1, 1, tuple(range(entrants)))

    def known_pairings(self, results: Results, out: Collection[int] = ()) -> list[Pairing]:
        return [self._pairing]
