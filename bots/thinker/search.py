"""The search: evaluates every candidate in the same sampled states, and drops the worse half again and again."""

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

SURE = 3.0  # a candidate this many standard errors worse than the best is dropped early
ENOUGH = 16  # the number of sampled states before a candidate can be dropped early


class Guide(Protocol):
    """The game-specific part of the search."""

    def candidates(self, turn: Turn) -> Sequence[Action]:
        """Returns the actions to consider, the most likely first. A single one is played without a search."""
        ...

    def hunch(self, turn: Turn, actions: Sequence[Action]) -> Sequence[float]:
        """Returns an estimate for each action from the view alone. The search adds it to `value`, so it is on the same
        scale. Both estimates have independent errors, so their sum errs less. By default all are 0."""
        return [0.0] * len(actions)

    def believe(self, world: State, turn: Turn, rng: random.Random) -> None:
        """Changes a sampled state to a likelier one, because the actions of players reveal more than the rules say."""
        ...

    def value(self, world: State, turn: Turn, rng: random.Random) -> float:
        """Plays the state on for a while and returns its value for the seat, 0 to 1. It may modify the state."""
        ...


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to think: a time in seconds, or a number of sampled states for each halving. With the number the choice
    is repeatable."""

    seconds: float = 0.5
    worlds: int = 0


@dataclass(slots=True)
class Arm:
    """A candidate, with its hunch and its value in each sampled state."""

    action: Action
    hunch: float
    values: list[float]

    def mean(self) -> float:
        return self.hunch + sum(self.values) / len(self.values)

    def is_surely_worse(self, than: Arm) -> bool:
        """Returns whether this candidate is significantly worse. It compares state by state, because the values of two
        candidates in one state are correlated."""
        ahead = than.hunch - self.hunch
        differences = [ahead + best - own for best, own in zip(than.values, self.values, strict=True)]
        number = len(differences)
        mean = sum(differences) / number
        spread = sum((one - mean) ** 2 for one in differences) / (number - 1)
        return mean > SURE * sqrt(spread / number) and mean > 0


def best_action(
    turn: Turn, guide: Guide, budget: Budget, rng: random.Random, now: Callable[[], float] = perf_counter
) -> Action:
    """Returns the best of the guide's candidates within the budget."""
    began = now()
    actions = guide.candidates(turn)
    arms = [Arm(action, hunch, []) for action, hunch in zip(actions, guide.hunch(turn, actions), strict=True)]
    rng.shuffle(arms)  # so that ties are broken at random
    halvings = max(1, ceil(log2(len(arms)))) if len(arms) > 1 else 0
    for halving in range(halvings):
        until = began + budget.seconds * (halving + 1) / halvings
        for world in count(1):
            if len(arms) == 1 or (world > budget.worlds if budget.worlds else now() >= until and arms[0].values):
                break
            _try_all(turn, guide, arms, rng)
            if len(arms[0].values) % ENOUGH == 0:
                best = max(arms, key=Arm.mean)
                arms = [arm for arm in arms if arm is best or not arm.is_surely_worse(best)]
        arms = sorted(arms, key=Arm.mean, reverse=True)[: max(1, ceil(len(arms) / 2))]
    return arms[0].action


def _try_all(turn: Turn, guide: Guide, arms: Sequence[Arm], rng: random.Random) -> None:
    """Evaluates all candidates in one more sampled state, with the same random numbers for playing on."""
    world = turn.determinize(rng)
    guide.believe(world, turn, rng)
    seed = rng.getrandbits(32)
    for arm in arms:
        then = world.clone()
        then.apply(turn.seat, arm.action)
        arm.values.append(guide.value(then, turn, random.Random(seed)))
