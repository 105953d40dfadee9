"""Casting: books, costs, wild symbols, the innate spell and the golden gem."""

import pytest

from games.magecraft.events import GoldKept, GoldLost, InnateCast, Paid, Revising, SpellCast
from games.magecraft.moves import GEMS, Cast, Innate, Pay
from games.magecraft.turn import NO_GOLD
from tests.games.magecraft.given import act, book, described, gems, legal, position, refused


def test_a_book_is_read_from_the_left_and_no_other_is_opened() -> None:
    """Rule 3.1."""
    state = position(hand="WFLE")
    book(state.mages[0], state, 1, "well bolt")
    told = act(state, "cast 1")
    assert isinstance(told[0], SpellCast)
    assert told[0].spell == "well"
    assert refused(state, Cast(2)) == "other_book"
    told = act(state, "cast 1", "attack 2 fire")
    assert isinstance(told[0], SpellCast)
    assert told[0].spell == "bolt"
    assert refused(state, Cast(1)) == "no_spell"


def test_a_spell_that_cannot_be_paid_is_not_skipped() -> None:
    """Rule 3.1."""
    state = position(hand="FFFF")
    book(state.mages[0], state, 1, "well bolt")
    assert "cast 1" not in legal(state)
    assert refused(state, Cast(1)) == "too_dear"


def test_casting_may_stop_after_any_spell() -> None:
    """Rule 3.1."""
    state = position(hand="FF")
    book(state.mages[0], state, 1, "bolt bolt")
    act(state, "cast 1", "attack 2 fire", "end")
    assert state.turn.seat == 2
    assert sum(state.mages[1].life) == 11


def test_symbols_of_a_colour_take_that_colour_and_wild_ones_take_any() -> None:
    """Rule 3.2."""
    state = position(hand="FW")
    assert "cast 2" in legal(state)  # fire wild
    assert "cast 3" not in legal(state)  # light wild
    act(state, "cast 2", "attack 2 fire")
    assert state.mages[0].discard == gems("FW")


def test_a_wild_symbol_needs_a_gem_beyond_the_coloured_ones() -> None:
    """Rule 3.2."""
    assert refused(position(hand="F"), Cast(2)) == "too_dear"


def test_darkness_pays_for_wild_symbols_only() -> None:
    """Rule 3.2."""
    assert refused(position(hand="DD"), Cast(2)) == "too_dear"
    state = position(hand="FD")
    act(state, "cast 2")
    assert state.mages[0].discard == gems("FD")


def test_wild_symbols_are_asked_for_one_by_one() -> None:
    """Rule 3.3."""
    state = position(hand="FWE")
    told = act(state, "cast 2")
    assert told == [SpellCast(1, 2, "missile", ("fire",), "")]
    assert legal(state) == ["pay water", "pay earth"]
    assert refused(state, Pay("light")) == "no_gem"
    act(state, "pay earth")
    assert state.mages[0].hand == gems("W")


def test_wild_symbols_that_take_the_whole_hand_are_not_asked_for() -> None:
    """Rule 3.3."""
    state = position(hand="WE")
    book(state.mages[0], state, 1, "both")
    told = act(state, "cast 1")
    assert told[:2] == [SpellCast(1, 1, "both", (), ""), Paid(1, ("water", "earth"))]


def test_a_hand_of_one_kind_is_asked_for_as_any_other() -> None:
    """Rules 3.3, 8.4: so that nobody can tell it from one of several kinds."""
    state = position(hand="FFFF")
    book(state.mages[0], state, 1, "both")
    assert act(state, "cast 1") == [SpellCast(1, 1, "both", (), "")]
    assert legal(state) == ["pay fire"]
    assert act(state, "pay fire") == [Paid(1, ("fire",))]
    assert legal(state) == ["pay fire"]
    state = position(hand="FFF")
    assert act(state, "cast 2") == [SpellCast(1, 2, "missile", ("fire",), "")]


def test_the_last_of_two_wild_symbols_is_paid_without_asking_if_it_takes_the_last_gem() -> None:
    """Rules 3.3, 3.6."""
    state = position(hand="WE")
    book(state.mages[0], state, 1, "both*")
    told = act(state, "cast 1", "pay earth")
    assert told[1:4] == [Paid(1, ("earth",)), GoldKept(1, "earth"), Paid(1, ("water",))]
    assert state.mages[0].hand == gems("")


