"""Setup and the phases of a turn."""

import pytest

from games.api import options_from
from games.chance import Chance
from games.magecraft import GAMES
from games.magecraft.events import Started, Taken, TurnBegan, YouDrew
from games.magecraft.game import Magecraft
from games.magecraft.moves import Discard, Take
from games.magecraft.options import MagecraftOptions
from games.magecraft.rules import MagecraftState
from games.magecraft.views import Gems, Progress, SeatView
from tests.games.magecraft.given import CARDS, GAME, act, gems, legal, position, refused, spells, started


def test_the_first_player_is_dealt_and_the_turn_passes_clockwise() -> None:
    """Rule 1.1."""
    assert {started(3, number).first for number in range(20)} == {1, 2, 3}
    state = position(3)
    seats = []
    for _ in range(4):
        seats.append(state.turn.seat)
        act(state, "end", seat=state.turn.seat)
    assert seats == [1, 2, 3, 1]


@pytest.mark.parametrize("seats", [1, 5])
def test_other_numbers_of_mages_are_refused(seats: int) -> None:
    """Rule 1.1."""
    with pytest.raises(ValueError, match="2 to 4"):
        GAME.start(seats, options_from(GAME, {}), Chance.of_number(1))


def test_every_mage_has_a_character_of_its_own() -> None:
    """Rule 1.2."""
    for number in range(10):
        assert {mage.character for mage in started(4, number).mages} == {0, 1, 2, 3}
    assert len({started(2, number).mages[0].character for number in range(20)}) > 1


def test_boards_are_taken_in_turn_order_where_the_table_wants_that() -> None:
    """Rules 1.2, 1.3: the gems lie in the bags by then."""
    state = started(3, boards="chosen")
    first, second, third = ((state.first - 1 + at) % 3 + 1 for at in range(3))
    view = state.view(third)
    assert isinstance(view, SeatView)
    assert (view.progress.phase, view.you.character, view.you.hand) == ("boards", "", Gems())
    assert (view.you.bag, view.you.discard) == (Gems(3, 3, 3, 3), Gems())
    assert (view.others[0].bag_size, view.others[0].discard) == (12, Gems())
    assert legal(state, first) == ["take ann", "take bob", "take cid", "take dot"]
    assert legal(state, second) == []
    assert act(state, "take cid", seat=first) == [Taken(first, "cid")]
    assert refused(state, Take("cid"), second) == refused(state, Take("eve"), second) == "no_board"
    assert refused(state, Discard("fire"), second) == "not_now"
    act(state, "take a", seat=second)
    assert legal(state, third) == ["take bob", "take dot"]
    told = act(state, "take dot", seat=third)
    assert told[0] == Taken(third, "dot")
    assert sum(isinstance(event, YouDrew) for event in told) == 3
    assert [state.cards.characters[state.mages[seat - 1].character].name for seat in (first, second, third)] == [
        "cid",
        "ann",
        "dot",
    ]
    assert (state.turn.seat, state.turn.to_discard) == (first, 2)
    assert refused(state, Take("bob"), first) == "not_now"


def test_the_last_board_of_all_is_taken_without_asking() -> None:
    """Rule 1.2."""
    state = started(4, boards="chosen")
    for name in ("dot", "bob"):
        act(state, f"take {name}", seat=state.turn.seat)
    last = (state.first + 2) % 4 + 1
    told = act(state, "take ann", seat=state.turn.seat)
    assert told[1] == Taken(last, "cid")
    assert refused(state, Discard("darkness"), state.first) == "no_gem"


def test_bag_and_life_begin_with_three_gems_of_each_colour() -> None:
    """Rule 1.3."""
    for mage in started(2).mages:
        assert mage.life == [3, 3, 3, 3, 0]
        assert [mage.bag.count(gem) + mage.hand[gem] for gem in range(5)] == [3, 3, 3, 3, 0]
        assert mage.discard == gems("")


def test_each_book_begins_with_a_starter() -> None:
    """Rule 1.4."""
    state = started(2)
    for mage in state.mages:
        assert [spells(mage, state, book) for book in (1, 2, 3)] == [["meditation"], ["missile"], ["tricks"]]


@pytest.mark.parametrize(("seats", "copies"), [(2, 2), (3, 3), (4, 4)])
def test_the_academy_offers_three_base_spells_and_nine_others(seats: int, copies: int) -> None:
    """Rule 1.5."""
    state = started(seats)
    kinds = [spell.kind for spell in state.academy.spells]
    assert (kinds.count("base"), kinds.count("academy")) == (3, 9)
    assert set(state.academy.left) == {copies}


@pytest.mark.parametrize(("seats", "count"), [(2, 8), (3, 12), (4, 16)])
def test_the_academy_holds_gems_of_each_colour_by_the_number_of_mages(seats: int, count: int) -> None:
    """Rule 1.6."""
    assert started(seats).academy.gems[:4] == [count] * 4


def test_darkness_gems_lie_beside_the_academy_unless_the_table_leaves_them_out() -> None:
    """Rule 1.7."""
    assert started(2).academy.gems[4] == 8
    assert started(2, darkness=False).academy.gems[4] == 0
    assert [GAMES[0].card_set.tables[seats].darkness for seats in (2, 3, 4)] == [8, 16, 16]


