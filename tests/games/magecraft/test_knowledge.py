"""Who knows what."""

from collections import Counter

import pytest

from games.api import plain_lines
from games.chance import Chance
from games.magecraft.academy import AcademyState
from games.magecraft.events import Drew, YouDrew
from games.magecraft.mage import Mage
from games.magecraft.moves import END
from games.magecraft.options import MagecraftOptions
from games.magecraft.rules import MagecraftState
from games.magecraft.turn import TurnProgress
from games.magecraft.views import Gems, SeatView, SpectatorView
from games.testing.exam import random_match
from tests.games.magecraft.given import GAME, act, book, described, gems, position, started


def redealt(state: MagecraftState, number: int) -> MagecraftState:
    """The match dealt anew for seat 2."""
    other = state.redeal(2, Chance.of_number(number))
    assert isinstance(other, MagecraftState)
    return other


def test_a_hand_is_shown_to_its_owner_and_only_its_size_to_others() -> None:
    """Rule 8.1."""
    state = position(hand="FWL")
    own, other = state.view(1), state.view(2)
    assert isinstance(own, SeatView)
    assert isinstance(other, SeatView)
    assert own.you.hand == Gems(fire=1, water=1, light=1)
    assert other.others[0].hand_size == 3
    assert other.others[0].known == Gems()


def test_drawn_gems_are_named_to_the_one_who_draws() -> None:
    """Rule 8.1."""
    state = position()
    told = state.apply(1, GAME.words.parse_actions("end", state.view(1), [])[0])
    mine = [one.event for one in told if one.is_for(1)]
    theirs = [one.event for one in told if one.is_for(2)]
    watching = [one.event for one in told if one.is_for(None)]
    assert YouDrew(("fire", "water", "earth", "light")) in mine
    assert Drew(1, 4) in theirs
    assert theirs == watching
    assert not [event for event in theirs if isinstance(event, YouDrew)]


def test_the_order_of_a_bag_is_shown_to_nobody() -> None:
    """Rule 8.1."""
    state = position(hand="F")
    views = [state.view(seat) for seat in (1, 2, None)]
    state.mages[0].bag.reverse()
    state.mages[0].invalidate_views()
    assert [state.view(seat) for seat in (1, 2, None)] == views


def test_hand_and_bag_together_are_public() -> None:
    """Rule 8.2."""
    state = position(hand="FFL")
    view = state.view(None)
    assert isinstance(view, SpectatorView)
    assert view.boards[0].hidden == Gems(fire=3, water=1, earth=1, light=2)
    assert view.boards[0].bag_size == 4


def test_a_bag_that_ran_empty_makes_the_hand_of_that_moment_known() -> None:
    """Rule 8.3."""
    state = position()
    mage = state.mages[0]
    mage.bag, mage.discard = [1, 0], gems("EEEL")
    act(state, "end")
    view = state.view(2)
    assert isinstance(view, SeatView)
    assert view.others[0].known == Gems(fire=1, water=1)
    assert view.others[0].hidden == Gems(earth=3, light=1)
    for number in range(10):
        other = redealt(state, number)
        dealt = other.mages[0].hand
        assert dealt[:2] == [1, 1]
        assert sum(dealt) == 4


def test_a_hand_is_known_as_soon_as_the_bag_is_empty() -> None:
    """Rule 8.3: with the last gem, not only when the discard goes into the bag."""
    state = position()
    mage = state.mages[0]
    mage.bag, mage.discard = [3, 2, 1, 0], gems("")
    act(state, "end")
    view = state.view(2)
    assert isinstance(view, SeatView)
    assert view.others[0].known == Gems(fire=1, water=1, earth=1, light=1)
    assert view.others[0].hidden == Gems()


def test_a_described_hand_beside_an_empty_bag_is_known() -> None:
    """Rule 8.3."""
    state = described({"mage": [{"hand": "FFW", "bag": ""}]})
    assert state.mages[0].known == gems("FFW")


def test_known_gems_are_paid_first_and_forgotten_with_the_hand() -> None:
    """Rule 8.3."""
    state = position(hand="FFW")
    mage = state.mages[0]
    mage.bag, mage.known = [1] * 5, gems("F")
    act(state, "innate", "attack 2 fire")
    assert mage.known == gems("")
    mage.known = gems("W")
    act(state, "end")
    assert mage.known == gems("")


