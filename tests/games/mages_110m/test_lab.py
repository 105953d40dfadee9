"""What the lab counts of this game."""

from games.api import Outcome
from games.mages_110m.lab import Lab
from games.mages_110m.moves import Cast
from tests.games.mages_110m.given import given


def test_a_card_wins_as_often_as_the_mages_who_played_it() -> None:
    lab = Lab()
    for places in ((1, 2), (2, 1), (1, 2), (1, 2)):
        state = given("hop", "hop")
        lab.watch(state, 1, Cast("hop"))
        lab.end(state, Outcome((0, 0), places, "line", ""))
    row = next(line for line in lab.table() if line.startswith("| `hop` |"))
    assert row.endswith("| 8 | 50.0 % | 75.0 % |")
    assert "| wins of the mage who starts | 75.0 % |" in lab.table()
