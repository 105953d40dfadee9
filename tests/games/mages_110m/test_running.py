"""110 Metres Mages: squares, hurdles, the line, breath, power and limbs."""

import pytest

from games.chance import Chance
from games.mages_110m import GAMES, events
from games.mages_110m.rules import RaceState
from tests.games.mages_110m.given import at, begin_turn, cast, do, given, heard, lay, let_be, mage, may, seen, why_not


def hurdles(*squares: int) -> int:
    return sum(1 << square for square in squares)


def test_a_hurdle_stops_a_mage() -> None:
    """Rule 5.1."""
    state = given("dash", hurdles=hurdles(3))
    told = cast(state, "dash")
    assert heard(told, events.Moved) == [{"seat": 1, "square": 3, "cleared": []}]
    blocked = given("dash", hurdles=hurdles(1))
    assert heard(cast(blocked, "dash"), events.Moved) == []


def test_a_mage_without_limbs_passes_hurdles_and_leaves_them_standing() -> None:
    """Rule 5.2."""
    state = given("dash", arms=0, legs=0)
    before = mage(state).hurdles
    cast(state, "dash")
    assert (mage(state).square, mage(state).hurdles) == (4, before)


@pytest.mark.parametrize("limbs", [{"arms": 0, "legs": 1}, {"arms": 1, "legs": 0}])
def test_one_limb_is_enough_to_be_stopped(limbs: dict[str, int]) -> None:
    """Rule 5.2."""
    state = given("dash", figures=limbs)
    cast(state, "dash")
    assert mage(state).square == 1


def test_a_floating_mage_passes_hurdles() -> None:
    """Rule 5.2."""
    state = given("dash")
    lay(state, 1, "balloon", 1)
    cast(state, "dash")
    assert mage(state).square == 4


def test_the_first_over_the_line_has_won_at_once() -> None:
    """Rule 5.3."""
    state = given("race", "hop", square=11)
    mage(state, 2).square = 11
    told = cast(state, "race")
    assert mage(state, 2).square == 11
    assert heard(told, events.Finished) == [{"leaders": [1], "crossed": True}]
    assert state.to_move() == frozenset()
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.places, outcome.reason) == ((1, 2), "line")


def test_upkeep_may_carry_a_mage_over_the_line() -> None:
    """Rule 5.3."""
    state = given("hop", square=11)
    lay(state, 1, "shoes", 1)
    begin_turn(state)
    assert state.outcome() is not None


def test_advancing_through_hurdles_breaks_them() -> None:
    """Rule 5.4."""
    state = given("rush", hurdles=hurdles(1, 2, 3))
    told = cast(state, "rush")
    assert heard(told, events.Moved) == [{"seat": 1, "square": 3, "cleared": [1, 2]}]
    assert mage(state).hurdles == hurdles(3)


def test_the_next_hurdles_ahead_are_broken_however_far() -> None:
    """Rule 5.5."""
    state = given("wave", square=4, hurdles=hurdles(2, 6, 8, 9))
    told = cast(state, "wave")
    assert heard(told, events.Cleared) == [{"seat": 1, "hurdles": [6, 8]}]
    assert mage(state).hurdles == hurdles(2, 9)


def test_nobody_falls_behind_the_first_square() -> None:
    """Rule 5.6."""
    state = given("trip", "")
    mage(state, 2).square = 2
    cast(state, "trip 2")
    assert mage(state, 2).square == 1


def test_hurdles_do_not_matter_on_the_way_back() -> None:
    """Rule 5.6."""
    state = given("trip", "")
    mage(state, 2).square = 6
    cast(state, "trip 2")
    assert mage(state, 2).square == 4


def test_a_hurdle_goes_up_in_the_nearest_gap_ahead() -> None:
    """Rule 5.7."""
    state = given("wall", "")
    mage(state, 2).square, mage(state, 2).hurdles = 3, hurdles(4)
    told = cast(state, "wall 2")
    assert heard(told, events.Raised) == [{"seat": 2, "hurdles": [3, 5]}]


def test_there_are_never_more_hurdles_than_at_the_start() -> None:
    """Rule 5.7."""
    state = given("wall", "")
    mage(state, 2).square, mage(state, 2).hurdles = 10, 0
    cast(state, "wall 2")
    assert mage(state, 2).hurdles == hurdles(10)


