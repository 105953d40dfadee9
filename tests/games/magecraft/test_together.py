"""Magecraft: what happens where two rules meet."""

from typing import TypeVar

import pytest

from games.api import Event, Outcome
from games.chance import Chance
from games.magecraft import GAMES, events
from games.magecraft.rules import MagecraftState
from games.magecraft.turn import SETUP
from tests.games.magecraft.given import act, book, described, gems, legal, position, started

E = TypeVar("E", bound=Event)


def of_kind(told: list[Event], kind: type[E]) -> list[E]:
    return [one for one in told if isinstance(one, kind)]


def ended(state: MagecraftState) -> Outcome:
    outcome = state.outcome()
    assert outcome is not None
    return outcome


def test_an_attack_that_kills_leaves_the_other_attacks_for_the_others() -> None:
    """Rules 4.3, 7.2."""
    state = position(3, hand="FF")
    state.mages[1].life = gems("E")
    book(state.mages[0], state, 1, "fireball")
    told = act(state, "cast 1", "attack 2 earth")
    assert [one.seat for one in of_kind(told, events.Eliminated)] == [2]
    assert legal(state) == ["attack 3 fire", "attack 3 water", "attack 3 earth", "attack 3 light"]
    act(state, "attack 3 fire")
    assert (sum(state.mages[0].score), state.turn.seat) == (2, 1)


def test_two_attacks_break_a_shield_and_then_a_life() -> None:
    """Rule 4.3."""
    state = position(hand="FF")
    state.mages[1].shield = gems("D")
    state.mages[1].invalidate_views()
    book(state.mages[0], state, 1, "fireball")
    act(state, "cast 1")  # the only gem of the shield is taken unasked
    assert state.mages[1].discard == gems("D")
    act(state, "attack 2 light")
    assert state.mages[0].score == gems("L")


def test_two_heals_fill_the_last_place_of_a_life_and_then_the_score() -> None:
    """Rules 4.4, 7.1."""
    state = position(hand="LWW")
    mage = state.mages[0]
    mage.life, mage.score = gems("FFFWWWEEELL"), gems("F" * 19)
    mage.invalidate_views()
    book(mage, state, 1, "third")
    told = act(state, "cast 1", "heal water", "heal fire")
    assert [one.zone for one in of_kind(told, events.Healed)] == ["life", "score"]
    assert ended(state).reason == "score"


def test_an_empty_bag_gives_back_what_was_paid_for_the_same_spell() -> None:
    """Rules 3.4, 4.2, 6.2."""
    state = position(hand="W")
    mage = state.mages[0]
    mage.bag, mage.discard = [], gems("")
    mage.invalidate_views()
    book(mage, state, 1, "well")
    act(state, "cast 1")
    assert (mage.hand, mage.bag, mage.discard) == (gems("W"), [], gems(""))
    assert "learn cure into 1" in legal(state)


def test_a_mage_that_is_out_is_skipped_though_it_began() -> None:
    """Rules 7.2, 7.5."""
    state = position(3, hand="")
    state.first = 2
    state.mages[1].life, state.mages[1].alive, state.fallen = gems(""), False, [2]
    state.mages[1].invalidate_views()
    before = state.round
    act(state, "end")
    assert (state.turn.seat, state.round) == (3, before + 1)


def test_the_last_round_ends_with_the_mage_before_a_fallen_first_player() -> None:
    """Rules 7.5, 7.6."""
    state = position(3, hand="")
    state.first, state.round = 2, 3
    state.mages[1].life, state.mages[1].alive, state.fallen = gems(""), False, [2]
    state.mages[2].score = gems("F")
    for mage in state.mages:
        mage.invalidate_views()
    act(state, "end")
    outcome = ended(state)
    assert (outcome.reason, outcome.places) == ("rounds", (2, 3, 1))


def test_who_vanishes_its_own_last_life_ends_a_match_of_the_first_fall_for_the_others() -> None:
    """Rules 4.6, 7.2, 7.7."""
    state = position(3, hand="L", first_fall=True)
    state.mages[0].life = gems("F")
    state.mages[0].score = gems("F" * 18)
    state.mages[2].score = gems("W")
    for mage in state.mages:
        mage.invalidate_views()
    book(state.mages[0], state, 1, "fade")
    act(state, "cast 1")
    outcome = ended(state)
    assert (outcome.reason, outcome.places) == ("fall", (3, 2, 1))


def test_a_wound_that_fells_nobody_ends_no_match_of_the_first_fall() -> None:
    """Rule 7.7."""
    state = position(3, hand="FL", first_fall=True)
    state.mages[1].life = gems("FW")
    state.mages[1].invalidate_views()
    book(state.mages[0], state, 1, "bolt fade")
    act(state, "cast 1", "attack 2 fire", "cast 1", "vanish fire life")
    assert (state.outcome(), state.turn.seat) == (None, 1)


