"""110 Metres Mages: counter-spells, and that nothing tells who could have answered."""

from itertools import product

import msgspec
import pytest

from games.api import AddressedEvent
from games.chance import Chance
from games.mages_110m import events
from games.mages_110m.moves import LetBe
from games.mages_110m.rules import RaceState
from games.testing.exam import check_redeal
from tests.games.mages_110m.given import GAME, begin_turn, do, given, hand, heard, lay, let_be, mage, may, seen, why_not


def test_every_opponent_with_a_card_is_asked() -> None:
    """Rule 8.1."""
    state = given("hop", "kick", "", "no")
    do(state, 1, "cast hop")
    assert state.to_move() == {2, 4}
    assert may(state, 2) == ["let"]
    assert may(state, 4) == ["let", "counter no"]


def test_answers_look_alike_to_all_but_who_gives_them() -> None:
    """Rule 8.2."""
    state = given("hop", "no", "no")
    do(state, 1, "cast hop")
    let_it_be, no = state.legal_actions(2)
    for observer in (None, 1, 3):
        assert state.observed_action(2, let_it_be, observer) == state.observed_action(2, no, observer)
    assert state.observed_action(2, let_it_be, 2) != state.observed_action(2, no, 2)


def test_the_question_comes_after_the_roll() -> None:
    """Rule 8.1."""
    state = given("leap", "no", dice="1")
    told = do(state, 1, "cast leap")
    assert heard(told, events.Failed) != []
    assert state.view(2).phase == "action"
    other = given("leap", "no", dice="4")
    told = do(other, 1, "cast leap")
    assert [type(one.event) for one in told][-1] is events.Rolled
    assert other.view(2).phase == "answer"


def test_the_question_comes_after_the_payment() -> None:
    """Rule 8.1."""
    state = given("leap", "no", dice="3", reserve=1)
    do(state, 1, "cast leap")
    assert state.to_move() == {1}
    do(state, 1, "pay")
    assert state.to_move() == {2}


def test_a_gambled_spell_may_be_answered() -> None:
    """Rule 8.1."""
    state = given("hop hop hop hop", "no", pile="rush")
    do(state, 1, "gamble")
    do(state, 2, "counter no")
    assert mage(state).square == 1
    assert state.view(None).discard[-2:] == ("rush", "no")


def test_each_answers_once_in_any_order_and_nobody_hears_of_it() -> None:
    """Rule 8.2."""
    state = given("hop", "no", "hop", "no")
    do(state, 1, "cast hop")
    assert do(state, 4, "counter no") == []
    assert why_not(state, 4, "let") == "not_your_turn"
    assert seen(state, 4).answer == ("no",)
    assert seen(state, 4).hand == ("no",)
    for other in (1, 2, 3):
        assert seen(state, other).answer == ()
        assert state.view(other).mages[3].hand_size == 1
    assert do(state, 2, "let") == []
    assert seen(state, 2).answer == ("let_be",)
    told = do(state, 3, "let")
    assert heard(told, events.Answers) == [{"seat": 1, "card": "hop", "counters": [[4, "no"]]}]


def test_the_first_clockwise_from_the_caster_counters_and_others_keep_theirs() -> None:
    """Rule 8.3."""
    state = given("hop", "no", "no")
    state.race.turn_of = state.race.actor = 2
    mage(state, 2).hand, mage(state, 1).hand = mage(state, 1).hand, mage(state, 2).hand
    do(state, 2, "cast hop")
    do(state, 1, "counter no")
    told = do(state, 3, "counter no")
    assert heard(told, events.Answers)[0]["counters"] == [[3, "no"]]
    assert hand(state, 1) == "no"
    assert state.view(None).discard == ("hop", "no")
    assert mage(state, 2).square == 1


def test_a_spell_that_all_let_be_takes_effect() -> None:
    """Rule 8.3."""
    state = given("rush", "no", "no")
    do(state, 1, "cast rush")
    told = let_be(state)
    assert heard(told, events.Answers)[0]["counters"] == []
    assert mage(state).square == 3


def test_a_countered_lasting_spell_does_not_lie_down() -> None:
    """Rule 8.3."""
    state = given("luck", "no")
    do(state, 1, "cast luck")
    do(state, 2, "counter no")
    assert mage(state).lasting == []


def test_a_counter_spell_has_a_price_an_effect_and_a_limb() -> None:
    """Rule 8.4."""
    state = given("trip", "huh", square=5)
    do(state, 1, "cast trip 2")
    do(state, 2, "counter huh")
    assert (mage(state, 2).endurance, mage(state, 2).power, mage(state, 2).reserve) == (8, 1, 2)
    assert mage(state, 1).square == 4
    armless = given("trip", "huh")
    mage(armless, 2).arms = 0
    do(armless, 1, "cast trip 2")
    assert why_not(armless, 2, "counter huh") == "missing_limb"


