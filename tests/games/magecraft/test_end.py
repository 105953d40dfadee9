"""How matches end."""

from typing import Any

import pytest

from games.api import Outcome
from games.magecraft import GAMES
from games.magecraft.events import Eliminated
from games.magecraft.moves import Cast
from games.magecraft.options import MagecraftOptions
from games.magecraft.rules import MagecraftState
from tests.games.magecraft.given import GAME, act, book, gems, legal, position, refused


def ended(state: MagecraftState) -> Outcome:
    outcome = state.outcome()
    assert outcome is not None
    assert state.to_move() == frozenset()
    assert legal(state) == []
    assert refused(state, Cast(1)) == "over"
    return outcome


def test_twenty_in_the_score_wins_at_once() -> None:
    """Rule 7.1."""
    state = position(hand="WFW")
    state.mages[0].score = [19, 0, 0, 0, 0]
    book(state.mages[0], state, 1, "storm")
    act(state, "cast 1", "attack 2 fire")
    outcome = ended(state)
    assert (outcome.reason, outcome.places, outcome.scores) == ("score", (1, 2), (20, 0))
    assert sum(state.mages[1].life) == 11  # the second attack icon was not used


def test_a_healed_gem_may_be_the_twentieth() -> None:
    """Rules 4.4, 7.1."""
    state = position(hand="W")
    state.mages[0].score = [19, 0, 0, 0, 0]
    book(state.mages[0], state, 1, "cure")
    act(state, "cast 1", "heal fire")
    assert ended(state).reason == "score"


def test_nineteen_do_not_win() -> None:
    """Rule 7.1."""
    state = position(hand="F")
    state.mages[0].score = [18, 0, 0, 0, 0]
    act(state, "innate", "attack 2 fire")
    assert state.outcome() is None


def test_a_mage_without_life_is_out_and_keeps_what_lies_there() -> None:
    """Rule 7.2."""
    state = position(3, hand="FW")
    state.mages[1].life = gems("F")
    state.mages[1].hand = gems("LL")
    book(state.mages[0], state, 1, "storm")
    told = act(state, "cast 1", "attack 2 fire")
    assert Eliminated(2) in told
    assert legal(state) == [f"attack 3 {gem}" for gem in ("fire", "water", "earth", "light")]
    act(state, "attack 3 fire", "end")
    assert state.turn.seat == 3
    assert state.mages[1].hand == gems("LL")
    assert state.outcome() is None


def test_whoever_vanishes_the_last_own_life_is_out_in_mid_turn() -> None:
    """Rule 7.2."""
    state = position(3, hand="LF")
    state.mages[0].life = gems("W")
    book(state.mages[0], state, 1, "fade bolt")
    told = act(state, "cast 1", "vanish water life")
    assert Eliminated(1) in told
    assert state.turn.seat == 2
    assert state.mages[0].hand == gems("F")
    assert state.mages[0].discard == gems("L")
    act(state, "end", seat=2)
    assert state.round == 1
    act(state, "end", seat=3)
    assert (state.turn.seat, state.round) == (2, 2)  # a new round begins where the first player would be


def test_the_last_mage_standing_wins() -> None:
    """Rule 7.3."""
    state = position(hand="F")
    state.mages[1].life = gems("F")
    state.mages[1].score = [15, 0, 0, 0, 0]
    act(state, "innate")
    outcome = ended(state)
    assert (outcome.reason, outcome.places, outcome.scores) == ("life", (1, 2), (1, 15))


def test_the_score_is_looked_at_before_an_empty_life() -> None:
    """Rule 7.4."""
    state = position(hand="L")
    state.mages[0].life = gems("W")
    state.mages[0].score = [19, 0, 0, 0, 0]
    book(state.mages[0], state, 1, "fade")
    told = act(state, "cast 1")
    outcome = ended(state)
    assert (outcome.reason, outcome.places) == ("score", (1, 2))
    assert Eliminated(1) not in told, "who wins is not out"
    assert state.eliminated_seats() == frozenset()
    state = position(hand="F")
    state.mages[1].life = gems("F")
    state.mages[0].score = [19, 0, 0, 0, 0]
    act(state, "innate")
    assert ended(state).reason == "score"


