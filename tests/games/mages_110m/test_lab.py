"""What the lab counts of this game."""

from games.api import Outcome
from games.mages_110m.lab import Lab
from games.mages_110m.moves import Cast, Counter
from games.mages_110m.rules import RaceState
from tests.games.mages_110m.given import given, mage


def test_a_card_wins_with_the_mages_who_played_it_and_the_starter_is_the_first_in_turn_order() -> None:
    lab = Lab()
    state = given("hop", "hop", "hop")
    lab.watch(state, 1, Cast("hop"))
    found = lab.end(state, Outcome((0, 0, 0), (1, 2, 3), "line", ""))
    assert found.groups["played"]["hop"] == {1}
    assert found.groups["turn order"] == {"1": {1}, "2": {2}, "3": {3}}
    lab, state.race.turn_of = Lab(), 2
    lab.watch(state, 2, Cast("hop"))
    state.race.turn_of = 3
    lab.watch(state, 3, Cast("hop"))
    found = lab.end(state, Outcome((0, 0, 0), (1, 2, 3), "line", ""))
    assert found.groups["turn order"] == {"1": {2}, "2": {3}, "3": {1}}


def ended(lab: Lab, state: RaceState) -> dict[str, dict[str, tuple[float, float]]]:
    """How often what happened, and of how many."""
    return {what: dict(shares) for what, shares in lab.end(state, Outcome((0, 0), (1, 2), "line", "")).shares.items()}


def test_a_spell_is_countered_once_and_both_cards_are_played_once_of_those_that_were_held() -> None:
    lab, state = Lab(), given("hop hop dash", "no")
    for seat, action in ((1, Cast("hop")), (2, Counter("no"))):
        lab.watch(state, seat, action)
        state.apply(seat, action)
    shares = ended(lab, state)
    assert shares["spells"] == {"countered": (1, 1)}
    played = {card: times for card, (times, _held) in shares["played when held"].items()}
    assert (played["hop"], played["no"], played["dash"]) == (1, 1, 0)
    assert shares["played when held"]["no"] == (1, 1)


def test_a_turn_has_one_action_however_often_it_is_looked_at_and_is_lost_to_a_cv_or_to_nothing() -> None:
    for cvs, lost in ((0, 0), (1, 1)):
        lab, state = Lab(), given("hop", "hop")
        race = state.race
        race.turn = 1
        lab.watch(state, 1, Cast("hop"))
        lab.watch(state, 1, Cast("hop"))
        race.turn, race.turn_of = 3, 1  # the other mage was not asked
        mage(state, 2).cvs += [race.deck.index["cv_a"]] * cvs
        shares = ended(lab, state)
        assert shares["turns"] == {"without an action": (1, 3), "lost to a CV": (lost, 3)}


def test_turns_that_went_by_are_lost_to_the_cvs_that_came_in_them_each_once() -> None:
    lab, state = Lab(), given("hop", "hop")
    race, cvs = state.race, state.race.deck.index["cv_a"]
    mage(state, 1).cvs = [cvs]
    race.turn, race.turn_of = 2, 2  # the first was lost
    lab.watch(state, 2, Cast("hop"))
    mage(state, 1).cvs += [cvs] * 2
    mage(state, 2).cvs += [cvs]
    race.turn, race.turn_of = 9, 1  # 3 and 5 were lost to CVs of the first mage, 4 to one of the second
    lab.watch(state, 1, Cast("hop"))
    assert ended(lab, state)["turns"] == {"without an action": (7, 9), "lost to a CV": (4, 9)}


def test_the_king_is_counted_once_for_each_of_his_visits() -> None:
    lab, state = Lab(), given("hop hop", "hop")
    for reigns in (True, True, False, True):
        state.race.king_reigns = reigns
        lab.watch(state, 1, Cast("hop"))
    found = lab.end(state, Outcome((0, 0), (1, 2), "line", ""))
    assert found.means["visits of the king"] == 2
    assert found.shares["races"] == {"ended in the king's show": (1, 1)}


def test_what_comes_into_a_hand_with_the_last_action_was_held_too() -> None:
    lab, state = Lab(), given("hop", "no")
    lab.watch(state, 1, Cast("hop"))
    mage(state, 2).hand += [state.race.deck.index["dash"]] * 2
    assert ended(lab, state)["played when held"] == {"hop": (1, 1), "no": (0, 1), "dash": (0, 2)}
