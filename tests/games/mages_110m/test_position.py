"""110 Metres Mages: positions that people describe, and what is said of those that cannot be."""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games.api import PositionRefused, action_from, to_map
from games.chance import Chance
from games.mages_110m import GAMES
from games.mages_110m.rules import RaceState
from games.mages_110m.views import Race, SeatRace
from games.testing.exam import check_redeal

RACE = GAMES[0]
CVS = [kind.name for kind in RACE.deck.kinds if kind.is_cv]
FILES = sorted((Path(__file__).parent / "positions").glob("*.toml"))


def described(given: str | dict[str, Any], number: int = 1) -> RaceState:
    state = RACE.build_position(given, Chance.of_number(number))
    assert isinstance(state, RaceState)
    return state


def view(state: RaceState, seat: int) -> SeatRace:
    seen = state.view(seat)
    assert isinstance(seen, SeatRace)
    return seen


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_has_every_card_once_and_is_played_to_the_end(path: Path) -> None:
    for number in range(3):
        state = described(path.read_text(encoding="utf-8"), number)
        race = state.race
        held = [card for mage in race.mages for card in (*mage.hand, *mage.cvs)]
        lying = [card for mage in race.mages for card, _, _ in mage.lasting]
        king = [race.king_card] if race.king_card >= 0 else []
        assert Counter(race.pile + race.discard + held + lying + king) == Counter(
            race.deck.cards_for(race.seats, race.options)
        )
        chance = Chance.of_number(number).fork("players")
        while movers := sorted(state.to_move()):
            check_redeal(RACE, state, movers[0], chance, path.stem)
            state.apply(movers[0], chance.choice("action", state.legal_actions(movers[0])))
        assert state.outcome() is not None


def test_there_are_three_examples() -> None:
    assert len(FILES) >= 3


def test_what_is_said_holds() -> None:
    state = described(next(path for path in FILES if path.stem == "last_squares").read_text(encoding="utf-8"))
    seen = view(state, 1)
    assert (seen.turn, seen.turn_of, seen.phase) == (31, 2, "action")
    assert seen.hand == ("polite_breeze", "dramatic_pose", "loud_cough")
    assert seen.discard == ("frog_knees", "banana_of_doom", "polite_breeze")
    first, second = seen.mages
    assert (first.square, first.hurdles, first.endurance, first.power, first.reserve) == (11, (), 1, 5, 2)
    assert first.cvs == ("cv_excellent_beard", "cv_tower_owner")
    assert (second.square, second.hurdles, second.arms, second.legs, second.traded) == (10, (10,), 0, 0, True)
    assert [(one.card, one.counters) for one in second.lasting] == [("humming", 1)]


def test_the_named_cards_are_drawn_first_and_the_others_by_chance() -> None:
    given = {"phase": "begin", "turn_of": 1, "top": ["frog_knees", "human_cannonball"], "mage": [{"hand": ["humming"]}]}
    assert set(view(described(given), 1).hand) == {"frog_knees", "human_cannonball", "humming"}
    assert described(given) == described(given)
    assert len({view(described({"turn_of": 1, "mage": [{"hand": 4}]}, number), 1).hand for number in range(9)}) > 1


def test_a_turn_that_begins_before_the_king_lets_everybody_play() -> None:
    state = described(next(path for path in FILES if path.stem == "the_king_comes").read_text(encoding="utf-8"))
    seen = view(state, 3)
    assert (seen.phase, seen.turn, seen.king) == ("king", 40, (3, 1, 2))
    assert seen.pile + len(seen.discard) > 12 > seen.pile


def test_what_came_before_a_described_decision_is_told_to_nobody() -> None:
    state = described({"phase": "begin", "turn_of": 1, "top": ["frog_knees", "polite_breeze"]})
    told = state.apply(1, action_from(RACE, {"do": "pass"}))
    assert [type(one.event).__name__ for one in told][:2] == ["Passed", "Began"]


def test_nothing_said_is_the_action_of_somebody_with_cards() -> None:
    state = described("")
    assert len(state.race.mages) == 2
    assert {described("", number).race.turn_of for number in range(20)} == {1, 2}
    assert state.legal_actions(state.race.turn_of)


def test_a_map_and_its_toml_are_the_same_position() -> None:
    text = FILES[0].read_text(encoding="utf-8")
    assert described(text) == described(tomllib.loads(text))


