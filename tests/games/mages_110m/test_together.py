"""110 Metres Mages: what happens where two rules meet."""

import pytest

from games.chance import Chance
from games.mages_110m import events
from games.mages_110m.moves import Cast, Pass
from games.mages_110m.rules import RaceState
from tests.games.mages_110m.given import (
    DECK,
    GAME,
    INDEX,
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
    pile_is,
    why_not,
)


def test_a_second_card_is_sought_in_vain_where_only_cvs_are_left() -> None:
    """Rules 3.2, 3.5, 7.1."""
    few = GAME.with_cards(
        "[track]\nsquares = 9\nhurdles = []\n"
        "[mages]\narms = 2\nlegs = 2\nendurance = 9\ntired = 0\nsurge = 9\nhand = 6\ngamble = 4\n"
        "counts = 9\nturns = 9\n"
        '[[card]]\nname = "hop"\nkind = "spell"\ncount = 2\ntitle = { en = "Hop" }\neffects = ["you advance 1"]\n'
        '[[card]]\nname = "cv"\nkind = "cv"\ncount = 4\ntitle = { en = "CV" }\n'
    )
    hands = [{"hand": ["hop"]}, {"hand": ["hop"]}]
    state = few.build_position({"turn": 4, "turn_of": 1, "mage": hands}, Chance.of_number(1))
    assert isinstance(state, RaceState)
    told = state.apply(1, Pass())
    assert heard(told, events.Drew) == [
        {"seat": 2, "hand": 0, "front": ["cv"], "aside": ["cv", "cv", "cv"], "king": False, "dropped": []},
        {"seat": 1, "hand": 0, "front": ["cv"], "aside": ["cv", "cv"], "king": False, "dropped": []},
        {"seat": 2, "hand": 0, "front": ["cv"], "aside": ["cv"], "king": False, "dropped": []},
        {"seat": 1, "hand": 0, "front": ["cv"], "aside": [], "king": False, "dropped": []},
    ]
    assert [one["cvs"] for one in heard(told, events.Counted)] == [[0, 1], [1, 1], [1, 2], [2, 2]]
    assert [runner.square for runner in state.race.mages] == [1, 5]
    assert may(state, 2) == ["cast hop", "pass"]


def test_a_cv_and_then_the_king_make_a_show_and_no_action() -> None:
    """Rules 3.2, 3.4, 9.6."""
    state = given("hop", "kick", pile="glow king cv_a")
    begin_turn(state)
    assert state.race.king_reigns
    do(state, 1, "cast hop")
    told = do(state, 2, "cast kick")
    assert heard(told, events.KingLeft)
    assert state.race.turn_of == 2


def test_a_counter_spell_that_comes_with_the_king_is_discarded_before_him() -> None:
    """Rules 3.4, 9.2."""
    state = given("hop", "", pile="no cv_a king")
    told = begin_turn(state)
    assert heard(told, events.Drew)[0]["aside"] == ["cv_a"]
    assert heard(told, events.Bared) == [{"seat": 1, "dropped": ["no"]}]
    assert hand(state) == "hop"


def test_the_king_drawn_by_a_spell_is_told_alone_too() -> None:
    """Rule 3.6."""
    state = given("picnic", "", pile="hop king")
    told = cast(state, "picnic")
    assert [one["king"] for one in heard(told, events.Drew)] == [True, False]
    assert heard(told, events.Drew)[0]["hand"] == 0
    assert heard(told, events.KingCame) == [{"first": 1}]


def test_the_count_in_the_middle_of_a_gamble_may_end_the_race() -> None:
    """Rules 4.11, 5.3, 7.1."""
    state = given("hop hop wave wave", "", figures={"square": 5})
    mage(state, 2).square = 10
    mage(state, 2).cvs = cards("cv_a")
    pile_is(state, "kick")
    told = do(state, 1, "gamble")
    assert heard(told, events.Finished) == [{"leaders": [2], "crossed": True}]
    assert heard(told, events.WasCast) == []


