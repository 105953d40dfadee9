"""What the lab counts of this game."""

from games.api import Outcome
from games.mages_110m.lab import Lab
from games.mages_110m.moves import Cast
from games.mages_110m.rules import RaceState
from tests.games.mages_110m.given import given, mage


def test_a_card_wins_with_the_mages_who_played_it_and_the_starter_is_the_first_in_turn_order() -> None:
    lab = Lab()
    state = given("hop", "hop", "hop")
    lab.record_action(state, 1, Cast("hop"))
    found = lab.match_figures(state, Outcome((0, 0, 0), (1, 2, 3), "line", ""))
    assert found.groups["played"]["hop"] == {1}
    assert found.groups["turn order"] == {"1": {1}, "2": {2}, "3": {3}}
    lab, state.race.turn_of = Lab(), 2
    lab.record_action(state, 2, Cast("hop"))
    state.race.turn_of = 3
    lab.record_action(state, 3, Cast("hop"))
    found = lab.match_figures(state, Outcome((0, 0, 0), (1, 2, 3), "line", ""))
    assert found.groups["turn order"] == {"1": {2}, "2": {3}, "3": {1}}


def ended(lab: Lab, state: RaceState) -> dict[str, dict[str, tuple[float, float]]]:
    """How often what happened, and of how many."""
    return {
        what: dict(shares)
        for what, shares in lab.match_figures(state, Outcome((0, 0), (1, 2), "line", "")).shares.items()
    }


def test_a_turn_has_one_action_however_often_it_is_looked_at_and_is_lost_to_a_cv_or_to_nothing() -> None:
    for cvs, lost in ((0, 0), (1, 1)):
        lab, state = Lab(), given("hop", "hop")
        race = state.race
        race.turn = 1
        lab.record_action(state, 1, Cast("hop"))
        lab.record_action(state, 1, Cast("hop"))
        race.turn, race.turn_of = 3, 1  # the other mage was not asked
        mage(state, 2).cvs += [race.deck.index["cv_a"]] * cvs
        shares = ended(lab, state)
        assert shares["turns"] == {"without an action": (1, 3), "lost to a CV": (lost, 3)}
