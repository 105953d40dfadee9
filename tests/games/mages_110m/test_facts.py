"""110 Metres Mages: two races are the same only if every fact of them is."""

from __future__ import annotations

import pytest

from games.mages_110m.truth import RaceTruth, Runner
from tests.games.mages_110m.given import given

NO_FACTS = {
    "seen",
    "discard_seen",
    "told",
    "deck",
    "game",
    "seats",
}  # kept for a while, or the same in every race of it
MAGE, RACE = sorted({*Runner.__slots__} - NO_FACTS), sorted({*RaceTruth.__slots__} - NO_FACTS - {"mages"})


@pytest.mark.parametrize("fact", MAGE)
def test_a_race_in_which_one_thing_about_a_mage_is_different_is_another(fact: str) -> None:
    state = given("hop", "kick")
    other = state.clone()
    assert other == state
    setattr(other.race.mages[1], fact, "different")
    assert other != state


@pytest.mark.parametrize("fact", RACE)
def test_a_race_in_which_one_thing_is_different_is_another(fact: str) -> None:
    state = given("hop", "kick")
    other = state.clone()
    setattr(other.race, fact, "different")
    assert other != state