def test_the_count_in_the_middle_of_a_spell_may_end_the_race() -> None:
    """Rules 5.3, 7.1."""
    state = given("study", "")
    mage(state, 2).square = 10
    mage(state, 2).cvs = cards("cv_a")
    pile_is(state, "hop kick")
    told = cast(state, "study")
    assert heard(told, events.Finished) == [{"leaders": [2], "crossed": True}]
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.places == (2, 1)


def test_a_gamble_without_a_pile_turns_up_a_card_of_the_hand_itself() -> None:
    state = given("hop hop hop hop", "")
    pile_is(state, "")
    told = do(state, 1, "gamble")
    assert [type(one.event) for one in told[:4]] == [events.Gambled, events.Shuffled, events.TurnedUp, events.WasCast]
    assert heard(told, events.Shuffled) == [{"cards": 4}]


def test_a_king_who_was_called_by_a_spell_that_crossed_the_line_is_known_and_in_no_pile() -> None:
    game = GAME.with_cards(DECK.replace('effects = ["you advance 1"]', 'effects = ["you draw 1", "you advance 1"]', 1))
    mages = [{"hand": ["hop"], "square": 11}, {"hand": []}]
    state = game.build_position({"turn_of": 1, "mage": mages, "top": ["king"]}, Chance.of_number(1))
    state.apply(1, Cast("hop"))
    assert state.outcome() is not None
    for seat in (None, 1, 2):
        world = state.redeal(seat, Chance.of_number(2))
        assert world.knowledge(seat) == state.knowledge(seat)
        assert isinstance(world, RaceState)
        assert world.race.king_card == INDEX["king"]
        assert INDEX["king"] not in world.race.pile


def test_a_lasting_spell_bounces_off_a_protected_victim_for_all_to_hear() -> None:
    state = given("curse hop", "hop")
    lay(state, 2, "umbrella", 2)
    told = cast(state, "curse 2")
    assert heard(told, events.Bounced) == [{"seat": 2, "card": "curse"}]
    assert (lying(state, 2), state.view(None).discard) == ([("umbrella", 1)], ("curse",))  # its own upkeep has come


def test_a_protected_mage_keeps_its_lasting_spells_when_all_are_dispelled() -> None:
    """Rule 4.6."""
    state = given("sweep", "", "")
    lay(state, 1, "shoes", 2)
    lay(state, 2, "umbrella", 1)
    lay(state, 2, "luck", 2)
    lay(state, 3, "balloon", 1)
    told = cast(state, "sweep")
    assert (lying(state, 1), lying(state, 2), lying(state, 3)) == ([], [("umbrella", 0), ("luck", 1)], [])
    assert heard(told, events.Bounced) == [{"seat": 2, "card": "sweep"}]


def test_a_caster_s_own_protection_does_not_keep_its_own_sweep_off() -> None:
    """Rule 4.6."""
    state = given("sweep", "")
    lay(state, 1, "umbrella", 1)
    cast(state, "sweep")
    assert lying(state, 1) == []


@pytest.mark.parametrize(("endurance", "needs"), [(3, 5), (4, 4)])
def test_a_price_that_tires_weighs_on_its_own_roll(endurance: int, needs: int) -> None:
    """Rules 4.2, 6.2."""
    for die in "3456":
        state = given("leap", "", dice=die, endurance=endurance)
        told = do(state, 1, "cast leap")
        assert bool(heard(told, events.Failed)) == (int(die) < needs)


def test_a_reserve_that_just_pays_is_empty_after_it() -> None:
    """Rules 4.4, 4.5."""
    state = given("leap", "", dice="2", reserve=2)
    do(state, 1, "cast leap")
    do(state, 1, "pay")
    assert (mage(state).reserve, mage(state).square) == (0, 2)
    short = given("leap", "", dice="2", reserve=1)
    told = do(short, 1, "cast leap")
    assert heard(told, events.Failed)
    assert mage(short).reserve == 2


def test_after_the_payment_the_die_lacks_nothing_any_more() -> None:
    """Rules 4.4, 8.1."""
    state = given("leap", "no", dice="3", reserve=1)
    do(state, 1, "cast leap")
    assert [one.missing for one in state.view(None).spell] == [1]
    do(state, 1, "pay")
    assert state.to_move() == {2}
    assert [one.missing for one in state.view(None).spell] == [0]