def test_a_redeal_moves_gems_between_hand_and_bag_of_the_others_alone() -> None:
    """Rules 8.1, 8.2."""
    state = started(3, 7)
    hands, bags = set(), set()
    for number in range(12):
        other = redealt(state, number)
        mages = other.mages
        assert mages[1].hand == state.mages[1].hand
        assert sorted(mages[1].bag) == sorted(state.mages[1].bag)
        hands.add(tuple(mages[0].hand))
        bags.add(tuple(mages[1].bag))
        assert other.view(2) == state.view(2)
    assert len(hands) > 3
    assert len(bags) > 3


def test_a_clone_goes_on_with_the_same_draws() -> None:
    """Rule 6.2."""
    state = position(hand="FF")
    state.mages[0].bag = []
    state.mages[0].discard = gems("FFWWEELL")
    copy = state.clone()
    assert act(state, "end") == act(copy, "end")
    assert state == copy
    act(copy, "end", seat=2)
    assert state != copy


def test_what_is_asked_next_says_nothing_about_a_hand() -> None:
    """Rule 8.4: whoever looks on sees the same phase with the same to do, whatever gems the mage may hold."""
    compared = 0
    for number in range(24):
        seats = 2 + number % 3
        chance = Chance.of_number(number)
        for moment in random_match(GAME, seats, MagecraftOptions(), number):
            state = moment.state
            assert isinstance(state, MagecraftState)
            others = [seat for seat in range(1, seats + 1) if seat != state.turn.seat]
            other = state.redeal(chance.choice("observer", others), chance)
            alike = set(state.legal_actions(state.turn.seat)) & set(other.legal_actions(state.turn.seat))
            for action in sorted(alike, key=repr)[:3]:
                here, there = state.clone(), other.clone()
                here.apply(state.turn.seat, action)
                there.apply(state.turn.seat, action)
                assert here.view(None).progress == there.view(None).progress, action
                compared += 1
    assert compared > 1_000


@pytest.mark.parametrize(("spell", "asked"), [("tricks", "pay {}"), ("fade", "vanish {} hand")])
def test_what_is_done_for_a_late_mage_says_nothing_about_the_rest_of_the_hand(spell: str, asked: str) -> None:
    """Rule 8.5: the first kind in hand would tell which kinds are not there."""
    state = position(hand="FWWL")
    book(state.mages[0], state, 1, spell)
    assert state.default_action(1, Chance.of_number(1)) == END
    act(state, "cast 1")
    done = Counter(GAME.words.format_action(state.default_action(1, Chance.of_number(number))) for number in range(300))
    assert done.keys() == {asked.format("fire"), asked.format("water")}
    assert 170 < done[asked.format("water")] < 230, "a gem is picked, not a kind"


def test_a_state_equals_its_clone_and_none_in_which_anything_differs() -> None:
    state = position(3, hand="FWL")
    kept = {"seen", "own_board", "own_gems", "open_board"}  # built from the others
    parts: list[TurnProgress | AcademyState | Mage] = [state.turn, state.academy, state.mages[1]]
    for at, part in enumerate(parts):
        for name in set(part.__slots__) - kept:
            other = state.clone()
            assert other == state
            changed = (other.turn, other.academy, other.mages[1])[at]
            setattr(changed, name, "another")
            assert other != state, name
            assert changed != "another"


@pytest.mark.parametrize(("known", "bag", "shown"), [("2F 1L", "", "2F 1L bag 0"), ("1F", "1W", "3 with 1F bag 1")])
def test_every_board_but_the_shortest_shows_what_is_known_of_a_hand(known: str, bag: str, shown: str) -> None:
    """Rule 8.3."""
    state = described({"turn": 2, "mage": [{"hand": "2F 1L", "known": known, "bag": bag}, {}]})
    *drawings, _shortest = GAME.words.render_boards(state.view(2), ["Ann", "Bob"], 80)
    for drawing in drawings:
        text = " ".join(" ".join(plain_lines(drawing)).split())
        assert f"hand {shown}" in text or f"hand 3 with {known} bag" in text
