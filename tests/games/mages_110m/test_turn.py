"""110 Metres Mages: setup, drawing, upkeep, the hand limit."""

import pytest

from games.api import options_from
from games.chance import Chance
from games.mages_110m import GAMES, events
from games.mages_110m.rules import RaceState
from games.mages_110m.views import Race
from tests.games.mages_110m.given import (
    begin_turn,
    cards,
    cast,
    do,
    given,
    hand,
    heard,
    lay,
    let_be,
    lying,
    mage,
    may,
    named,
    pile_is,
)

RACE = GAMES[0]


def dealt(seats: int = 2, number: int = 1) -> RaceState:
    state, _ = RACE.start(seats, options_from(RACE, {}), Chance.of_number(number))
    assert isinstance(state, RaceState)
    return state


def test_two_to_four_mages_race() -> None:
    """Rule 1.1."""
    for seats in (2, 3, 4):
        assert len(dealt(seats).race.mages) == seats
    for seats in (1, 5):
        with pytest.raises(ValueError, match="2 to 4"):
            RACE.start(seats, options_from(RACE, {}), Chance.of_number(1))


def test_eleven_squares_with_a_hurdle_behind_each_but_the_last() -> None:
    """Rule 1.2."""
    view = dealt().view(None)
    assert view.squares == 11
    for runner in view.mages:
        assert runner.square == 1
        assert runner.hurdles == tuple(range(1, 11))


def test_a_mage_starts_whole_rested_and_powerless() -> None:
    """Rule 1.3."""
    for runner in dealt(3).view(None).mages:
        assert (runner.arms, runner.legs, runner.endurance, runner.power) == (2, 2, 10, 0)


def test_all_cards_are_in_one_pile_and_nobody_has_a_hand() -> None:
    """Rule 1.4."""
    race = dealt(4).race
    assert [len(mage.hand) for mage in race.mages if mage.seat != race.turn_of] == [0, 0, 0]
    on_table = [card for mage in race.mages for card in (*mage.hand, *mage.cvs)]
    assert sorted(race.pile + race.discard + on_table) == sorted(race.deck.cards_for(race.seats, race.options))


def test_the_lot_says_who_begins() -> None:
    """Rule 1.5."""
    firsts = set()
    for number in range(30):
        state, told = RACE.start(3, options_from(RACE, {}), Chance.of_number(number))
        assert isinstance(state, RaceState)
        (started,) = heard(told, events.Started)
        assert started["first"] == heard(told, events.Began)[0]["seat"]
        firsts.add(started["first"])
    assert firsts == {1, 2, 3}


@pytest.mark.parametrize("late", [0, 1])
def test_an_option_gives_those_who_do_not_begin_something_in_the_reserve(late: int) -> None:
    """Rules 1.3, 1.6."""
    state, _ = RACE.start(4, options_from(RACE, {"late_reserve": late} if late else {}), Chance.of_number(1))
    view = state.view(None)
    assert isinstance(view, Race)
    assert [mage.reserve for mage in view.mages if mage.seat != view.turn_of] == [late, late, late]
    assert view.mages[view.turn_of - 1].reserve == 0


def test_a_turn_is_draw_upkeep_action_limit() -> None:
    """Rule 2.1."""
    state = given("hop hop hop hop hop", pile="wave glow")
    lay(state, 1, "shoes", 2)
    mage(state).hurdles = 0
    told = begin_turn(state)
    kinds = [type(one.event) for one in told]
    assert kinds == [events.Began, events.Drew, events.YouDrew, events.Ticked, events.Moved]
    assert state.view(1).phase == "action"
    do(state, 1, "pass")
    assert state.view(1).phase == "limit"
    do(state, 1, "drop wave")
    assert state.race.turn_of == 2


def test_turns_go_round_clockwise() -> None:
    """Rule 2.2."""
    state = given("hop", "hop", "hop")
    seen = []
    for _ in range(4):
        (seat,) = state.to_move()
        seen.append(seat)
        do(state, seat, "pass")
    assert seen == [1, 2, 3, 1]


def test_two_cards_come_from_the_top_into_the_hand() -> None:
    """Rule 3.1."""
    state = given(pile="kick glow")
    told = begin_turn(state)
    assert hand(state) == "kick glow"
    assert heard(told, events.YouDrew, 1) == [{"cards": ["glow", "kick"]}]
    assert heard(told, events.YouDrew, 2) == []
    assert heard(told, events.Drew, 2)[0]["hand"] == 2


def test_a_cv_drawn_first_lies_in_front_and_costs_the_action() -> None:
    """Rule 3.2."""
    state = given("hop", "hop")
    pile_is(state, "hop " * 20 + "glow cv_c cv_b cv_a")
    pile = len(state.race.pile)
    told = begin_turn(state)
    assert named(mage(state).cvs) == "cv_a"
    assert hand(state) == "hop glow"
    drew = heard(told, events.Drew, 2)[0]
    assert (drew["hand"], drew["front"], drew["aside"]) == (1, ["cv_a"], ["cv_b", "cv_c"])
    assert state.to_move() == {2}
    back = [card for card in state.race.pile if state.race.deck.kinds[card].is_cv]
    assert sorted(named(back).split()) == ["cv_b", "cv_c"]
    assert len(state.race.pile) == pile - 2 - 2  # seat 2 has drawn as well


