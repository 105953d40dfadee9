"""110 Metres Mages: casting, dice, the reserve, discard actions, the gamble."""

import pytest

from games.mages_110m import events
from games.mages_110m.moves import Cast
from tests.games.mages_110m.given import (
    at,
    begin_turn,
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
    why_not,
)


def test_the_action_is_a_spell_a_discard_action_a_gamble_or_nothing() -> None:
    """Rule 4.1."""
    state = given("hop kick glow no")
    assert may(state) == [
        "cast hop", "cast kick", "cast glow", "trade clear", "trade reserve", "gamble", "pass",
    ]  # fmt: skip
    assert heard(do(state, 1, "pass"), events.Passed) == [{"seat": 1}]


def test_one_action_a_turn() -> None:
    """Rule 4.1."""
    state = given("hop kick", "hop")
    cast(state, "kick")
    assert state.race.turn_of == 2
    assert why_not(state, 1, "cast hop") == "not_your_turn"


def test_a_mage_without_cards_is_not_asked() -> None:
    """Rule 4.1."""
    state = given("", "hop")
    state.race.pile = []
    begin_turn(state)
    assert state.to_move() == {2}


def test_endurance_and_power_change_before_the_die_and_even_if_it_fails() -> None:
    """Rule 4.2."""
    state = given("leap", dice="1", endurance=7)
    told = cast(state, "leap")
    kinds = [type(one.event) for one in told][:4]
    assert kinds == [events.WasCast, events.Changed, events.Changed, events.Rolled]
    assert (mage(state).endurance, mage(state).power, mage(state).square) == (6, 1, 1)


@pytest.mark.parametrize(("die", "square"), [("3", 1), ("4", 2), ("6", 2)])
def test_the_printed_number_or_more_casts_the_spell(die: str, square: int) -> None:
    """Rule 4.3."""
    state = given("leap", dice=die)
    told = cast(state, "leap")
    assert heard(told, events.Rolled) == [{"seat": 1, "die": int(die), "bonus": 0, "need": 4}]
    assert mage(state).square == square


def test_a_spell_without_a_number_needs_no_die() -> None:
    """Rule 4.3."""
    assert heard(cast(given("rush"), "rush"), events.Rolled) == []


def test_what_the_die_lacks_may_be_paid_after_the_roll() -> None:
    """Rule 4.4."""
    state = given("leap", dice="2", reserve=3)
    do(state, 1, "cast leap")
    assert may(state) == ["pay", "fizzle"]
    assert state.view(1).spell[0].missing == 2
    told = do(state, 1, "pay")
    assert heard(told, events.Paid) == [{"seat": 1, "reserve": 1}]
    assert mage(state).square == 2


def test_the_mage_may_keep_its_reserve() -> None:
    """Rule 4.4."""
    state = given("leap", dice="2", reserve=3)
    do(state, 1, "cast leap")
    do(state, 1, "fizzle")
    assert (mage(state).square, mage(state).reserve) == (1, 4)


def test_a_reserve_that_is_too_small_is_not_asked_for() -> None:
    """Rule 4.4."""
    state = given("leap", dice="2", reserve=1)
    told = do(state, 1, "cast leap")
    assert heard(told, events.Failed) == [{"seat": 1, "card": "leap"}]


def test_a_failed_spell_is_discarded_and_fills_the_reserve() -> None:
    """Rule 4.5."""
    state = given("leap", dice="1")
    cast(state, "leap")
    assert state.view(None).discard == ("leap",)
    assert mage(state).reserve == 1


def test_effects_come_in_the_order_of_the_card() -> None:
    """Rule 4.6."""
    state = given("race", "", "")
    for seat in (1, 2, 3):
        mage(state, seat).hurdles = 0
    told = cast(state, "race")
    moved = [event["seat"] for event in heard(told, events.Moved)]
    assert moved == [1, 2, 3]
    assert [runner.endurance for runner in state.race.mages] == [10, 9, 9]


