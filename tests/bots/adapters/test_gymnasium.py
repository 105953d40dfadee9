"""One seat as a Gymnasium environment, and many matches at once: its own check, and what that does not look at."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import bots.sdk.adapters.gymnasium
from bots.sdk import Bot, Turn
from bots.sdk.adapters.gymnasium import SeatEnv
from bots.sdk.adapters.vector import HallVectorEnv
from games.api import Action, Event, Game, Options, Outcome, plain_lines, to_map
from games.registry import all_games
from tests.helpers.variants import combinations, each_once

GAMES = list(all_games().values())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize("which", [each_once, pytest.param(combinations, marks=pytest.mark.soak)])
def test_gymnasium_s_own_check_passes_at_every_number_of_seats_and_with_each_option(
    game: Game, which: Callable[[Game], list[tuple[int, Options]]]
) -> None:
    for seats, options in which(game):
        bots = ["random"] * (seats - 1)
        made = gymnasium.make("magehall/Seat-v0", game=game, bots=bots, options=to_map(options), render_mode="ansi")
        check_env(made.unwrapped)


def played(env: SeatEnv, seed: int) -> tuple[float, int]:
    """A match of the first legal action each time: the reward, and how many decisions it took."""
    _, info = env.reset(seed=seed)
    count, over, reward = 0, False, 0.0
    while not over:
        _, reward, over, cut, info = env.step(info["action_mask"].argmax())
        assert not cut
        count += 1
    outcome = env.match.outcome()
    assert outcome is not None
    assert reward == outcome.shares[env.seat - 1]
    return reward, count


def test_the_reward_is_the_share_of_the_win_and_the_seed_repeats_the_match() -> None:
    env, again = (SeatEnv("mages-110m", ["random", "random"], seat=2) for _ in range(2))
    first = [played(env, seed) for seed in range(5)]
    assert first == [played(again, seed) for seed in range(5)]
    assert {reward for reward, _ in first} == {0.0, 1.0}


def test_the_learner_has_the_first_seat_unless_it_is_said_and_the_table_is_drawn_as_it_sees_it() -> None:
    env = SeatEnv("ikasamage", ["random", "random"], render_mode="ansi")
    env.reset(seed=1)
    assert env.seat == 1
    board = env.arrays.game.words.render_board(env.match.view(1), ["seat 1", "seat 2", "seat 3"], 80)
    assert env.render() == "\n".join(plain_lines(board))


class Listener(Bot):
    """Notes what it is told."""

    heard: list[Event]
    ended: list[Outcome]

    def choose(self, turn: Turn) -> Action:
        assert turn.seat == 1
        assert turn.knowledge is None
        return turn.legal[0]

    def hear(self, event: Event) -> None:
        self.heard.append(event)

    def end(self, outcome: Outcome) -> None:
        self.ended.append(outcome)


def test_bots_hear_what_happens_and_how_it_ended() -> None:
    heard: list[Any] = []
    ended: list[Any] = []
    kind = type("Noted", (Listener,), {"heard": heard, "ended": ended})
    SeatEnv("mages-110m", [kind], seat=2).reset(seed=1)
    assert to_map(heard[0])["what"] == "started"
    heard.clear()
    played(SeatEnv("mages-110m", [kind], seat=2), 1)
    assert len(heard) > 10
    assert len(ended) == 1


def test_the_seat_may_be_drawn_for_each_match() -> None:
    env = SeatEnv("ikasamage", ["random"] * 3, seat=0)
    seats = set()
    for seed in range(20):
        env.reset(seed=seed)
        seats.add(env.seat)
    assert seats == {1, 2, 3, 4}
    with pytest.raises(ValueError, match=r"There is no seat 5 of 4\."):
        SeatEnv("ikasamage", ["random"] * 3, seat=5)


def test_a_bot_of_another_game_is_named_before_it_sits_down() -> None:
    with pytest.raises(ValueError, match=r"^hurdler does not play ikasamage; it plays: mages-110m\.$"):
        SeatEnv("ikasamage", ["random", "hurdler"])


def test_an_action_that_is_not_legal_loses_at_once_and_says_why() -> None:
    env = SeatEnv("ikasamage", ["random", "random"])
    _, info = env.reset(seed=1)
    _, reward, over, cut, info = env.step(np.int64(info["action_mask"].argmin()))
    assert (reward, over, cut) == (0.0, True, False)
    assert info["illegal"].startswith("You cannot do that now")
    assert (env.action_masks() == info["action_mask"]).all()
    with pytest.raises(ResetNeeded):  # where it would go on with a match that is lost
        env.step(env.action_masks().argmax())


@pytest.mark.parametrize("action", [-1, 10_000])
def test_an_id_that_no_action_has_is_refused_and_nothing_changes(action: int) -> None:
    env = SeatEnv("mages-110m", ["random"])
    _, info = env.reset(seed=1)
    before = env.match.save()
    with pytest.raises(ValueError, match=f"There is no action {action};"):
        env.step(np.int64(action))
    assert env.match.save() == before
    env.step(info["action_mask"].argmax())


def test_what_is_no_whole_number_is_no_action() -> None:
    env = SeatEnv("mages-110m", ["random"])
    env.reset(seed=1)
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        env.step(4.7)  # type: ignore[arg-type]


@pytest.mark.parametrize("use", [lambda env: env.step(0), SeatEnv.render, SeatEnv.action_masks])
def test_before_the_first_match_a_reset_is_asked_for(use: Callable[[SeatEnv], object]) -> None:
    with pytest.raises(ResetNeeded, match=r"^There is no match yet: call reset\.$"):
        use(SeatEnv("mages-110m", ["random"], render_mode="ansi"))


def test_a_way_to_render_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^render_mode is 'person'; it is None or one of: ansi\.$"):
        SeatEnv("mages-110m", ["random"], render_mode="person")


def batches(processes: int) -> list[tuple[float, float, float]]:
    """What comes of 60 steps in six matches, as sums."""
    envs = HallVectorEnv("mages-110m", ["random"], 6, processes=processes, options={"late_reserve": 1})
    observations, infos = envs.reset(seed=3)
    assert observations in envs.observation_space
    sums = []
    for _ in range(60):
        observations, rewards, over, cut, infos = envs.step(infos["action_mask"].argmax(axis=1))
        assert observations.shape == (6, envs.single_observation_space.shape[0])  # type: ignore[index]
        assert not cut.any()
        sums.append((float(observations.sum()), float(rewards.sum()), float(over.sum())))
    envs.close()
    return sums


def test_many_matches_at_once_are_the_same_however_many_processes_play_them() -> None:
    alone = batches(1)
    assert alone == batches(2)
    assert sum(over for _, _, over in alone) > 0


@pytest.mark.parametrize(
    ("actions", "why"),
    [
        (["nonsense"] * 2, "Actions are whole numbers, not an array of <U8."),
        ([0.5, 0.5], "Actions are whole numbers, not an array of float64."),
        ([0, 130], "There is no action 130; the ids are 0 to 129."),
        ([-1, 0], "There is no action -1; the ids are 0 to 129."),
    ],
)
def test_many_matches_at_once_refuse_what_is_no_action_in_a_sentence(actions: list[Any], why: str) -> None:
    envs = HallVectorEnv("mages-110m", ["random"], 2, processes=1)
    try:
        with pytest.raises(ResetNeeded, match="There is no match yet"):
            envs.step(np.array([0, 0]))
        envs.reset(seed=3)
        with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
            envs.step(np.array(actions))
    finally:
        envs.close()


def test_a_place_of_a_match_that_ended_deals_another_one() -> None:
    envs = HallVectorEnv("ikasamage", ["random", "random"], 2, processes=1)
    _, infos = envs.reset(seed=1)
    wrong = infos["action_mask"].argmin(axis=1)
    _, _, over, _, _ = envs.step(wrong)
    assert over.all()
    _, rewards, over, _, infos = envs.step(np.full(2, -1))  # what is sent there is never looked at
    assert (list(over), list(rewards)) == ([False, False], [0.0, 0.0])
    assert infos["action_mask"].any(axis=1).all()
    envs.close()
    with pytest.raises(ValueError, match=r"There has to be a match\."):
        HallVectorEnv("ikasamage", ["random"] * 2, 0)


def test_the_environment_is_known_to_gymnasium_once_the_module_is_imported() -> None:
    assert gymnasium.spec("magehall/Seat-v0").entry_point == f"{bots.sdk.adapters.gymnasium.__name__}:SeatEnv"