def test_who_floats_may_step_past_a_hurdle() -> None:
    """Rules 4.8, 5.2."""
    state = given("hop hop")
    assert why_not(state, 1, "trade step") == "useless_deed"
    floating = given("hop hop", arms=0, legs=0)
    do(floating, 1, "trade step")
    do(floating, 1, "drop hop")
    do(floating, 1, "drop hop")
    assert mage(floating).square == 2


def test_a_discard_action_does_not_cross_the_line() -> None:
    """Rule 5.8."""
    state = given("hop hop", square=11)
    assert why_not(state, 1, "trade step") == "useless_deed"
    mage(state).square, mage(state).hurdles = 10, 0
    assert "trade step" in may(state)


def test_endurance_stays_between_nothing_and_ten() -> None:
    """Rule 6.1."""
    state = given("pant", endurance=4)
    cast(state, "pant")
    assert mage(state).endurance == 0
    rested = given("hop hop", endurance=9)
    do(rested, 1, "trade rest hop hop")
    assert mage(rested).endurance == 10


@pytest.mark.parametrize(("endurance", "bonus"), [(3, -1), (4, 0)])
def test_a_tired_mage_rolls_one_less(endurance: int, bonus: int) -> None:
    """Rule 6.2. Casting it costs one endurance, and that comes first."""
    state = given("leap", dice="4", endurance=endurance)
    told = cast(state, "leap")
    assert heard(told, events.Rolled)[0]["bonus"] == bonus
    assert mage(state).square == (1 if bonus else 2)


def test_lasting_spells_change_the_dice() -> None:
    """Rule 6.2."""
    for card, bonus in (("luck", 0), ("tea", 0), ("curse", -2)):
        state = given("leap", dice="1", endurance=1)
        lay(state, 1, card, 1)
        assert heard(cast(state, "leap"), events.Rolled)[0]["bonus"] == bonus


def test_power_never_falls_below_nothing() -> None:
    """Rule 6.3."""
    state = given("dim", power=4)
    cast(state, "dim")
    assert mage(state).power == 0


def test_reaching_six_power_breaks_a_hurdle_and_advances() -> None:
    """Rule 6.4."""
    state = given("glow", power=2)
    told = cast(state, "glow")
    assert heard(told, events.Surged) == [{"seat": 1}]
    assert mage(state).square == 2
    assert not mage(state).hurdles & hurdles(1)


@pytest.mark.parametrize(("power", "surges"), [(0, 0), (1, 0), (2, 1), (6, 1), (8, 1)])
def test_a_rise_to_six_counts_and_so_does_a_rise_above(power: int, surges: int) -> None:
    """Rule 6.4."""
    state = given("glow", power=power)
    assert len(heard(cast(state, "glow"), events.Surged)) == surges


def test_a_fall_to_six_or_more_does_not_count() -> None:
    """Rule 6.4."""
    state = given("dim", power=20)
    told = cast(state, "dim")
    assert mage(state).power >= 6
    assert heard(told, events.Surged) == []


def test_power_is_spent_when_it_fires() -> None:
    """Rule 6.6."""
    state = given("glow", power=5)
    told = cast(state, "glow")
    assert [(event["figure"], event["now"]) for event in heard(told, events.Changed)] == [("power", 9), ("power", 0)]
    kinds = [type(one.event) for one in told]
    assert kinds[kinds.index(events.Surged) :][:3] == [events.Surged, events.Changed, events.Moved]


def test_an_option_lets_power_stay_and_fire_again() -> None:
    """Rule 6.6."""
    state = at(
        {"turn_of": 1, "mage": [{"hand": ["glow", "glow"], "power": 2}, {"hand": []}], "options": {"surge": "stays"}}
    )
    cast(state, "glow")
    assert (mage(state).square, mage(state).power) == (2, 6)
    assert seen(state, 1).surge == "stays"
    begin_turn(state)
    cast(state, "glow")
    assert (mage(state).square, mage(state).power) == (3, 10)


def test_power_that_an_answer_brought_fires_with_the_next_rise() -> None:
    """Rule 6.4."""
    state = given("trip", "huh glow")
    mage(state, 2).power = 5
    do(state, 1, "cast trip 2")
    do(state, 2, "counter huh")
    assert (mage(state, 2).power, mage(state, 2).square) == (6, 1)
    begin_turn(state, 2)
    do(state, 2, "cast glow")
    let_be(state)
    assert (mage(state, 2).power, mage(state, 2).square) == (0, 2)


