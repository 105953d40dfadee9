"""110 Metres Mages: what holds in every position of a match."""

from collections import Counter

import pytest

from games.api import options_from
from games.exam import Moment, random_match
from games.mages_110m import GAMES
from games.mages_110m.rules import RaceState
from games.mages_110m.views import Race

RACE = GAMES[0]


def public(moment: Moment) -> Race:
    view = moment.state.view(None)
    assert isinstance(view, Race)
    return view


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_card_is_lost_or_doubled(seats: int) -> None:
    for number in range(8):
        for moment in random_match(RACE, seats, options_from(RACE, {}), number):
            assert isinstance(moment.state, RaceState)
            race = moment.state.race
            if race.phase == "over":  # the last spell may be half done
                continue
            held = [card for mage in race.mages for card in (*mage.hand, *mage.cvs)]
            lying = [card for mage in race.mages for card, _, _ in mage.lasting]
            out = [card for card in (race.spell, race.king_card) if card >= 0]
            assert Counter(race.pile + race.discard + held + lying + out) == Counter(race.deck.all_cards)


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
