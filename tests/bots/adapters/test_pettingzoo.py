"""The games as PettingZoo environments: its own tests, and what they do not look at."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils import wrappers

from bots.sdk.adapters.pettingzoo import HallEnv
from games.api import Game, Options, plain_lines, to_map
from games.registry import all_games
from tests.helpers.toy import TOY
from tests.helpers.variants import combinations, each_once

GAMES = list(all_games().values())


def own_tests(game: Game, seats: int, options: Options, cycles: int) -> None:
    """As many rounds of all agents are played."""
    api_test(HallEnv(game, seats, to_map(options), "ansi"), num_cycles=cycles)
    seed_test(lambda: HallEnv(game, seats, to_map(options)), num_cycles=cycles)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_pettingzoo_s_own_tests_pass_at_every_number_of_seats_and_with_each_option(game: Game) -> None:
    for seats, options in each_once(game):
        own_tests(game, seats, options, 15)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_pettingzoo_s_own_tests_pass_to_the_end_of_matches_with_all_combinations(game: Game) -> None:
    for seats, options in combinations(game):
        own_tests(game, seats, options, 1_000)


def test_before_the_first_match_one_is_asked_for() -> None:
    env = HallEnv("mages-110m", 2, render_mode="ansi")
    for use in (env.last, env.render, lambda: env.observe("seat_1"), lambda: env.step(0)):
        with pytest.raises(ResetNeeded, match=r"^There is no match yet: call reset\.$"):
            use()


def test_the_win_is_shared_at_the_end_and_all_agents_leave() -> None:
    env = HallEnv("mages-110m", 3)
    env.reset(seed=3)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, over, _, info = env.last()
        rewards[agent] += reward
        assert bool(reward) <= over
        env.step(None if over else info["action_mask"].argmax())
    assert sorted(rewards.values()) == [0, 0, 1]
    assert env.agents == []


def test_the_mask_is_that_of_the_seat_that_is_asked() -> None:
    env = HallEnv("ikasamage", 3)
    env.reset(seed=1)
    seat = min(env.match.to_move())
    assert env.agent_selection == f"seat_{seat}"
    ids = np.flatnonzero(env.infos[env.agent_selection]["action_mask"]).tolist()
    assert [env.arrays.actions[one] for one in ids] == list(env.match.legal_actions(seat))
    for _ in range(4):
        assert [agent for agent in env.agents if "action_mask" in env.infos[agent]] == [env.agent_selection]
        env.step(env.infos[env.agent_selection]["action_mask"].argmax())


@pytest.mark.parametrize("name", ["TerminateIllegalWrapper", "AssertOutOfBoundsWrapper", "OrderEnforcingWrapper"])
def test_pettingzoo_s_own_wrappers_hold_until_all_agents_have_left(name: str) -> None:
    wrapper = getattr(wrappers, name)
    bare = HallEnv("ikasamage", 3)
    env = wrapper(bare, illegal_reward=-1) if name.startswith("Terminate") else wrapper(bare)
    env.reset(seed=2)
    for _ in env.agent_iter():
        _, _, over, _, info = env.last()
        env.step(None if over else info["action_mask"].argmax())
    assert bare.match.outcome() is not None
    assert env.agents == []


def test_a_seed_gives_the_same_matches_and_each_is_another_deal() -> None:
    first, second = HallEnv("magecraft"), HallEnv("magecraft")
    seen = []
    for env in (first, second):
        env.reset(seed=5)
        seen.append(env.match.save())
        env.reset()
        seen.append(env.match.save())
    assert seen[:2] == seen[2:]
    assert seen[0] != seen[1]


def test_the_table_is_drawn_as_the_agent_that_is_asked_sees_it() -> None:
    env = HallEnv("magecraft", 2, render_mode="ansi")
    env.reset(seed=1)
    view = env.match.view(env.possible_agents.index(env.agent_selection) + 1)
    assert env.render() == "\n".join(plain_lines(env.arrays.game.words.render_board(view, env.possible_agents, 80)))
    assert HallEnv("magecraft").render() is None


def test_what_is_not_legal_is_refused_in_a_sentence() -> None:
    env = HallEnv(TOY, 2)
    env.reset(seed=1)
    mask = env.infos["seat_1"]["action_mask"]
    with pytest.raises(ValueError, match=r"action \d+ of seat_1 is not legal: You do not have that card\."):
        env.step(int(mask.argmin()))
    for action in (-1, np.int64(1_000)):  # both are typed, too: the second is what a space's sample is
        with pytest.raises(ValueError, match=f"There is no action {action};"):
            env.step(action)
    with pytest.raises(ValueError, match="seat_1 has to do something"):
        env.step(None)
    with pytest.raises(ValueError, match="Magecraft takes 2 to 4 players"):
        HallEnv("magecraft", 5)
    with pytest.raises(ValueError, match="Magecraft has no option 'wands'"):
        HallEnv("magecraft", 2, {"wands": 1})
    with pytest.raises(ValueError, match=r"^render_mode is 'person'; it is None or one of: ansi\.$"):
        HallEnv("magecraft", render_mode="person")
