"""110 Metres Mages: the bored king."""

import pytest

from games.chance import Chance
from games.mages_110m import GAMES, events
from games.mages_110m.moves import Cast
from games.mages_110m.rules import RaceState
from games.mages_110m.views import SeatRace
from games.testing.exam import check_redeal
from tests.games.mages_110m.given import GAME, INDEX, begin_turn, do, given, hand, heard, lay, mage, may, named, why_not


def bored(*hands: str, pile: str = "king hop", dice: str = "", **figures: int) -> RaceState:
    """Seat 1 has just drawn the king; its hand has one more `hop`."""
    state = given(*hands, pile=pile, dice=dice, figures=figures)
    begin_turn(state)
    return state


def test_each_mage_in_turn_plays_its_whole_hand() -> None:
    """Rule 9.1."""
    state = bored("kick", "glow kick", "dim")
    assert state.to_move() == {1}
    assert may(state) == ["cast hop", "cast kick"]
    assert why_not(state, 1, "pass") == "wrong_moment"
    assert why_not(state, 2, "cast glow") == "not_your_turn"
    order = []
    while state.race.king_reigns:
        (seat,) = state.to_move()
        order.append(seat)
        state.apply(seat, state.legal_actions(seat)[0])
    assert order == [1, 1, 2, 2, 3]


def test_the_show_begins_with_the_one_who_drew_the_king() -> None:
    """Rule 9.1."""
    state = given("hop", "hop", "hop", pile="king hop")
    told = begin_turn(state, 3)
    assert heard(told, events.KingCame) == [{"first": 3}]
    assert state.view(None).king == (3, 1, 2)


def test_cards_drawn_before_the_king_are_played_as_well() -> None:
    """Rule 9.1."""
    state = bored("study", "", pile="kick glow king hop")
    do(state, 1, "cast study")
    assert hand(state) == "hop kick glow"
    assert state.race.king_reigns


def test_a_mage_who_is_done_and_draws_comes_before_the_king_again() -> None:
    """Rules 9.1, 9.6."""
    state = bored("", "picnic", "hop", pile="dim kick glow king hop")
    do(state, 1, "cast hop")
    do(state, 2, "cast picnic")
    assert [hand(state, seat) for seat in (1, 2, 3)] == ["dim", "glow", "hop kick"]
    assert state.view(None).king == (2, 3, 1)
    do(state, 2, "cast glow")
    do(state, 3, "cast hop")
    told = do(state, 3, "cast kick")
    assert heard(told, events.Bared) == [{"seat": 1, "dropped": []}]
    assert may(state) == ["cast dim"]
    assert not heard(told, events.KingLeft)
    assert heard(do(state, 1, "cast dim"), events.KingLeft)


def test_counter_spells_are_discarded_and_nobody_is_asked() -> None:
    """Rule 9.2."""
    state = given("no kick", "no hop", pile="king hop")
    told = begin_turn(state)
    assert heard(told, events.Bared) == [{"seat": 1, "dropped": ["no"]}]
    told = do(state, 1, "cast hop")
    assert heard(told, events.Answers) == []
    assert mage(state).square == 1
    told = do(state, 1, "cast kick")
    assert heard(told, events.Bared) == [{"seat": 2, "dropped": ["no"]}]
    assert hand(state, 2) == "hop"


def test_a_counter_spell_drawn_before_the_king_is_discarded() -> None:
    """Rule 9.2."""
    state = bored("study", "", pile="no glow king hop")
    told = do(state, 1, "cast study")
    assert heard(told, events.Drew)[0]["dropped"] == ["no"]
    assert hand(state) == "hop glow"


def test_a_hand_of_counter_spells_is_gone_at_once() -> None:
    """Rule 9.2."""
    state = bored("", "no no")
    assert state.view(None).discard == ()
    told = do(state, 1, "cast hop")
    assert state.view(None).discard == ("hop", "no", "no", "king")
    assert heard(told, events.Bared)[0] == {"seat": 2, "dropped": ["no", "no"]}
    assert not state.race.king_reigns


def test_what_cannot_be_cast_is_discarded() -> None:
    """Rule 9.3."""
    state = bored("kick wave", "", legs=0)
    assert may(state) == ["cast hop", "drop kick", "cast wave"]
    assert why_not(state, 1, "drop wave") == "must_cast"
    do(state, 1, "drop kick")
    assert hand(state) == "hop wave"


def test_dice_and_reserve_are_as_ever() -> None:
    """Rule 9.4."""
    state = bored("leap", "", dice="3", reserve=1)
    do(state, 1, "cast leap")
    assert may(state) == ["pay", "fizzle"]
    do(state, 1, "pay")
    assert mage(state).square == 2


def test_power_before_the_king_surges_in_the_turn_of_another() -> None:
    """Rules 9.4, 6.4."""
    state = bored("", "glow")
    mage(state, 2).power = 3
    do(state, 1, "cast hop")
    do(state, 2, "cast glow")
    assert mage(state, 2).square == 2