def test_the_surge_comes_after_the_spell_and_crosses_the_line() -> None:
    """Rule 6.4."""
    state = given("spark", dice="6", square=11)
    told = cast(state, "spark")
    kinds = [type(one.event) for one in told]
    assert kinds.index(events.Rolled) < kinds.index(events.Surged)
    assert state.outcome() is not None


def test_a_failed_spell_surges_all_the_same() -> None:
    """Rule 6.4."""
    state = given("spark", dice="1")
    told = cast(state, "spark")
    assert heard(told, events.Failed) != []
    assert mage(state).square == 2


def test_a_countered_spell_surges_all_the_same() -> None:
    """Rule 6.4."""
    state = given("glow", "no", power=5)
    do(state, 1, "cast glow")
    do(state, 2, "counter no")
    assert mage(state).square == 2


def test_upkeep_may_bring_the_surge() -> None:
    """Rule 6.4."""
    state = given("hop")
    lay(state, 1, "hum", 1)
    begin_turn(state)
    assert mage(state).square == 2


@pytest.mark.parametrize(
    ("square", "lasting", "told_of"),
    [
        (10, {"humming": 3, "snail_post": 2}, ["humming", 11, "snail_post", 12]),
        (11, {"humming": 3, "puddle_of_glue": 2}, ["humming", 12]),
        (5, {"humming": 3, "thermos_of_soup": 3}, ["humming", 6, "thermos_of_soup"]),
    ],
)
def test_a_surge_at_upkeep_comes_before_the_next_lasting_spell(
    square: int, lasting: dict[str, int], told_of: list[str | int]
) -> None:
    """Rules 3.8, 6.4."""
    told = begin_turn(charged(square, lasting, "spent"))
    moved = [one.event for one in told if isinstance(one.event, events.Ticked | events.Moved)]
    assert [one.card if isinstance(one, events.Ticked) else one.square for one in moved] == told_of


@pytest.mark.parametrize(("surge", "power", "square"), [("spent", 2, 6), ("stays", 8, 7)])
def test_each_lasting_spell_that_raises_power_brings_a_surge_of_its_own(surge: str, power: int, square: int) -> None:
    """Rules 6.4, 6.6."""
    state = charged(5, {"humming": 3, "thermos_of_soup": 3}, surge)
    begin_turn(state)
    assert (mage(state).power, mage(state).square) == (power, square)


def charged(square: int, lasting: dict[str, int], surge: str) -> RaceState:
    """Seat 1 has power 4 and those lasting spells, and its turn comes."""
    lying = [{"card": card, "counters": counters} for card, counters in lasting.items()]
    position = {"turn_of": 1, "mage": [{"square": square, "power": 4, "lasting": lying}], "options": {"surge": surge}}
    state = GAMES[0].build_position(position | {"top": ["polite_breeze"] * 2}, Chance.of_number(1))
    assert isinstance(state, RaceState)
    return state


def test_power_from_an_answer_is_not_of_the_own_turn() -> None:
    """Rule 6.4."""
    state = given("trip", "huh")
    mage(state, 2).power = 5
    do(state, 1, "cast trip 2")
    told = do(state, 2, "counter huh")
    assert mage(state, 2).power == 6
    assert heard(told, events.Surged) == []


def test_limbs_stay_between_none_and_two() -> None:
    """Rule 6.5."""
    state = given("chop", arms=1)
    told = cast(state, "chop")
    assert [(event["figure"], event["now"]) for event in heard(told, events.Changed)] == [("arms", 0), ("legs", 0)]
    assert (mage(state).arms, mage(state).legs) == (0, 0)
    other = given("grow", legs=0)
    cast(other, "grow")
    assert (other.race.mages[0].arms, other.race.mages[0].legs) == (2, 2)


def test_the_lot_takes_one_limb_and_nothing_from_the_limbless() -> None:
    """Rule 6.5."""
    state = given("lottery", "", "")
    mage(state, 2).arms = mage(state, 2).legs = 0
    told = cast(state, "lottery")
    assert [event["seat"] for event in heard(told, events.LimbLot)] == [1, 3]
    assert [runner.arms + runner.legs for runner in state.race.mages] == [3, 0, 3]


def test_each_limb_is_as_likely_to_be_taken() -> None:
    """Rule 6.5."""
    legs_lost = 0
    for number in range(1, 61):
        state = given("lottery", arms=2, legs=1)
        state.race.chance = state.race.chance.fork(f"try {number}")
        do(state, 1, "cast lottery")
        let_be(state)
        legs_lost += mage(state).legs == 0
    assert 8 <= legs_lost <= 32  # 20 of 60 expected
