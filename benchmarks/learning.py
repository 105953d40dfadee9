"""What programs that learn get: steps through PettingZoo and OpenSpiel, beside card games of RLCard and PettingZoo.

Every step is chosen at random among the legal ones, and no deal comes twice, so that nothing is known from before.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pyspiel

from benchmarks.figure import Figure
from benchmarks.reference import ROUNDS, SLICES, beside_loop
from bots.sdk.adapters.openspiel import DEALS, openspiel_name
from bots.sdk.adapters.pettingzoo import HallEnv
from games.registry import all_games

STEPS = 1_500
AEC_TARGET, SPIEL_TARGET = 25_000, 40_000
AEC_PEERS = ("leduc_holdem_v4", "texas_holdem_v4")
RLCARD_PEERS = ("leduc-holdem", "uno", "gin-rummy")


def figures() -> Iterator[Figure]:
    """Two for each game, and those of the peers where these are installed."""
    for game in all_games().values():
        seats = min(4, game.max_seats)
        aec, spiel = HallEnv(game, seats), pyspiel.load_game(f"{openspiel_name(game)}(players={seats})")
        name = f"{game.id}: AEC steps, observation and mask"
        yield _figure(name, aec_rate(aec), AEC_TARGET)
        yield _figure(f"{game.id}: OpenSpiel steps", spiel_rate(spiel), SPIEL_TARGET)
    try:
        yield from _peers()
    except ImportError as error:
        print(f"the card games of others are left out: {error.name} is not installed; `make bench-peers` does it")


def _peers() -> Iterator[Figure]:
    rlcard = import_module("rlcard")
    for name in RLCARD_PEERS:
        yield _figure(f"RLCard's {name}: steps", rlcard_rate(rlcard.make(name, config={"seed": 1})), None)
    for name in AEC_PEERS:
        raw = import_module(f"pettingzoo.classic.{name}").raw_env()
        yield _figure(f"PettingZoo's {name}: AEC steps", aec_rate(raw), None)


def _figure(name: str, rate: Callable[[], float], target: float | None) -> Figure:
    rounds = [beside_loop(rate, SLICES) for _ in range(ROUNDS)]
    values, loops = zip(*rounds, strict=True)
    return Figure(name, "/s", list(values), reference="loop", beside=list(loops), target=target)


def aec_rate(env: Any) -> Callable[[], float]:
    """Steps a second of processor time; each call goes on with other deals."""
    pick, seeds = random.Random(7).random, iter(range(1, 1 << 30))

    def rate() -> float:
        steps, begun = 0, time.process_time()
        while steps < STEPS:
            env.reset(seed=next(seeds))
            for _agent in env.agent_iter():
                observation, _, over, cut, info = env.last()
                if over or cut:
                    env.step(None)
                    continue
                mask = info["action_mask"] if "action_mask" in info else observation["action_mask"]
                legal = mask.view(np.bool_).nonzero()[0]
                env.step(int(legal[int(pick() * len(legal))]))
                steps += 1
        return steps / (time.process_time() - begun)

    return rate


def spiel_rate(game: Any) -> Callable[[], float]:
    """The same, without observations."""
    rng = random.Random(7)
    pick = rng.random

    def rate() -> float:
        steps, begun = 0, time.process_time()
        while steps < STEPS:
            state = game.new_initial_state()
            state.apply_action(rng.randrange(DEALS))
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(pick() * len(legal))])
                steps += 1
        return steps / (time.process_time() - begun)

    return rate


def rlcard_rate(env: Any) -> Callable[[], float]:
    """The same in RLCard, whose states hold the observation and the legal actions."""
    pick = random.Random(7).random

    def rate() -> float:
        steps, begun = 0, time.process_time()
        while steps < STEPS:
            state, _ = env.reset()
            while not env.is_over():
                legal = list(state["legal_actions"])
                state, _ = env.step(legal[int(pick() * len(legal))])
                steps += 1
        return steps / (time.process_time() - begun)

    return rate
