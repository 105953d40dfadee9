"""hurdler: that it beats chance, and that it sees what lies before its feet."""

import pytest

from bots.hurdler import Hurdler
from bots.random import RandomBot
from bots.sdk.bot import Bot, Turn
from bots.sdk.lab import LabReport, make_plan, measure
from bots.sdk.local import play
from games.api import options_from
from games.chance import Chance
from games.mages_110m import GAMES
from games.mages_110m.rules import RaceState
from tests.games.mages_110m.given import GAME, do, given, lay, mage

RACE = GAMES[0]


def choice(state: RaceState, seat: int = 1) -> str:
    turn = Turn(GAME, seat, state.view(seat), state.legal_actions(seat))
    return GAME.words.format_action(Hurdler(1).choose(turn))


@pytest.mark.parametrize("races", [20, pytest.param(400, marks=pytest.mark.soak)])
def test_it_wins_four_races_of_five_against_chance(races: int) -> None:
    won = 0
    for number in range(races):
        bots: list[Bot] = [Hurdler(number), RandomBot(number)]
        seat = number % 2
        if seat:
            bots.reverse()
        outcome = play(RACE, bots, options_from(RACE, {}), Chance.of_number(number // 2))
        won += outcome.places[seat] == 1
    assert won >= 0.8 * races


def test_four_of_them_finish_a_race() -> None:
    outcome = play(RACE, [Hurdler(seed) for seed in range(4)], options_from(RACE, {}), Chance.of_number(1))
    assert outcome.reason == "line"


def test_it_crosses_the_line_when_it_can() -> None:
    assert choice(given("glow hop leap purse", square=11)) == "cast hop"


def test_it_pays_to_cross_the_line_and_not_for_nothing() -> None:
    near = given("leap", dice="2", square=11, reserve=2)
    do(near, 1, "cast leap")
    assert choice(near) == "pay"


def test_it_counters_what_would_win() -> None:
    state = given("hop", "no glow", square=11)
    do(state, 1, "cast hop")
    assert choice(state, 2) == "counter no"


def test_it_keeps_a_counter_spell_from_a_small_one() -> None:
    state = given("purse", "no glow")
    do(state, 1, "cast purse")
    assert choice(state, 2) == "let"


def test_it_does_not_aim_at_a_protected_mage() -> None:
    state = given("trip", "", "", square=9)
    mage(state, 2).square = mage(state, 3).square = 9
    lay(state, 2, "umbrella", 1)
    assert choice(state) == "cast trip 3"


def test_it_drops_a_card_it_cannot_cast_first() -> None:
    state = given("hop hop rush rush kick purse glow", legs=0)
    mage(state).hurdles = 0
    do(state, 1, "pass")
    assert choice(state) == "drop kick"


@pytest.fixture(scope="module")
def report() -> LabReport:
    return measure(make_plan(RACE, ["hurdler"], deals=4))


def test_the_lab_lists_each_spell_with_how_often_it_is_played(report: LabReport) -> None:
    in_hand = {kind.name for kind in RACE.deck.kinds if kind.in_hand}
    assert set(report.shares["played when held"]) == in_hand
    assert set(report.wins["played"]) <= in_hand
    assert set(report.wins["turn order"]) == {"1", "2"}


def test_the_lab_says_what_cvs_and_the_king_cost(report: LabReport) -> None:
    assert 0 < report.shares["turns"]["lost to a CV"].value <= report.shares["turns"]["without an action"].value
    assert 0 <= report.shares["races"]["ended in the king's show"].value < 1
