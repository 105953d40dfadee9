"""Levels of house bots: names with a colon, how strong they are, and how the hard one plays the arena."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bots.arena.forecast import Forecast
from bots.greedy import Schemer
from bots.sdk.bot import Bot, Turn
from bots.sdk.lab import make_plan, measure
from bots.sdk.levels import beginner
from bots.sdk.registry import NoSuchBot, all_bots, get_bot
from client.tournament.specs import parse_entrant
from games.api import Action, options_from
from games.chance import Chance
from games.cheaty_mages import moves
from games.cheaty_mages.rules import ArenaState
from games.cheaty_mages.views import SeatView
from games.registry import get_game
from tests.games.cheaty_mages.given import do, given
from tests.helpers.toy import TOY


class Last(Bot):
    """Does the last thing that is legal."""

    def choose(self, turn: Turn) -> Action:
        return turn.legal[-1]


def test_a_level_is_part_of_a_bot_s_name() -> None:
    assert get_bot("greedy:hard") is Schemer
    assert parse_entrant("greedy:easy,tables=2").bot == parse_entrant("greedy:easy").label == "greedy:easy"
    with pytest.raises(NoSuchBot, match=r"There is no bot 'greedy:harder'; there are: .*greedy:hard, "):
        get_bot("greedy:harder")


def test_a_beginner_slips_as_often_as_it_is_said() -> None:
    state, _ = TOY.start(2, options_from(TOY, {}), Chance.of_number(1))
    legal = state.legal_actions(1)
    turn = Turn(TOY, 1, state.view(1), legal)
    bot = beginner(Last, slips=0.5)(1)
    slips = sum(bot.choose(turn) != legal[-1] for _ in range(1_000))
    assert slips / 1_000 == pytest.approx(0.5 * (1 - 1 / len(legal)), abs=0.05)


def test_a_list_of_bots_tells_a_beginner_from_the_bot_that_it_is_made_of() -> None:
    bots = all_bots()
    for name in ("evoker", "greedy", "hurdler"):
        assert bots[f"{name}:easy"].__doc__ == f"{bots[name].__doc__} It slips in 35 % of its decisions."


def test_levels_play_only_where_they_are_named() -> None:
    assert make_plan(get_game("magecraft")).bots == ("evoker", "scholar")


def test_a_beginner_loses_to_the_bot_that_it_is_made_of() -> None:
    found = measure(make_plan(get_game("mages-110m"), ["hurdler:easy", "hurdler"], deals=8))
    assert found.wins["bot"]["hurdler:easy"].value < 0.4


@pytest.mark.soak
@pytest.mark.parametrize(
    ("game", "weaker", "stronger", "seats", "deals"),
    [
        ("ikasamage", "greedy:easy", "greedy", 4, 60),
        ("ikasamage", "greedy", "greedy:hard", 4, 250),
        ("cheaty-mages", "greedy:easy", "greedy", 4, 60),
        ("cheaty-mages", "greedy", "greedy:hard", 4, 250),
        ("mages-110m", "hurdler:easy", "hurdler", 2, 60),
        ("magecraft", "evoker:easy", "evoker", 2, 40),
    ],
)
def test_levels_rise_in_strength(game: str, weaker: str, stronger: str, seats: int, deals: int) -> None:
    found = measure(make_plan(get_game(game), [stronger, *[weaker] * (seats - 1)], seats, deals=deals), 2)
    low = found.wins["bot"][stronger].low
    assert low is not None
    assert low > 1 / seats


def chosen(arena: ArenaState, bot: Bot, legal: Sequence[Action] = ()) -> Action:
    return bot.choose(Turn(arena.game, 1, arena.view(1), legal or arena.legal_actions(1)))


def test_the_hard_one_takes_whom_a_player_helps_for_that_player_s_bet() -> None:
    arena = given(hands={1: "cure"}, on={2: "might@2", 4: "fireball@3"})
    view = arena.view(1)
    assert isinstance(view, SeatView)
    _mine, second, third = Forecast(arena.deck, view.table, view.you).bet_probabilities[:3]
    assert second[1] > 0.25 > second[0]
    assert third[3] < 0.1


def test_the_hard_one_would_rather_see_nobody_paid_than_a_rival() -> None:
    arena = given(hands={1: "cure"}, bets={1: (1,), 2: (5,)}, on={5: "healing@2 cure@2"}, round=3)
    view = arena.view(1)
    assert isinstance(view, SeatView)
    odds = Forecast(arena.deck, view.table, view.you)
    assert odds._gold(3, 5, (1,)) > odds._gold(4, 5, (1,))


def test_the_hard_one_hides_what_it_may_hide() -> None:
    arena = given(hands={1: "prismatic_ray energy_boost", 2: "cure"}, bets={1: (4,)}, round=3, edition="cheaty-mages")
    do(arena, 1, "cast prismatic_ray")
    while arena.turn != 1:
        do(arena, arena.turn, "pass")
    assert chosen(arena, Schemer(1)) == moves.Cast("energy_boost", 4, face_down=True)


def test_the_hard_one_feints_now_and_then() -> None:
    arena = given(hands={1: "cure", 2: "cure cure"}, bets={1: (4,)}, round=3)
    legal = [moves.PASS, moves.Cast("cure", 1)]
    done = [chosen(arena, Schemer(seed), legal) for seed in range(100)]
    assert 5 < done.count(legal[1]) < 30
