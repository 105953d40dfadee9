"""What the lab counts of this game."""

from games.api import Outcome
from games.mages_110m.lab import Lab
from games.mages_110m.moves import Cast
from tests.games.mages_110m.given import given


def test_a_card_wins_with_the_mages_who_played_it_and_the_starter_is_the_first_in_turn_order() -> None:
    lab = Lab()
    state = given("hop", "hop", "hop")
    lab.watch(state, 1, Cast("hop"))
    found = lab.end(state, Outcome((0, 0, 0), (1, 2, 3), "line", ""))
    assert found.groups["played"]["hop"] == {1}
    assert found.groups["turn order"] == {"1": {1}, "2": {2}, "3": {3}}
