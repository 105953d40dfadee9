"""110 Metres Mages: what holds in every position of a match."""

from collections import Counter

import pytest

from games.api import options_from
from games.chance import Chance
from games.mages_110m import GAMES
from games.mages_110m.rules import RaceState
from games.mages_110m.truth import RaceTruth
from games.mages_110m.views import Race
from games.testing.exam import ExamPosition, random_match
from tests.games.mages_110m.given import at

RACE = GAMES[0]


def public(moment: ExamPosition) -> Race:
    view = moment.state.view(None)
    assert isinstance(view, Race)
    return view


def out_of_all_hands(race: RaceTruth) -> list[int]:
    """The cards that are being played, or lie out while the king watches."""
    return [card for card in (race.spell, race.king_card) if card >= 0]


def has_all_cards(race: RaceTruth) -> bool:
    """Whether no card is lost or doubled."""
    held = [card for mage in race.mages for card in (*mage.hand, *mage.cvs)]
    lying = [card for mage in race.mages for card, _, _ in mage.lasting]
    everywhere = race.pile + race.discard + held + lying + out_of_all_hands(race)
    return Counter(everywhere) == Counter(race.deck.cards_for(race.seats, race.options))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_card_is_lost_or_doubled(seats: int) -> None:
    for number in range(8):
        for moment in random_match(RACE, seats, options_from(RACE, {}), number):
            assert isinstance(moment.state, RaceState)
            race = moment.state.race
            assert has_all_cards(race) or race.phase == "over"  # where the last spell may be half done


def test_no_card_is_lost_or_doubled_in_what_somebody_imagines_while_cards_are_out_of_all_hands() -> None:
    options, met = options_from(RACE, {}), set[int]()
    for number in range(25):
        for moment in random_match(RACE, 3, options, number):
            assert isinstance(moment.state, RaceState)
            out = out_of_all_hands(moment.state.race)
            if not out or moment.state.race.phase == "over" or met.issuperset(out):
                continue
            met.update(out)
            for observer in (None, *moment.state.to_move()):
                world = RACE.determinize(moment.state.knowledge(observer), 3, options, Chance.of_number(number))
                assert isinstance(world, RaceState)
                assert has_all_cards(world.race), (number, observer, out)
    assert {0, RACE.deck.index["bored_king"]} <= met, "the first kind of card, and the last one"


@pytest.mark.parametrize("observer", [None, 1, 2, 3])
def test_no_card_is_lost_or_doubled_in_what_somebody_imagines_wherever_cards_lie(observer: int | None) -> None:
    mages = [
        {"hand": ["hop", "no", "hop"], "cvs": ["cv_a"], "lasting": [{"card": "umbrella", "counters": 1}]},
        {"hand": 4, "cvs": ["cv_c", "cv_d"], "lasting": [{"card": "umbrella", "counters": 1}]},
        {"hand": 0, "lasting": [{"card": "shoes", "counters": 2}, {"card": "curse", "counters": 1}]},
    ]
    state = at({"turn_of": 1, "mage": mages, "discard": ["hop", "hop", "dash"], "top": ["rush"]})
    world = state.redeal(observer, Chance.of_number(1))
    assert isinstance(world, RaceState)
    assert has_all_cards(state.race)
    assert has_all_cards(world.race)
    assert world.view(observer) == state.view(observer)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_figures_stay_where_the_rules_keep_them(seats: int) -> None:
    for number in range(8):
        for moment in random_match(RACE, seats, options_from(RACE, {}), number):
            view = public(moment)
            for mage in view.mages:
                assert 1 <= mage.square <= view.squares + (view.phase == "over")
                assert set(mage.hurdles) <= set(range(1, view.squares))
                assert 0 <= mage.arms <= 2
                assert 0 <= mage.legs <= 2
                assert 0 <= mage.endurance <= 10
                assert mage.power >= 0
                assert mage.reserve >= 0


def test_every_kind_of_decision_comes_up_in_random_matches() -> None:
    phases = set()
    for number in range(25):
        for moment in random_match(RACE, 3, options_from(RACE, {}), number):
            phases.add(public(moment).phase)
    assert phases == {"action", "price", "aim", "reserve", "answer", "limit", "king", "over"}