def test_the_line_may_be_crossed_before_the_king() -> None:
    """Rule 9.4."""
    state = bored("", "hop", square=11)
    do(state, 1, "cast hop")
    assert state.outcome() is not None


def test_protections_sleep_until_the_next_turn_of_an_opponent() -> None:
    """Rule 9.5."""
    state = bored("umbrella", "trip umbrella", "trip", square=5)
    do(state, 1, "cast umbrella")
    assert state.view(2).mages[0].lasting[0].asleep
    do(state, 1, "cast hop")
    do(state, 2, "cast trip 1")
    assert mage(state).square == 3
    do(state, 2, "cast umbrella")
    do(state, 3, "cast trip 2")
    assert state.race.turn_of == 2  # the turn of seat 1 has ended, that of seat 2 has begun
    assert not state.view(2).mages[0].lasting[0].asleep
    assert state.view(2).mages[1].lasting[0].asleep
    do(state, 2, "pass")
    assert not any(lasting.asleep for runner in state.view(None).mages for lasting in runner.lasting)


@pytest.mark.parametrize("dazed", [False, True])
def test_a_daze_before_the_king_holds_for_the_next_turn(dazed: bool) -> None:
    """Rules 4.13, 9.4: also for a mage whom an older daze costs the action of this turn."""
    state = given("", "nap", pile="king hop")
    mage(state).dazed = dazed
    begin_turn(state)
    do(state, 1, "cast hop")
    do(state, 2, "cast nap 1")
    assert state.race.turn_of == 2
    assert mage(state).dazed
    told = do(state, 2, "pass")
    assert [event["seat"] for event in heard(told, events.Began)] == [1, 2]
    assert hand(state) == "hop hop"
    assert not mage(state).dazed


def test_a_protection_that_sleeps_does_nothing_at_upkeep() -> None:
    """Rule 9.5: it takes effect no sooner than an opponent's turn begins; its counter goes all the same."""
    game = GAMES[0]
    mages = [{"hand": ["spiteful_umbrella"]}, {"hand": []}]
    top = ["cv_fluent_toad", "bored_king", "polite_breeze", "polite_breeze"]
    state = game.build_position({"turn_of": 1, "phase": "begin", "top": top, "mage": mages}, Chance.of_number(1))
    view = state.view(1)
    assert isinstance(view, SeatRace)
    assert view.king == (1, 2)
    state.apply(1, Cast("spiteful_umbrella"))
    after = state.view(1)
    assert isinstance(after, SeatRace)
    assert after.turn_of == 2
    assert [one.counters for one in after.mages[0].lasting] == [1]
    assert after.mages[0].hurdles == view.mages[0].hurdles


def test_other_lasting_spells_are_awake() -> None:
    """Rule 9.5."""
    state = bored("luck", "")
    do(state, 1, "cast luck")
    assert not state.view(1).mages[0].lasting[0].asleep


def test_the_king_is_discarded_and_the_turn_goes_on() -> None:
    """Rule 9.6."""
    state = given("", "kick", pile="king hop")
    lay(state, 1, "luck", 2)
    begin_turn(state)
    do(state, 1, "cast hop")
    told = do(state, 2, "cast kick")
    kinds = [type(one.event) for one in told]
    assert kinds.index(events.KingLeft) < kinds.index(events.Ticked) < kinds.index(events.Began)
    assert named(state.race.discard) == "hop kick king"
    assert state.race.turn_of == 2


def test_redeals_before_the_king_betray_nothing() -> None:
    """Rules 9.2, 10.1."""
    for seen_by in (None, 1, 2, 3):
        state = bored("trip glow", "no hop wave", "no kick", legs=0)
        for _ in range(2):
            chance = Chance.of_number(3)
            compared = [check_redeal(GAME, state, seen_by, chance, f"seen by {seen_by}") for _ in range(20)]
            assert sum(compared) > len(compared)  # sometimes an action that looks alike is found
            state.apply(1, state.legal_actions(1)[-1])


def test_old_cards_of_a_mage_who_has_not_come_yet_are_imagined_where_they_are() -> None:
    state = given("hop hop", "hop kick", "no dash")
    race = state.race
    race.king_card, race.king_reigns, race.phase = INDEX["king"], True, "king"
    race.actor, race.king_queue, race.bared = 2, [3, 1], 1 << 2
    mage(state, 3).kept = mage(state, 3).hand.copy()
    for number in range(5):
        world = state.redeal(1, Chance.of_number(number))
        assert isinstance(world, RaceState)
        assert hand(world, 3) == hand(state, 3)
        assert all(race.deck.kinds[card].is_spell for card in mage(world, 2).hand)


def test_nobody_expects_a_counter_spell_of_a_mage_who_comes_again() -> None:
    """Rules 9.2, 10.1."""
    state = bored("", "picnic hop", "no no", pile="dim kick glow king hop")
    do(state, 1, "cast hop")
    do(state, 2, "cast picnic")
    for number in range(30):
        other = state.redeal(2, Chance.of_number(number))
        assert not any(GAME.deck.kinds[card].is_counter for card in mage(other, 1).hand)
        check_redeal(GAME, state, 2, Chance.of_number(number), "seen by 2")
