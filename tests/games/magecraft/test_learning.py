"""Learning, revising, mastering, and the end of a turn."""

import pytest

from games.magecraft.events import HandDiscarded, Learnt, Refilled, Revising, TurnBegan
from games.magecraft.moves import Cast, Learn, Lift, Master, Put, Revise
from tests.games.magecraft.given import act, book, gems, legal, position, refused, spells


def test_learning_ends_the_turn_and_so_does_a_revision() -> None:
    """Rule 5.1."""
    state = position(hand="W")
    act(state, "learn cure into 2")
    assert state.turn.seat == 2
    state = position(hand="FWEL")
    act(state, "revise", "done")
    assert state.turn.seat == 2
    state = position(hand="FWEL")
    act(state, "end")
    assert state.turn.seat == 2


def test_a_learnt_spell_goes_to_the_left_of_the_chosen_book() -> None:
    """Rule 5.2."""
    state = position(hand="EL")
    told = act(state, "learn absorb into 2")
    assert told[0] == Learnt(1, "absorb", 2)
    assert spells(state.mages[0], state, 2) == ["absorb", "missile"]
    assert state.academy.left[1] == 1


def test_only_what_is_left_in_the_academy_and_can_be_paid_is_learnt() -> None:
    """Rule 5.2."""
    state = position(hand="W")
    assert refused(state, Learn("absorb", 1)) == "too_dear"
    assert refused(state, Learn("meditation", 1)) == "not_on_offer"
    assert refused(state, Learn("nonsense", 1)) == "not_on_offer"
    assert refused(state, Learn("cure", 4)) == "no_book"
    state.academy.left[0] = 0
    assert refused(state, Learn("cure", 1)) == "not_on_offer"
    assert "learn cure into 1" not in legal(state)


def test_a_revision_costs_four_gems() -> None:
    """Rule 5.3."""
    assert refused(position(hand="FWE"), Revise()) == "too_dear"
    state = position(hand="FWELD")
    told = act(state, "revise")
    assert told == [Revising(1, ("fire", "water", "earth", "light")), HandDiscarded(1, ("darkness",))]
    assert sum(state.mages[0].hand) == 0


def test_a_revision_rearranges_the_books_at_will_and_may_leave_books_empty() -> None:
    """Rule 5.4."""
    state = position(hand="FWEL")
    act(state, "revise", "move 1 1 2 1", "move 3 1 2 3", "done")
    assert [spells(state.mages[0], state, at) for at in (1, 2, 3)] == [[], ["meditation", "missile", "tricks"], []]


def test_a_whole_revision_can_be_typed_in_one_line() -> None:
    """Rules 5.4, 5.5."""
    state = position(hand="FWEL")
    book(state.mages[0], state, 1, "bolt meditation bolt*")
    act(state, "revise tricks / bolt* meditation missile bolt")
    mage = state.mages[0]
    names = [[name.rstrip("*") for name in spells(mage, state, at)] for at in (1, 2, 3)]
    assert names == [["tricks"], ["bolt", "meditation", "missile", "bolt"], []]
    assert [copy & 1 for copy in mage.books[1]].count(1) >= 1
    assert state.turn.seat == 2


def test_books_that_are_not_named_in_a_typed_revision_are_left_empty() -> None:
    """Rule 5.4."""
    for line, books in (
        ("revise tricks missile meditation", [["tricks", "missile", "meditation"], [], []]),
        ("revise / missile / tricks meditation", [[], ["missile"], ["tricks", "meditation"]]),
    ):
        state = position(hand="FWEL")
        act(state, line)
        assert [spells(state.mages[0], state, at) for at in (1, 2, 3)] == books


@pytest.mark.parametrize("line", ["revise missile tricks", "revise a / b / c / d", "revise meditation missile bolt"])
def test_a_revision_that_does_not_name_every_spell_is_not_read(line: str) -> None:
    """Rule 5.4."""
    from games.api import Unreadable

    with pytest.raises(Unreadable):
        act(position(hand="FWEL"), line)


def test_spells_are_lifted_one_by_one_and_as_often_as_there_are_spells() -> None:
    """Rule 5.4."""
    state = position(hand="FWEL")
    act(state, "revise", "lift 1 1")
    assert refused(state, Lift(2, 1)) == "put_first"
    assert refused(state, Put(2, 3)) == "no_place"
    act(state, "put 1 1", "move 1 1 1 1", "move 1 1 1 1")
    why = state.refusal_reason(1, Lift(1, 1))
    assert why is not None
    assert why.args == ("no_lift", "You may lift at most as many spells as you have; none is left.")
    assert refused(state, Put(1, 1)) == "nothing_lifted"
    assert [line for line in legal(state) if line.startswith("lift")] == []


def test_a_revision_masters_one_spell_and_it_stays_mastered() -> None:
    """Rule 5.5."""
    state = position(hand="FWEL")
    act(state, "revise", "master 2 1")
    assert spells(state.mages[0], state, 2) == ["missile*"]
    assert refused(state, Master(1, 1)) == "no_mastery"
    act(state, "done")
    act(state, "end", seat=2)
    state.mages[0].hand = gems("FWEL")
    state.invalidate_legal_actions()
    act(state, "revise")
    assert refused(state, Master(2, 1)) == "mastered"
    assert refused(state, Master(2, 2)) == "no_place"


def test_a_table_may_play_without_mastery() -> None:
    """Rule 5.5."""
    state = position(hand="FWEL", mastery=False)
    act(state, "revise")
    assert refused(state, Master(2, 1)) == "no_mastery"
    assert not [line for line in legal(state) if line.startswith("master")]


def test_the_rest_of_the_hand_is_discarded_and_four_gems_are_drawn() -> None:
    """Rule 6.1."""
    state = position(hand="LL")
    told = act(state, "end")
    assert told[0] == HandDiscarded(1, ("light", "light"))
    assert told[-1] == TurnBegan(2, 1)
    assert state.mages[0].hand == gems("FWEL")
    assert state.mages[0].discard == gems("LL")


def test_gems_paid_for_learning_go_with_the_rest_of_the_hand() -> None:
    """Rule 6.1."""
    state = position(hand="WLL")
    told = act(state, "learn cure into 1")
    assert told[1] == HandDiscarded(1, ("water", "light", "light"))


def test_an_empty_bag_takes_in_the_whole_discard() -> None:
    """Rule 6.2."""
    state = position(hand="LL")
    state.mages[0].bag = [1]
    told = act(state, "end")
    assert Refilled(1) in told
    assert state.mages[0].hand == gems("WLL")
    assert state.mages[0].discard == gems("")
    assert state.mages[0].bag == []


def test_with_bag_and_discard_empty_there_is_no_gem() -> None:
    """Rule 6.2."""
    state = position()
    state.mages[0].bag = []
    act(state, "end")
    assert state.mages[0].hand == gems("")


def test_what_belongs_to_another_moment_is_refused() -> None:
    """Rule 2.1."""
    state = position(hand="FWEL")
    assert refused(state, Lift(1, 1)) == "not_now"
    assert refused(state, Cast(1), seat=2) == "not_your_turn"
    act(state, "revise")
    assert refused(state, Cast(1)) == "not_now"