def test_who_vanishes_its_own_last_life_as_the_twentieth_gem_wins() -> None:
    """Rules 7.1, 7.4."""
    state = position(hand="L")
    state.mages[0].life, state.mages[0].score = gems("F"), gems("F" * 19)
    state.mages[0].invalidate_views()
    book(state.mages[0], state, 1, "fade")
    act(state, "cast 1")
    outcome = ended(state)
    assert (outcome.reason, outcome.places, state.fallen) == ("score", (1, 2), [])


def test_the_last_life_of_the_last_but_one_makes_the_other_win() -> None:
    """Rules 7.2, 7.3."""
    state = position(hand="L")
    state.mages[0].life = gems("F")
    state.mages[0].invalidate_views()
    book(state.mages[0], state, 1, "fade")
    act(state, "cast 1")
    outcome = ended(state)
    assert (outcome.reason, outcome.places) == ("life", (2, 1))


def test_darkness_that_paid_the_leftmost_wild_symbol_turns_to_gold_and_pays_wild_symbols_only() -> None:
    """Rules 3.2, 3.6, 3.7."""
    state = position(hand="DFFF")
    book(state.mages[0], state, 1, "pair* meditation bolt")
    told = act(state, "cast 1", "pay darkness", "heal fire")
    assert [one.gem for one in of_kind(told, events.GoldKept)] == ["darkness"]
    told = act(state, "cast 1")
    assert of_kind(told, events.SpellCast)[0].gold == "darkness"
    assert (state.mages[0].hand, state.mages[0].discard) == (gems("FFFW"), gems("FD"))


def test_darkness_in_gold_that_meets_a_coloured_spell_is_discarded() -> None:
    """Rule 3.7."""
    state = position(hand="DFFF")
    book(state.mages[0], state, 1, "pair* bolt")
    act(state, "cast 1", "pay darkness", "heal fire")
    told = act(state, "cast 1")
    assert [one.gem for one in of_kind(told, events.GoldLost)] == ["darkness"]


def test_the_last_copy_is_learnt_by_one_and_by_nobody_after() -> None:
    """Rules 1.5, 5.2."""
    state = described(
        {"seats": 2, "turn": 1, "first": 1, "mage": [{"hand": "WF", "books": ["", "cure"]}, {"hand": "W"}]}
    )
    assert "learn cure into 1" in legal(state)
    act(state, "learn cure 1")
    assert not [line for line in legal(state, 2) if line.startswith("learn cure")]


def test_what_an_empty_academy_cannot_heal_is_skipped_beside_other_icons() -> None:
    """Rules 4.1, 4.4."""
    state = position(hand="EW")
    state.academy.gems = gems("D")
    state.academy.invalidate_view()
    book(state.mages[0], state, 1, "absorb")
    told = act(state, "cast 1", "attack 2 fire")
    assert of_kind(told, events.Healed) == []
    assert "end" in legal(state)


def test_each_darkness_icon_of_a_spell_chooses_its_own_opponent() -> None:
    """Rules 4.1, 4.7."""
    mages = [{"character": "gnome", "hand": "1E", "bag": "3F"}, {}, {}]
    state = GAMES[0].build_position({"seats": 3, "turn": 1, "mage": mages}, Chance.of_number(1))
    assert isinstance(state, MagecraftState)
    left = state.academy.gems[4]
    for line in ("innate", "draw", "draw", "draw", "darken 2", "darken 3"):
        for action in GAMES[0].words.parse_actions(line, state.view(1), state.legal_actions(1)):
            state.apply(1, action)
    assert [mage.discard[4] for mage in state.mages] == [0, 1, 1]
    assert state.academy.gems[4] == left - 2


def test_a_revision_with_five_gems_shows_all_of_them_and_masters_once() -> None:
    """Rules 5.3, 5.5."""
    state = position(hand="FFFFL")
    told = act(state, "revise")
    assert [one.gems for one in of_kind(told, events.Revising)] == [("fire",) * 4]
    assert [one.gems for one in of_kind(told, events.HandDiscarded)] == [("light",)]
    act(state, "master 1 1")
    assert not [line for line in legal(state) if line.startswith("master")]


@pytest.mark.parametrize(("seats", "hands"), [(2, [2, 3]), (3, [2, 3, 4]), (4, [2, 3, 4, 4])])
def test_starting_hands_are_those_of_the_table_from_whoever_begins(seats: int, hands: list[int]) -> None:
    """Rule 1.8."""
    for number in range(6):
        state = started(seats, number)
        while state.turn.phase == SETUP:
            seat = state.turn.seat
            state.apply(seat, state.legal_actions(seat)[0])
        found = [sum(state.mages[(state.first - 1 + at) % seats].hand) for at in range(seats)]
        assert found == hands
        assert state.turn.seat == state.first
