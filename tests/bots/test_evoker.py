"""The house bots of Magecraft."""

from __future__ import annotations

import pytest

from bots.evoker import Evoker, Scholar
from bots.random import RandomBot
from bots.sdk import Bot
from bots.sdk.local import play
from games.api import options_from
from games.chance import Chance
from games.magecraft.cards import OWN_FILE
from games.registry import get_game

GAME = get_game("magecraft")


@pytest.mark.parametrize("kind", [Evoker, Scholar])
@pytest.mark.parametrize("matches", [10, pytest.param(200, marks=pytest.mark.soak)])
def test_a_house_bot_beats_random_nine_times_out_of_ten(kind: type[Bot], matches: int) -> None:
    won = 0
    for number in range(matches):
        seat = number % 2
        bots: list[Bot] = [RandomBot(number), RandomBot(number)]
        bots[seat] = kind(number)
        won += play(GAME, bots, options_from(GAME, {}), Chance.of_number(number)).places[seat] == 1
    assert won >= 0.9 * matches


@pytest.mark.parametrize("seats", [3, 4])
def test_it_plays_with_more_than_two_mages_and_without_the_options(seats: int) -> None:
    options = options_from(GAME, {"mastery": False, "darkness": False})
    bots: list[Bot] = [Evoker(1), Scholar(2), Evoker(3), RandomBot(4)][:seats]
    outcome = play(GAME, bots, options, Chance.of_number(seats))
    assert outcome.reason in {"score", "life", "fall", "rounds"}


def test_it_plays_with_an_owner_s_cards() -> None:
    cards = GAME.with_cards(OWN_FILE.read_text(encoding="utf-8").replace('"fireball"', '"fire_ball"'))
    outcome = play(cards, [Evoker(1), Scholar(2)], options_from(cards, {}), Chance.of_number(8))
    assert outcome.places in {(1, 2), (2, 1), (1, 1)}


def test_the_same_seed_plays_the_same_match() -> None:
    first, second = (play(GAME, [Evoker(1), Scholar(2)], options_from(GAME, {}), Chance.of_number(8)) for _ in range(2))
    assert first == second