@pytest.mark.parametrize("hand", ["WE", "WW"])
def test_which_gem_of_the_whole_hand_turns_to_gold_is_asked_whatever_the_gems(hand: str) -> None:
    """Rules 3.6, 8.4."""
    state = position(hand=hand)
    book(state.mages[0], state, 1, "both*")
    assert act(state, "cast 1") == [SpellCast(1, 1, "both", (), "")]
    state = position(hand="W")
    book(state.mages[0], state, 1, "dusk*")
    assert act(state, "cast 1")[1:3] == [Paid(1, ("water",)), GoldKept(1, "water")]


def test_paid_gems_can_be_used_by_the_icons_of_the_same_spell() -> None:
    """Rule 3.4."""
    state = position(hand="E")
    book(state.mages[0], state, 1, "ward")
    act(state, "cast 1")
    assert "shield earth discard" in legal(state)
    state = position(hand="W")
    state.mages[0].bag = []
    act(state, "cast 1")  # meditation: the gem that paid for it is drawn again
    assert state.mages[0].hand == gems("W")


def test_the_innate_spell_is_cast_once_a_turn_before_between_or_after() -> None:
    """Rule 3.5."""
    for lines in (["innate", "cast 1", "cast 1"], ["cast 1", "innate", "cast 1"], ["cast 1", "cast 1", "innate"]):
        state = position(hand="FFF")
        book(state.mages[0], state, 1, "bolt bolt")
        for line in lines:
            act(state, line, "attack 2 water")
            state.mages[1].life = [3] * 4 + [0]
            state.mages[1].invalidate_views()
        assert refused(state, Innate()) == "innate_used"
        act(state, "end", seat=1)
        act(state, "end", seat=2)
        assert not state.turn.innate_used


def test_a_wild_symbol_of_the_innate_spell_that_takes_the_last_gem_is_not_asked_for() -> None:
    """Rules 3.3, 3.5."""
    state = position(hand="W")
    state.mages[0].character = 1  # bob
    assert act(state, "innate") == [InnateCast(1, "stone", ()), Paid(1, ("water",))]
    state = position(hand="WE")
    state.mages[0].character = 1
    assert act(state, "innate") == [InnateCast(1, "stone", ())]
    assert legal(state) == ["pay water", "pay earth"]


def test_the_innate_spell_can_be_cast_alone_and_has_its_own_cost() -> None:
    """Rule 3.5."""
    assert refused(position(hand="WEL"), Innate()) == "too_dear"
    state = position(hand="F")
    act(state, "innate", "attack 2 fire", "end")
    assert sum(state.mages[0].score) == 1


def test_the_gem_of_the_leftmost_symbol_of_a_mastered_spell_waits_as_gold() -> None:
    """Rule 3.6."""
    state = position(hand="FW")
    book(state.mages[0], state, 1, "bolt* bolt")
    told = act(state, "cast 1")
    assert GoldKept(1, "fire") in told
    assert state.mages[0].discard == gems("")
    assert state.turn.gold == 0
    told = act(state, "attack 2 fire", "cast 1")
    assert SpellCast(1, 1, "bolt", (), "fire") in told
    assert state.mages[0].discard == gems("F")
    assert state.mages[0].hand == gems("W")


def test_a_wild_leftmost_symbol_gives_gold_of_the_colour_that_paid() -> None:
    """Rule 3.6."""
    state = position(hand="WF")
    book(state.mages[0], state, 1, "both* bolt")
    act(state, "cast 1")
    assert legal(state) == ["pay fire", "pay water"]  # which of the two turns to gold is a choice
    act(state, "pay fire")
    assert state.turn.gold == 0
    assert state.mages[0].hand == gems("")
    assert state.mages[0].discard == gems("W")


def test_gold_pays_its_own_colour_before_a_wild_symbol() -> None:
    """Rule 3.7."""
    state = position(hand="FWE")
    book(state.mages[0], state, 1, "bolt* pair")  # pair costs wild fire
    act(state, "cast 1", "attack 2 fire", "cast 1")
    assert legal(state) == ["pay water", "pay earth"]  # the golden gem paid for fire, the wild symbol is left
    state = position(hand="WL")
    book(state.mages[0], state, 1, "well* third")  # third costs light wild wild
    state.mages[0].bag = []
    state.mages[0].hand = gems("WLE")
    act(state, "cast 1", "cast 1")
    assert state.mages[0].discard == gems("WLE")


