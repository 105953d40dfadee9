"""A gauntlet's challenger against each of the others."""

from __future__ import annotations

import pytest

from protocol.messages import SeatResult
from tournaments.challenge import compare_challenger
from tournaments.schedule import Pairing
from tournaments.standings import CountedMatch


def duels(won: str) -> list[CountedMatch]:
    """A duel on a deal of its own for each letter: w where the challenger wins."""
    played = []
    for number, letter in enumerate(won, 1):
        first = letter == "w"
        results = (SeatResult(1, "new", 0, 1 if first else 2), SeatResult(2, "old", 0, 2 if first else 1))
        played.append(CountedMatch(Pairing(number, number, (0, 1)), f"t{number}", results))
    return played


@pytest.mark.parametrize(("won", "surely"), [("w" * 20, 1), ("l" * 20, -1), ("wl" * 10, 0), ("www", 0)])
def test_a_challenger_is_better_or_worse_only_where_the_deals_tell(won: str, surely: int) -> None:
    (against,) = compare_challenger(["new", "old"], duels(won))
    assert (against.entrant, against.matches, against.surely) == ("old", len(won), surely)