def test_a_protected_mage_is_left_out() -> None:
    """Rule 4.6."""
    state = given("trip", "", square=4)
    mage(state, 2).square = 4
    lay(state, 2, "umbrella", 1)
    told = do(state, 1, "cast trip 2")
    assert heard(told, events.Bounced) == [{"seat": 2, "card": "trip"}]
    assert (mage(state, 2).square, mage(state, 2).endurance) == (4, 10)


def test_a_protection_does_not_keep_off_the_own_spells() -> None:
    """Rule 4.6."""
    state = given("rush", "")
    lay(state, 1, "umbrella", 1)
    cast(state, "rush")
    assert mage(state).square == 3


def test_a_curse_bounces_off_a_protection_and_is_discarded() -> None:
    """Rule 4.6."""
    state = given("curse", "")
    lay(state, 2, "umbrella", 1)
    do(state, 1, "cast curse 2")
    assert [card for card, _ in lying(state, 2)] == ["umbrella"]
    assert state.view(None).discard == ("curse",)


def test_a_lasting_spell_lies_down_and_any_other_is_discarded() -> None:
    """Rule 4.7."""
    state = given("luck")
    told = cast(state, "luck")
    assert heard(told, events.Lies) == [{"seat": 1, "card": "luck", "counters": 2}]
    assert lying(state) == [("luck", 2)]
    assert state.view(None).discard == ()
    other = given("hop")
    cast(other, "hop")
    assert other.view(None).discard == ("hop",)


def test_a_curse_lies_in_front_of_its_victim() -> None:
    """Rule 4.7."""
    state = given("curse", "", "")
    do(state, 1, "cast curse 3")
    assert lying(state, 3)[0][0] == "curse"
    assert lying(state, 1) == lying(state, 2) == []


@pytest.mark.parametrize(
    ("deed", "before", "after"),
    [
        ("arm", {"arms": 0}, {"arms": 1}),
        ("leg", {"legs": 1}, {"legs": 2}),
        ("step", {"hurdles": 0}, {"square": 2}),
        ("clear", {}, {"hurdles": sum(1 << square for square in range(2, 11))}),
        ("rest", {"endurance": 1}, {"endurance": 10}),
        ("reserve", {}, {"reserve": 2}),
    ],
)
def test_two_cards_buy_a_deed(deed: str, before: dict[str, int], after: dict[str, int]) -> None:
    """Rule 4.8."""
    state = given("hop kick glow", "hop", figures=before)
    do(state, 1, f"trade {deed} hop glow")
    assert hand(state) == "kick"
    assert state.view(None).discard == ("hop", "glow")
    for figure, value in after.items():
        assert getattr(mage(state), figure) == value
    assert state.race.turn_of == 2


def test_the_price_is_paid_before_the_deed() -> None:
    """Rule 4.8."""
    state = given("hop kick glow")
    do(state, 1, "trade reserve")
    assert (mage(state).reserve, state.view(1).deed) == (0, ("reserve",))
    assert may(state) == ["drop hop", "drop kick", "drop glow"]


def test_a_deed_that_does_nothing_cannot_be_chosen() -> None:
    """Rule 4.8."""
    state = given("hop kick")
    for deed in ("arm", "leg", "step", "rest"):
        assert why_not(state, 1, f"trade {deed}") == "useless_deed"
    mage(state).hurdles = 0
    assert why_not(state, 1, "trade clear") == "useless_deed"


def test_one_card_buys_nothing() -> None:
    """Rule 4.8."""
    assert why_not(given("hop"), 1, "trade reserve") == "few_cards"


def test_no_two_discard_actions_in_a_row() -> None:
    """Rule 4.9."""
    state = given("hop kick glow wave", "hop")
    do(state, 1, "trade reserve hop kick")
    do(state, 2, "pass")
    assert why_not(state, 1, "trade reserve") == "twice_in_a_row"
    assert "gamble" not in may(state)
    assert state.view(2).mages[0].traded
    do(state, 1, "pass")
    do(state, 2, "pass")
    assert "trade reserve" in may(state)


def test_a_gamble_counts_as_a_discard_action() -> None:
    """Rule 4.9."""
    state = given("hop kick glow wave", "", pile="glow")
    do(state, 1, "gamble")
    do(state, 2, "pass")
    assert why_not(state, 1, "trade reserve") == "twice_in_a_row"