def test_starting_hands_are_drawn_and_cut_down_in_turn_order() -> None:
    """Rule 1.8."""
    state = started(4)
    order = [(state.first - 1 + at) % 4 + 1 for at in range(4)]
    assert [sum(state.mages[seat - 1].hand) for seat in order] == [4, 4, 4, 5]
    asked = []
    while state.turn.phase == 0:
        asked.append(state.turn.seat)
        state.apply(state.turn.seat, state.legal_actions(state.turn.seat)[0])
    assert asked == [order[0], order[0], order[1], order[3]]
    assert [sum(state.mages[seat - 1].hand) for seat in order] == [2, 3, 4, 4]
    assert state.turn.seat == order[0]
    assert state.round == 1


def test_a_gem_that_is_not_in_the_starting_hand_cannot_be_discarded() -> None:
    """Rule 1.8."""
    state = started(2)
    seat = state.first
    assert refused(state, Discard("darkness"), seat) == "no_gem"
    assert refused(state, Discard("fire"), 3 - seat) == "not_your_turn"


def test_a_deal_is_told_before_the_first_decision() -> None:
    """Rules 1.1, 1.2, 1.5."""
    state, told = GAME.start(2, options_from(GAME, {}), Chance.of_number(1))
    assert isinstance(state, MagecraftState)
    event = told[0].event
    assert isinstance(event, Started)
    assert event.first == state.first
    assert event.academy == tuple(spell.name for spell in state.academy.spells)


def test_casting_ends_the_shield_phase_and_learning_ends_the_turn() -> None:
    """Rule 2.1."""
    state = position(hand="FFW")
    state.mages[0].shield = gems("E")
    assert "unshield earth" in legal(state)
    other = position(hand="W")
    other.mages[0].shield = gems("E")
    act(other, "cast 1")
    assert "unshield earth" not in legal(other)
    act(state, "innate", "attack 2 fire")
    assert "unshield earth" not in legal(state)
    told = act(state, "learn cure into 1")
    assert told[-1] == TurnBegan(2, 1)


def test_at_the_beginning_of_a_turn_nothing_is_left_of_the_last_one() -> None:
    """Rule 2.1."""
    state = position(hand="FFW")
    assert state.view(1).progress == Progress("spells", 1, first=1, active=1)
    act(state, "cast 2", "pay water", "attack 2 fire", "end")
    assert state.view(2).progress == Progress("spells", 1, first=1, active=2)


def test_any_number_of_shield_gems_may_be_discarded_before_the_first_spell() -> None:
    """Rule 2.2."""
    state = position(hand="F")
    state.mages[0].shield = gems("EEL")
    act(state, "unshield earth earth")
    assert state.mages[0].shield == gems("L")
    assert state.mages[0].discard == gems("EE")
    assert refused(state, GAME.words.parse_actions("unshield earth", state.view(1), [])[0]) == "no_gem"


@pytest.mark.parametrize("number", range(4))
def test_the_deal_can_be_worked_out_from_the_chance_table_of_the_page(number: int) -> None:
    """Rules 1.1, 1.2, 1.5, 6.2."""
    state, chance = started(3, number), Chance.of_number(number)
    assert state.first == chance.below("first player", 3) + 1
    people = chance.shuffle("characters", ["ann", "bob", "cid", "dot"])
    assert [state.cards.characters[mage.character].name for mage in state.mages] == people[:3]
    others = [spell.name for spell in state.cards.spells if spell.kind == "academy"]
    offered = [spell.name for spell in state.academy.spells if spell.kind == "academy"]
    assert offered == sorted(chance.shuffle("academy", others)[:9], key=others.index)
    for seat in (1, 2, 3):
        bag = chance.shuffle(f"bag {seat}", sorted([0, 1, 2, 3] * 3))
        mage = state.mages[seat - 1]
        drawn = [bag.pop() for _ in range(4)]
        assert mage.bag == bag
        assert mage.hand == [drawn.count(gem) for gem in range(5)]


def test_starting_hands_may_be_others_for_a_number_of_mages_where_the_table_wants_that() -> None:
    """Rules 1.8, 9.3."""
    own = Magecraft(CARDS.replace("seats = 3\n", "seats = 3\ndrawn = [4, 4, 3]\nkept = [3, 3, 3]\n"))
    for options, hands in (
        ({"hands": "house"}, [(4, 3), (4, 3), (3, 3)]),
        ({}, [(4, 2), (4, 3), (4, 4)]),
        ({"printed": True}, [(4, 2), (4, 3), (4, 4)]),
    ):
        read = options_from(own, options)
        assert isinstance(read, MagecraftOptions)
        assert own.card_set.starting_hands(3, read) == hands
    state, _told = own.start(3, MagecraftOptions(hands="house"), Chance.of_number(1))
    assert isinstance(state, MagecraftState)
    assert state.turn.to_discard == 1


def test_the_starting_hands_of_the_house_are_those_of_the_page() -> None:
    """Rule 1.8."""
    cards, house = Magecraft().card_set, MagecraftOptions(hands="house")
    assert cards.starting_hands(3, house) == [(4, 2), (4, 4), (6, 6)]
    assert cards.starting_hands(4, house) == [(4, 2), (4, 3), (5, 5), (7, 6)]