def test_some_counter_spells_answer_only_what_is_aimed() -> None:
    """Rule 8.4."""
    state = given("hop", "huh")
    do(state, 1, "cast hop")
    assert may(state, 2) == ["let"]
    assert why_not(state, 2, "counter huh") == "no_attack"


def test_a_counter_spell_is_not_cast_in_the_own_turn() -> None:
    """Rule 8.4."""
    assert why_not(given("no hop"), 1, "cast no") == "is_counter"


def test_a_protected_caster_is_not_touched_by_a_counter_spell() -> None:
    """Rule 8.4."""
    state = given("trip", "huh", square=5)
    lay(state, 1, "umbrella", 1)
    do(state, 1, "cast trip 2")
    told = do(state, 2, "counter huh")
    assert mage(state).square == 5
    assert heard(told, events.Bounced) == [{"seat": 1, "card": "huh"}]


def test_upkeep_and_surge_are_not_answered() -> None:
    """Rule 8.5."""
    state = given("hop", "no")
    lay(state, 1, "hum", 1)
    begin_turn(state)
    assert mage(state).square == 2
    assert state.view(1).phase == "action"


# --- nothing tells who could have answered -----------------------------------------------------------------------

HANDS = ("no no", "no hop", "hop kick", "huh hop")


def _until_answered(hands: tuple[str, ...], card: str) -> list[list[bytes]]:
    """What seat 1 and a spectator hear and see, step by step, when all let the spell be."""
    state = given(f"{card} glow", *hands, dice="6")
    at = " 2" if card == "trip" else ""
    steps = [_known(state, do(state, 1, f"cast {card}{at}"))]
    while state.race.phase == "answer":
        seat = min(state.to_move())
        steps.append(_known(state, state.apply(seat, LetBe())))
    return steps


def _known(state: RaceState, told: list[AddressedEvent]) -> list[bytes]:
    known = [f"to move {sorted(state.to_move())}".encode()]
    for observer in (None, 1):
        known += [msgspec.json.encode(one.event) for one in told if one.is_for(observer)]
        known += [msgspec.json.encode(state.view(observer)), str(list(state.legal_actions(observer or 1))).encode()]
    return known


@pytest.mark.parametrize("card", ["hop", "leap", "trip"])
def test_the_same_is_heard_in_the_same_order_whoever_holds_a_counter_spell(card: str) -> None:
    """Rules 8.1, 8.2: messages, their number and order, views and legal actions, with two and with three mages."""
    for opponents in (1, 2):
        steps = [_until_answered(hands, card) for hands in product(HANDS, repeat=opponents)]
        assert all(step == steps[0] for step in steps)
        assert len(steps[0]) == 1 + opponents


def test_an_answer_that_is_given_looks_like_any_other_until_all_have_answered() -> None:
    """Rule 8.2."""
    heard_by_others = []
    for answer in ("let", "counter no"):
        state = given("hop glow", "no hop", "no hop")
        do(state, 1, "cast hop")
        heard_by_others.append([_known(state, do(state, 2, answer)), msgspec.json.encode(state.view(3))])
    assert heard_by_others[0] == heard_by_others[1]


@pytest.mark.parametrize("answered", ["", "let", "counter no"])
def test_redeals_in_the_middle_of_answers_betray_nothing(answered: str) -> None:
    """Rule 8.2."""
    for seen_by in (None, 1, 2, 3, 4):
        state = given("trip hop", "no hop", "no huh", "hop kick", pile="no study glow")
        do(state, 1, "cast trip 3")
        if answered:
            do(state, 2, answered)
        chance = Chance.of_number(7)
        for _ in range(20):
            assert check_redeal(GAME, state, seen_by, chance, f"seen by {seen_by}") > 1


def test_a_redeal_deals_a_secret_answer_anew_with_the_hand_it_comes_from() -> None:
    """Rule 8.2."""
    outcomes = set()
    for number in range(60):
        state = given("rush hop", "no hop", "hop", pile="hop kick glow")
        do(state, 1, "cast rush")
        do(state, 2, "counter no")
        other = state.redeal(1, Chance.of_number(number))
        assert isinstance(other, RaceState)
        let_be(other)
        outcomes.add(mage(other).square)
    assert outcomes == {1, 3}


def test_of_the_answer_of_a_late_mage_too_nobody_hears_before_all_have_answered() -> None:
    """Rules 8.2, 10.3: everybody is told who is late, so what is done then must not be known beforehand."""
    state = given("hop", "no no")
    do(state, 1, "cast hop")
    assert {GAME.words.format_action(state.default_action(2, Chance.of_number(n))) for n in range(20)} == {
        "let",
        "counter no",
    }