def test_a_spell_that_makes_one_discard_is_no_discard_action() -> None:
    """Rule 4.9."""
    state = given("hop hop", "pigeon hop", "hop")
    state.race.turn_of = state.race.actor = 2
    do(state, 2, "cast pigeon 1")
    let_be(state)
    do(state, 3, "pass")
    assert not mage(state, 2).traded
    assert not mage(state, 1).traded
    assert "trade reserve" in may(state)


@pytest.mark.parametrize(("card", "limb"), [("wave", "arms"), ("kick", "legs")])
def test_a_spell_needs_the_limb_it_names(card: str, limb: str) -> None:
    """Rule 4.10."""
    state = given(f"{card} hop", figures={limb: 0})
    assert why_not(state, 1, f"cast {card}") == "missing_limb"
    setattr(mage(state), limb, 1)
    assert f"cast {card}" in may(state)


def test_a_gamble_casts_the_top_spell_without_a_roll() -> None:
    """Rule 4.11."""
    state = given("hop kick glow wave", "", pile="leap cv_a king")
    told = do(state, 1, "gamble")
    assert heard(told, events.Gambled) == [{"seat": 1, "dropped": ["hop", "kick", "wave", "glow"]}]
    assert heard(told, events.TurnedUp) == [{"seat": 1, "aside": ["king", "cv_a"], "spell": ["leap"]}]
    assert heard(told, events.Rolled) == []
    assert (mage(state).square, mage(state).power, mage(state).cvs) == (2, 1, [])
    assert {"king", "cv_a"} <= set(named(state.race.pile).split())


def test_a_gamble_takes_four_cards() -> None:
    """Rule 4.11."""
    assert why_not(given("hop kick glow"), 1, "gamble") == "few_cards"


def test_a_gambled_spell_is_aimed_when_it_is_seen() -> None:
    """Rule 4.12."""
    state = given("hop kick glow wave", "", "", pile="trip")
    mage(state, 3).square = 4
    do(state, 1, "gamble")
    assert may(state) == ["aim 2", "aim 3"]
    assert why_not(state, 1, "aim 1") == "bad_target"
    do(state, 1, "aim 3")
    assert mage(state, 3).square == 2


@pytest.mark.parametrize("card", ["no", "wave"])
def test_a_gambled_card_that_cannot_be_cast_is_lost(card: str) -> None:
    """Rule 4.12."""
    state = given("hop hop hop hop", "", pile=card, arms=0)
    told = do(state, 1, "gamble")
    assert heard(told, events.Failed) == [{"seat": 1, "card": card}]
    assert mage(state).reserve == 0
    assert state.view(None).discard[-1] == card


def test_a_dazed_mage_misses_one_action() -> None:
    """Rule 4.13."""
    state = given("nap hop", "hop")
    told = cast(state, "nap 2")
    assert heard(told, events.Dazed) == [{"seat": 2}]
    assert state.to_move() == {1}
    assert not mage(state, 2).dazed
    do(state, 1, "pass")
    assert state.to_move() == {2}


def test_a_mage_dazed_in_its_own_turn_misses_the_next_one() -> None:
    """Rule 4.13."""
    state = at({"turn_of": 1, "mage": [{"hand": ["hop"], "dazed": True}, {"hand": ["hop"]}]})
    cast(state, "hop")
    told = do(state, 2, "pass")
    assert [event["seat"] for event in heard(told, events.Began)] == [1, 2]


def test_only_a_spell_that_is_aimed_takes_a_target_and_that_is_another_mage() -> None:
    state = given("rush", "", "")
    for seat in (1, 2, 3):
        refused = state.refusal_reason(1, Cast("rush", seat))
        assert refused is not None
        assert refused.code == "no_target"
    assert state.refusal_reason(1, Cast("rush")) is None
    state = given("trip", "", "")
    for seat in (-1, 0, 1, 4):
        refused = state.refusal_reason(1, Cast("trip", seat))
        assert refused is not None
        assert refused.code == "bad_target", seat
    assert state.refusal_reason(1, Cast("trip", 3)) is None