def test_the_first_fall_ends_the_match_where_the_table_wants_that() -> None:
    """Rule 7.7."""
    state = position(3, hand="F", first_fall=True)
    state.mages[1].life = gems("F")
    state.mages[2].score = gems("WW")
    act(state, "innate", "attack 2 fire")
    outcome = ended(state)
    assert (outcome.reason, outcome.places) == ("fall", (2, 3, 1))
    assert outcome.text == "A mage has fallen; seat 3 wins with the best score, 2 gems."


@pytest.mark.parametrize(
    ("chosen", "ends"), [(False, [False] * 3), (True, [True] * 3), ("from_three", [False, True, True])]
)
def test_the_first_fall_may_end_matches_of_three_and_four_alone(chosen: Any, ends: list[bool]) -> None:
    """Rule 7.7."""
    options = MagecraftOptions(first_fall=chosen)
    assert [options.ends_at_first_elimination(seats) for seats in (2, 3, 4)] == ends


def test_the_first_fall_decides_nothing_that_life_or_score_decide() -> None:
    """Rule 7.7."""
    state = position(2, hand="F", first_fall=True)
    state.mages[1].life = gems("F")
    act(state, "innate")
    assert ended(state).reason == "life"
    state = position(3, hand="F", first_fall=True)
    state.mages[0].score = [19, 0, 0, 0, 0]
    state.mages[1].life, state.mages[1].score = gems("F"), gems("WW")
    act(state, "innate", "attack 2 fire")
    outcome = ended(state)
    assert (outcome.reason, outcome.places) == ("score", (1, 3, 2)), "who has fallen is behind the living"


def test_who_is_out_stays_out_and_is_asked_nothing_more() -> None:
    """Rule 7.8."""
    state = position(3, hand="F")
    assert state.eliminated_seats() == frozenset()
    state.mages[1].life = gems("F")
    act(state, "innate", "attack 2 fire", "end")
    assert state.eliminated_seats() == {2}
    for _ in range(3):
        assert state.to_move() != {2}
        act(state, "end", seat=state.turn.seat)


def test_the_cap_of_rounds_is_a_safety_net() -> None:
    """Rule 7.5."""
    assert GAMES[0].card_set.rounds == 200


def test_the_match_ends_after_the_last_round_of_the_card_file() -> None:
    """Rule 7.5."""
    state = position()
    for _ in range(3):
        assert state.outcome() is None
        act(state, "end", seat=1)
        act(state, "end", seat=2)
    outcome = ended(state)
    assert (outcome.reason, outcome.places) == ("rounds", (1, 1))


def test_whoever_fell_last_still_stands_behind_a_living_mage_without_score() -> None:
    """Rule 7.6."""
    state = position(4)
    state.round = 3
    for mage in state.mages[2:]:
        mage.life, mage.alive = gems(""), False
    state.fallen = [4, 3]
    state.mages[0].score = gems("F")
    for seat in (1, 2):
        act(state, "end", seat=seat)
    assert ended(state).places == (1, 2, 3, 4)


def test_places_go_by_score_then_life_then_the_order_of_falling() -> None:
    """Rule 7.6."""
    state = position(4)
    state.round = 3
    state.mages[1].score = gems("F")
    state.mages[2].life, state.mages[2].alive = gems(""), False
    state.fallen = [3]
    state.mages[3].life = gems("FW")
    for seat in (1, 2, 4):
        act(state, "end", seat=seat)
    assert ended(state).places == (2, 1, 4, 3)


@pytest.mark.parametrize(
    ("reason", "winners", "best", "said"),
    [
        ("score", ["Bob"], 20, "Bob wins with 20 gems in the score."),
        ("score", ["Bob"], 1, "Bob wins with 1 gem in the score."),
        ("life", ["ada"], 7, "ada wins as the last mage standing."),
        ("fall", ["Bob"], 7, "A mage has fallen; Bob wins with the best score, 7 gems."),
        ("rounds", ["Bob", "ada"], 7, "The last round is over; Bob and ada share the win with the best score, 7 gems."),
    ],
)
def test_how_a_match_ended_is_said(reason: str, winners: list[str], best: int, said: str) -> None:
    assert GAME.words.ending_sentence(reason, winners, best) == said


def test_the_last_to_fall_stands_before_the_first_to_fall() -> None:
    """Rule 7.6."""
    state = position(3, hand="FW")
    state.mages[1].life, state.mages[2].life = gems("F"), gems("W")
    state.mages[1].score = [9, 0, 0, 0, 0]
    book(state.mages[0], state, 1, "storm")
    act(state, "cast 1", "attack 2 fire")
    assert ended(state).places == (1, 3, 2)