def test_lucky_and_cursed_dice_add_up() -> None:
    """Rules 4.3, 6.2."""
    state = given("leap", "", dice="4", endurance=1)
    lay(state, 1, "luck", 1)
    lay(state, 1, "curse", 1)
    told = do(state, 1, "cast leap")
    assert heard(told, events.Rolled)[0]["bonus"] == -1


def test_a_gambled_counter_spell_brings_no_token() -> None:
    """Rules 4.5, 4.12."""
    state = given("hop hop wave wave", "", pile="no")
    told = do(state, 1, "gamble")
    assert heard(told, events.Failed)
    assert mage(state).reserve == 0
    assert mage(state).traded


def test_a_turn_without_action_lies_between_two_discard_actions() -> None:
    """Rules 4.9, 3.3."""
    state = given("hop", "", pile="cv_a hop", figures={"traded": True})
    begin_turn(state)
    assert state.race.turn_of == 2
    assert not mage(state).traded


def test_nobody_steps_over_the_line_even_without_limbs() -> None:
    """Rules 5.2, 5.8."""
    state = given("hop hop", "", square=11, arms=0, legs=0)
    assert why_not(state, 1, "trade step") == "useless_deed"


def test_a_daze_ends_with_a_turn_that_a_cv_took() -> None:
    """Rules 3.2, 4.13."""
    state = given("hop", "", pile="hop cv_a", figures={"dazed": True})
    begin_turn(state)
    assert not mage(state).dazed


def test_more_is_blown_out_of_a_hand_than_it_holds() -> None:
    """Rule 4.6."""
    state = given("pigeon", "hop")
    told = cast(state, "pigeon")
    assert heard(told, events.Mislaid) == [{"seat": 2, "cards": ["hop"]}]
    empty = given("pigeon", "")
    assert heard(cast(empty, "pigeon"), events.Mislaid) == []


def test_the_first_clockwise_from_a_late_seat_counters() -> None:
    """Rule 8.3."""
    state = given("hop", "no", "hop", "no hop")
    state.race.turn_of = state.race.actor = 3
    do(state, 3, "cast hop")
    for seat, line in ((2, "counter no"), (4, "counter no"), (1, "let")):
        told = do(state, seat, line)
    assert heard(told, events.Answers)[0]["counters"] == [[4, "no"]]
    assert hand(state, 2) == "no"
    assert "no" not in hand(state, 4)


@pytest.mark.parametrize(
    ("cvs", "squares", "after"),
    [
        ((5, 4), (3, 3), [5, 3]),
        ((5, 4), (3, 2), [5, 4]),
        ((4, 5), (2, 3), [4, 5]),
        ((5, 4), (2, 3), [4, 3]),
        ((4, 4), (1, 2), [1, 2]),
        ((4, 3), (3, 1), [5, 1]),
        ((5, 3), (3, 1), [5, 1]),
        ((5, 4, 0), (3, 2, 1), [5, 4, 1]),
        ((0, 0), (1, 1), [1, 1]),
    ],
)
def test_who_advances_at_the_count(cvs: tuple[int, ...], squares: tuple[int, ...], after: list[int]) -> None:
    """Rules 7.2, 7.3."""
    state = given(*["" for _ in cvs], discard="wave wave")
    pile_is(state, "glow hop")
    left = iter("abcdefghi")
    for seat, (many, square) in enumerate(zip(cvs, squares, strict=True), 1):
        mage(state, seat).cvs = cards(" ".join(f"cv_{next(left)}" for _ in range(many)))
        mage(state, seat).square = square
    begin_turn(state)
    assert [runner.square for runner in state.race.mages] == after


def test_a_counter_spell_of_a_mage_who_lacks_the_limb_is_no_answer() -> None:
    """Rules 4.10, 8.4."""
    state = given("trip", "huh")
    mage(state, 2).arms = 0
    do(state, 1, "cast trip")
    assert may(state, 2) == ["let"]
    let_be(state)
    assert mage(state, 2).endurance == 7