def test_gold_that_pays_the_leftmost_symbol_of_a_mastered_spell_stays_gold() -> None:
    """Rules 3.6, 3.7."""
    state = position(hand="LW")
    book(state.mages[0], state, 1, "fade* pair* bolt")  # pair costs wild fire
    state.mages[0].hand = gems("LFW")
    act(state, "cast 1", "vanish water hand")
    assert state.turn.gold == 3
    act(state, "cast 1")
    assert state.turn.gold == 3
    assert state.mages[0].discard == gems("F")


def test_gold_is_lost_with_a_mage_who_falls_in_mid_turn() -> None:
    """Rules 3.7, 7.2."""
    state = position(3, hand="LF")
    state.mages[0].life = gems("W")
    book(state.mages[0], state, 1, "fade*")
    told = act(state, "cast 1", "vanish water life")
    assert GoldLost(1, "light") in told
    assert state.mages[0].discard == gems("L")
    assert state.turn.seat == 2
    assert state.turn.gold == NO_GOLD


def test_gold_that_can_pay_for_nothing_is_lost() -> None:
    """Rule 3.7."""
    state = position(hand="FW")
    book(state.mages[0], state, 1, "bolt* well")
    told = act(state, "cast 1", "attack 2 fire", "cast 1")
    assert GoldLost(1, "fire") in told
    assert state.turn.gold == NO_GOLD


def test_gold_is_lost_when_casting_ends_and_the_innate_spell_does_not_touch_it() -> None:
    """Rule 3.7."""
    state = position(hand="FF")
    book(state.mages[0], state, 1, "bolt* bolt")
    act(state, "cast 1", "attack 2 fire", "innate", "attack 2 fire")
    assert state.turn.gold == 0
    told = act(state, "end")
    assert told[0] == GoldLost(1, "fire")


def test_gold_is_lost_when_a_revision_begins() -> None:
    """Rule 3.7."""
    state = described({"turn": 1, "book": 1, "cast": 1, "gold": "fire", "mage": [{"books": ["bolt*"], "hand": "FFWE"}]})
    told = act(state, "revise")
    assert told[:2] == [GoldLost(1, "fire"), Revising(1, ("fire", "fire", "water", "earth"))]
    assert state.turn.gold == NO_GOLD
    assert not [event for event in act(state, "done") if isinstance(event, GoldLost)]


def test_gold_can_pay_for_what_the_hand_alone_cannot() -> None:
    """Rule 3.7."""
    state = position(hand="F")
    book(state.mages[0], state, 1, "bolt* bolt ward")
    act(state, "cast 1", "attack 2 fire")
    assert "cast 1" in legal(state)
    act(state, "cast 1", "attack 2 fire")
    assert refused(state, Cast(1)) == "too_dear"


@pytest.mark.parametrize(
    ("books", "gold", "hand", "lines", "left", "kept"),
    [
        ("bolt* fireball", "fire", "FFW", ["cast 1"], "FW", ""),  # it pays one symbol of two
        ("dusk* fireball", "darkness", "FF", ["cast 1"], "", ""),  # it can pay none and is lost
        ("dusk* absorb", "darkness", "EF", ["cast 1"], "F", ""),  # it pays the wild symbol
        ("bolt* both*", "fire", "WEL", ["cast 1", "pay water"], "EL", "fire"),  # it pays the leftmost one and stays
        ("bolt* both*", "", "WEL", ["cast 1", "pay water", "pay earth"], "L", "water"),
    ],
)
def test_a_golden_gem_pays_one_symbol_that_it_can_pay(
    books: str, gold: str, hand: str, lines: list[str], left: str, kept: str
) -> None:
    """Rules 3.6, 3.7."""
    state = described({"turn": 1, "book": 1, "cast": 1, "gold": gold, "mage": [{"books": [books], "hand": hand}]})
    mage = state.mages[0]
    mage.discard = gems("")
    before = [sum(gems) for gems in zip(mage.hand, mage.discard, strict=True)]
    act(state, *lines)
    assert mage.hand == gems(left)
    assert state.turn.gold == (GEMS.index(kept) if kept else NO_GOLD)
    golden = [(name == gold) - (name == kept) for name in GEMS]
    after = [sum(gems) for gems in zip(mage.hand, mage.discard, strict=True)]
    assert [now - then for now, then in zip(after, before, strict=True)] == golden