def test_hands_of_which_nothing_is_said_take_what_a_small_deck_has_beside_those_that_are_said() -> None:
    few = RACE.with_cards(
        "[track]\nsquares = 2\nhurdles = []\n"
        "[mages]\narms = 2\nlegs = 2\nendurance = 9\ntired = 0\nsurge = 9\nhand = 6\ngamble = 4\n"
        "counts = 9\nturns = 9\n"
        '[[card]]\nname = "hop"\nkind = "spell"\ncount = 7\ntitle = { en = "Hop" }\neffects = ["you advance 1"]\n'
    )
    last = few.build_position({"turn_of": 1, "mage": [{"hand": 7}, {}]}, Chance.of_number(1)).view(2)
    assert isinstance(last, SeatRace)
    assert last.hand == ()
    for number in range(20):
        state = few.build_position({"mage": [{}, {"hand": 4}, {}]}, Chance.of_number(number))
        view = state.view(None)
        assert isinstance(view, Race)
        first, second, third = (mage.hand_size for mage in view.mages)
        assert (first, second) == (1, 4)
        assert third in (1, 2)


def test_the_examples_of_the_rules_page_can_be_played() -> None:
    page = RACE.rules.read_text(encoding="utf-8")
    state = described(page.partition("```toml\n")[2].partition("```")[0])
    legal = state.legal_actions(2)
    assert action_from(RACE, {"do": "cast", "card": "polite_breeze"}) in legal
    assert to_map(legal[0])["do"] == "cast"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("mage = 3", "mage"),
        ("[[mage", "TOML"),
        ({"sets": 2}, "sets"),
        ({"mage": [{"sqare": 2}]}, "sqare"),
        ({"seats": 5}, "seats is 2 to 4, not 5"),
        ({"seats": 2, "mage": [{}, {}, {}]}, "seats is 3 to 4"),
        ({"turn": 0}, "turn is"),
        ({"turn_of": 3}, "turn_of is 1 to 2, not 3"),
        ({"counts": 12}, "counts is 0 to 11"),
        ({"phase": "over"}, "phase"),
        ({"options": {"surge": "grows"}}, "options"),
        ({"mage": [{"square": 12}]}, "mage 1, square is 1 to 11, not 12"),
        ({"mage": [{}, {"arms": 3}]}, "mage 2, arms"),
        ({"mage": [{"power": -1}]}, "mage 1, power"),
        ({"mage": [{"endurance": 11}]}, "endurance"),
        ({"mage": [{"hurdles": [3, 3]}]}, "hurdles"),
        ({"mage": [{"hurdles": [11]}]}, "hurdles"),
        ({"mage": [{"hand": ["no_such"]}]}, "no_such"),
        ({"mage": [{"hand": ["bored_king"]}]}, "mage 1, hand"),
        ({"mage": [{"hand": ["leg_for_luck"]}, {"hand": ["leg_for_luck"]}]}, "leg_for_luck: there are only 1"),
        ({"mage": [{"hand": 200}]}, "mage 1, hand"),
        ({"mage": [{"hand": -1}]}, "mage 1, hand"),
        ({"turn_of": 1, "mage": [{"hand": []}]}, "phase: mage 1 has no card"),
        ({"mage": [{"cvs": ["humming"]}]}, "mage 1, cvs"),
        ({"mage": [{"lasting": [{"card": "polite_breeze", "counters": 1}]}]}, "does not last"),
        ({"mage": [{"lasting": [{"card": "humming", "counters": 4}]}]}, "counters is 0 to 3"),
        ({"mage": [{"lasting": [{"card": "humming", "counters": 1, "asleep": True}]}]}, "asleep"),
        (
            {"turn_of": 2, "mage": [{"lasting": [{"card": "spiteful_umbrella", "counters": 1, "asleep": True}]}]},
            "asleep",
        ),
        ({"discard": ["cv_fluent_toad"]}, "discard"),
        (
            {"discard": ["humming"], "top": ["humming"], "pile": 5, "mage": [{"hand": 4}, {"hand": 4}]},
            "pile: 105 cards are left for it beside that discard pile, not 5",
        ),
        ({"pile": 0, "mage": [{"cvs": CVS}]}, "pile: an empty one would have been made anew from the discard pile"),
        (
            {"top": ["humming"], "pile": 3},
            "pile: it has 10 cards at least, as what lies on top and a CV are not discarded",
        ),
        ({"pile": 500}, "pile"),
        ({"top": ["bored_king", "bored_king"]}, "bored_king: there are only 1"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence_that_names_the_key(given: str | dict[str, Any], reason: str) -> None:
    with pytest.raises(PositionRefused) as refused:
        described(given)
    assert reason in str(refused.value)
    assert str(refused.value).endswith(".")
