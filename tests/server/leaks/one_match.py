"""A cup of one match, for comparing worlds."""

from __future__ import annotations

from tournaments.formats import FORMATS, Results
from tournaments.schedule import Pairing


class OneMatch:
    """A format: everybody sits at one table, in order."""

    NAME = "one_match"
    planned = 1

    def __init__(self, _deals: str, entrants: int, _seats: int, _rounds: int, _seed: int) -> None:
        self._pairing = Pairing(1, 1, tuple(range(entrants)))

    def next(self, _results: Results, _out: object = ()) -> list[Pairing]:
        return [self._pairing]

    def reached(self, _results: Results) -> dict[int, int]:
        return {}


FORMATS[OneMatch.NAME] = OneMatch  # type: ignore[assignment]
