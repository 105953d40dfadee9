"""110 Metres Mages: the CV count when the pile runs out."""

from itertools import cycle

import pytest

from games.mages_110m import events
from games.mages_110m.rules import RaceState
from tests.games.mages_110m.given import begin_turn, cards, do, given, hand, heard, mage, named, pile_is


def counting(*cvs: int, squares: tuple[int, ...] = (), pile: str = "glow hop") -> RaceState:
    """Before the turn of seat 1; the pile is about to run out, the mages have that many CVs."""
    state = given(*("" for _ in cvs), discard="wave wave wave wave")
    pile_is(state, pile)
    left = cycle("abcdefghi")
    for seat, many in enumerate(cvs, 1):
        mage(state, seat).cvs = cards(" ".join(f"cv_{next(left)}" for _ in range(many)))
    for seat, square in enumerate(squares, 1):
        mage(state, seat).square = square
    return state


def test_the_count_comes_with_the_last_card() -> None:
    """Rule 7.1."""
    state = counting(1, 0)
    told = begin_turn(state)
    kinds = [type(one.event) for one in told]
    assert kinds == [
        events.Began, events.Drew, events.YouDrew, events.Counted, events.Moved, events.Shuffled,
    ]  # fmt: skip
    assert hand(state) == "hop glow"
    assert state.race.counts == 1


def test_the_count_comes_in_the_middle_of_a_draw() -> None:
    """Rule 7.1."""
    state = counting(0, 0, pile="cv_a")
    told = begin_turn(state)
    assert heard(told, events.Counted)[0] == {"cvs": [1, 0], "ahead": [1]}
    assert mage(state).square == 3
    assert hand(state) == "wave"
    assert named(mage(state).cvs) == "cv_a"


def test_cvs_set_aside_are_not_counted_and_go_back() -> None:
    """Rule 7.1."""
    state = counting(0, 0, pile="cv_b cv_a")
    told = begin_turn(state)
    assert heard(told, events.Counted)[0]["cvs"] == [1, 0]
    assert sum(state.race.deck.kinds[card].is_cv for card in state.race.pile + mage(state, 2).cvs) == 1


def test_most_cvs_advance_two_squares_through_hurdles() -> None:
    """Rule 7.2."""
    state = counting(2, 3, 1)
    told = begin_turn(state)
    assert heard(told, events.Counted) == [{"cvs": [2, 3, 1], "ahead": [2]}]
    assert [runner.square for runner in state.race.mages] == [1, 3, 1]
    assert heard(told, events.Moved) == [{"seat": 2, "square": 3, "cleared": [1, 2]}]


@pytest.mark.parametrize("cvs", [(0, 0), (3, 3), (2, 2, 1)])
def test_nobody_advances_when_several_have_most(cvs: tuple[int, ...]) -> None:
    """Rule 7.2."""
    told = begin_turn(counting(*cvs))
    assert heard(told, events.Counted)[0]["ahead"] == []
    assert heard(told, events.Moved) == []


def test_the_count_may_win_the_race() -> None:
    """Rule 7.2."""
    state = counting(1, 0, squares=(10, 1), pile="hop")
    told = begin_turn(state)
    assert state.outcome() is not None
    assert not state.knowledge(2).may_act
    assert heard(told, events.Shuffled) == []


@pytest.mark.parametrize(
    ("cvs", "squares", "after"),
    [
        ((5, 4), (5, 4), (7, 6)),  # strictly behind
        ((5, 4), (4, 4), (6, 4)),  # level
        ((5, 4), (3, 4), (5, 4)),  # in front
        ((4, 5), (2, 8), (4, 10)),
        ((5, 4, 0), (5, 4, 1), (7, 6, 1)),
        ((5, 3), (5, 1), (7, 1)),
        ((6, 4), (5, 1), (7, 1)),  # with more CVs than ours in an owner's deck
        ((4, 3), (5, 1), (7, 1)),
    ],
)
def test_at_five_to_four_the_one_behind_advances_too(
    cvs: tuple[int, ...], squares: tuple[int, ...], after: tuple[int, ...]
) -> None:
    """Rule 7.3."""
    state = counting(*cvs, squares=squares)
    begin_turn(state)
    assert tuple(runner.square for runner in state.race.mages) == after


def test_at_five_to_four_the_one_with_five_goes_first() -> None:
    """Rule 7.3."""
    state = counting(5, 4, squares=(11, 10))
    begin_turn(state)
    assert (mage(state, 1).square, mage(state, 2).square) == (12, 10)


def test_the_discard_pile_becomes_the_pile_and_cvs_stay() -> None:
    """Rule 7.4."""
    state = counting(1, 0)
    told = begin_turn(state)
    assert heard(told, events.Shuffled) == [{"cards": 4}]
    assert (named(state.race.pile), state.view(None).discard) == ("wave wave wave wave", ())
    assert named(mage(state).cvs) == "cv_a"


def test_a_gamble_goes_on_into_the_new_pile() -> None:
    """Rule 7.4."""
    state = given("hop hop hop hop", "")
    pile_is(state, "cv_a")
    told = do(state, 1, "gamble")
    order = [type(one.event) for one in told if not isinstance(one.event, events.Began | events.Drew)]
    assert order[:5] == [
        events.Gambled, events.TurnedUp, events.Counted, events.Shuffled, events.TurnedUp,
    ]  # fmt: skip
    assert heard(told, events.WasCast)[0]["card"] == "hop"