def test_a_cv_drawn_second_lies_in_front_and_nothing_comes_for_it() -> None:
    """Rule 3.3."""
    state = given("", "hop", pile="cv_a glow")
    begin_turn(state)
    assert named(mage(state).cvs) == "cv_a"
    assert hand(state) == "glow"
    assert state.to_move() == {2}


def test_the_king_drawn_first_brings_a_second_card_that_is_no_cv() -> None:
    """Rule 3.4."""
    state = given("", "", pile="glow cv_a king")
    told = begin_turn(state)
    drew = heard(told, events.Drew)[0]
    assert (drew["king"], drew["hand"], drew["aside"], drew["front"]) == (True, 1, ["cv_a"], [])
    assert mage(state).cvs == []
    assert state.view(1).phase == "king"


def test_the_king_drawn_second_brings_no_other_card() -> None:
    """Rule 3.4."""
    state = given("", "", pile="king glow")
    begin_turn(state)
    assert hand(state) == "glow"
    assert state.view(1).king == (1, 2)


def test_the_show_comes_before_the_upkeep() -> None:
    """Rule 3.4."""
    state = given("", "", pile="king glow")
    lay(state, 1, "luck", 2)
    told = begin_turn(state)
    assert heard(told, events.Ticked) == []
    assert heard(do(state, 1, "cast glow"), events.Ticked) == [{"seat": 1, "card": "luck", "counters": 1}]


def test_no_card_is_drawn_when_there_is_none() -> None:
    """Rule 3.5."""
    state = given("hop")
    pile_is(state, "")
    told = begin_turn(state)
    assert heard(told, events.Drew) == []
    assert state.to_move() == {1}


def test_a_discarded_card_is_a_new_pile_for_the_next_draw_where_there_was_none() -> None:
    """Rule 3.5."""
    state = given("hop")
    pile_is(state, "")
    state.race.discard = cards("kick glow wave")
    told = begin_turn(state)
    assert heard(told, events.Shuffled) == [{"cards": 3}]
    assert heard(told, events.Drew) == [{"seat": 1, "hand": 2, "front": [], "aside": [], "king": False, "dropped": []}]
    assert (len(state.race.pile), state.view(None).discard) == (1, ())


def test_a_cv_drawn_by_a_spell_is_not_replaced() -> None:
    """Rule 3.6."""
    state = given("study", pile="glow cv_a")
    cast(state, "study")
    assert named(mage(state).cvs) == "cv_a"
    assert hand(state) == "glow"


def test_the_king_drawn_by_a_spell_comes_when_it_is_over() -> None:
    """Rule 3.6."""
    state = given("study", "", pile="glow king")
    told = cast(state, "study")
    assert heard(told, events.Drew)[0]["king"] is True
    assert state.view(1).king == (1, 2)
    assert state.view(None).discard == ("study",)
    do(state, 1, "cast glow")
    assert state.race.turn_of == 2


def test_the_show_of_a_king_drawn_by_another_begins_with_that_mage() -> None:
    """Rules 3.6, 9.1."""
    state = given("picnic", "hop", "hop", pile="glow king dim")
    cast(state, "picnic")
    assert state.view(1).king == (2, 3, 1)


def test_upkeep_takes_a_counter_and_discards_what_has_none() -> None:
    """Rule 3.7."""
    state = given("hop")
    lay(state, 1, "luck", 1)
    lay(state, 1, "tea", 0)
    begin_turn(state)
    assert lying(state) == [("luck", 0)]
    assert state.view(None).discard == ("tea",)
    begin_turn(state)
    assert lying(state) == []


def test_upkeep_takes_nothing_from_the_spells_of_others() -> None:
    """Rule 3.7."""
    state = given("hop", "hop")
    lay(state, 2, "luck", 1)
    begin_turn(state)
    assert lying(state, 2) == [("luck", 1)]


def test_lasting_spells_do_their_part_in_the_order_they_lie() -> None:
    """Rule 3.8."""
    state = given("hop", endurance=5)
    mage(state).hurdles = 0
    lay(state, 1, "curse", 2)
    lay(state, 1, "shoes", 1)
    told = begin_turn(state)
    order = [one.event for one in told if isinstance(one.event, events.Ticked | events.Changed | events.Moved)]
    assert order == [
        events.Ticked(1, "curse", 1),
        events.Changed(1, "endurance", 3),
        events.Ticked(1, "shoes", 0),
        events.Moved(1, 2),
    ]


def test_seven_cards_are_one_too_many() -> None:
    """Rule 3.9."""
    state = given("hop hop hop hop kick wave glow", "hop")
    do(state, 1, "pass")
    assert state.to_move() == {1}
    assert may(state) == ["drop hop", "drop kick", "drop wave", "drop glow"]
    do(state, 1, "drop glow")
    assert hand(state) == "hop hop hop hop kick wave"
    assert state.to_move() == {2}


def test_the_hand_of_another_may_stay_above_the_limit() -> None:
    """Rule 3.9."""
    state = given("hop", "hop hop hop hop hop hop hop")
    do(state, 1, "pass")
    assert state.view(2).phase == "action"
    do(state, 2, "cast hop")
    let_be(state)
    assert state.view(2).phase == "limit"
