"""The thinker's search: evaluates all candidate actions in the same sampled states, and drops the worse half of the
candidates again and again until one is left.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from math import ceil, log2, sqrt
from time import perf_counter
from typing import Protocol

from bots.sdk import Turn
from games.api import Action, State

SURE = 3.0  # a candidate that is this many standard errors worse than the best one is dropped early
ENOUGH = 16  # after each such number of sampled states, candidates that are surely worse are dropped early


class Guide(Protocol):
    """The part of the search that knows one game."""

    def candidate_actions(self, turn: Turn) -> Sequence[Action]:
        """Returns the actions that the search compares. A single one is played without a search."""
        ...

    def prior_estimates(self, turn: Turn, actions: Sequence[Action]) -> Sequence[float]:
        """Returns an estimate of each action from the view alone, without sampled states; by default 0. The search adds
        it to the mean of `value`, so both are on the same scale. Their errors are independent, so the sum is a better
        estimate."""
        return [0.0] * len(actions)

    def refine_sampled_state(self, world: State, turn: Turn, rng: random.Random) -> None:
        """Changes the hidden parts of a sampled state to likelier ones, where the other players' actions so far suggest
        what they hold or have chosen."""
        ...

    def rollout_value(self, world: State, turn: Turn, rng: random.Random) -> float:
        """Plays the state on for a while, which modifies it. Returns its value for the seat of the turn, as a share of
        the win from 0 to 1."""
        ...


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """How long a search may take: a time in seconds or, if `worlds` is not 0, a number of sampled states before each
    halving. With the number, the same seed gives the same choice on every machine."""

    seconds: float = 0.5
    worlds: int = 0


@dataclass(slots=True)
class Candidate:
    """A candidate action, with its hunch and its value in each state sampled so far."""

    action: Action
    hunch: float
    values: list[float]

    def mean_value(self) -> float:
        return self.hunch + sum(self.values) / len(self.values)

    def is_surely_worse(self, than: Candidate) -> bool:
        """Returns whether this candidate is worse than another one by SURE standard errors. The two are compared state
        by state, because their values in one state are correlated."""
        ahead = than.hunch - self.hunch
        differences = [ahead + best - own for best, own in zip(than.values, self.values, strict=True)]
        number = len(differences)
        mean = sum(differences) / number
        spread = sum((one - mean) ** 2 for one in differences) / (number - 1)
        return mean > SURE * sqrt(spread / number) and mean > 0


def best_action(
    turn: Turn, guide: Guide, budget: SearchBudget, rng: random.Random, now: Callable[[], float] = perf_counter
) -> Action:
    """Returns the best action among the guide's candidates, found within the budget. `now` returns a time in
    seconds."""
    began = now()
    actions = guide.candidate_actions(turn)
    arms = [
        Candidate(action, hunch, [])
        for action, hunch in zip(actions, guide.prior_estimates(turn, actions), strict=True)
    ]
    rng.shuffle(arms)  # so that ties are broken at random
    halvings = max(1, ceil(log2(len(arms)))) if len(arms) > 1 else 0
    for halving in range(halvings):
        until = began + budget.seconds * (halving + 1) / halvings
        for world in count(1):
            if len(arms) == 1 or (world > budget.worlds if budget.worlds else now() >= until and arms[0].values):
                break
            _try_all(turn, guide, arms, rng)
            if len(arms[0].values) % ENOUGH == 0:
                best = max(arms, key=Candidate.mean_value)
                arms = [arm for arm in arms if arm is best or not arm.is_surely_worse(best)]
        arms = sorted(arms, key=Candidate.mean_value, reverse=True)[: max(1, ceil(len(arms) / 2))]
    return arms[0].action


def _try_all(turn: Turn, guide: Guide, arms: Sequence[Candidate], rng: random.Random) -> None:
    """Evaluates all candidates in one more sampled state. The state is played on with the same random numbers after
    each of them."""
    world = turn.determinize(rng)
    guide.refine_sampled_state(world, turn, rng)
    seed = rng.getrandbits(32)
    for arm in arms:
        then = world.clone()
        then.apply(turn.seat, arm.action)
        arm.values.append(guide.rollout_value(then, turn, random.Random(seed)))
