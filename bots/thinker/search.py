"""The search: every candidate in the same imagined worlds, the worse half given up again and again."""

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

SURE = 3.0  # standard errors by which a candidate has to be worse than the best to be given up early
ENOUGH = 16  # worlds that are seen before anything is given up early


class Guide(Protocol):
    """What the search has to know about a game."""

    def candidates(self, turn: Turn) -> Sequence[Action]:
        """What is worth thinking about, the likeliest first; a single one needs no thought."""
        ...

    def hunch(self, turn: Turn, actions: Sequence[Action]) -> Sequence[float]:
        """What a look at the table alone says of each, on the scale of `value`, to which it is added: it errs elsewhere
        than worlds that are imagined, so that both together err less. By default it says nothing."""
        return [0.0] * len(actions)

    def believe(self, world: State, turn: Turn, rng: random.Random) -> None:
        """Makes an imagined world likelier where it can: what was done tells more than the rules say."""
        ...

    def value(self, world: State, turn: Turn, rng: random.Random) -> float:
        """What the world is worth to the seat, from 0 to 1, once it is played on for a while. It may be spoilt."""
        ...


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to think: seconds, or so many worlds a halving, whatever the time: then the choice can be repeated."""

    seconds: float = 0.5
    worlds: int = 0


@dataclass(slots=True)
class Arm:
    """A candidate, what the hunch says of it, and what it was worth in each world so far."""

    action: Action
    hunch: float
    values: list[float]

    def mean(self) -> float:
        return self.hunch + sum(self.values) / len(self.values)

    def is_surely_worse(self, than: Arm) -> bool:
        """Compared world by world, since what a world makes of one it mostly makes of the other."""
        ahead = than.hunch - self.hunch
        differences = [ahead + best - own for best, own in zip(than.values, self.values, strict=True)]
        number = len(differences)
        mean = sum(differences) / number
        spread = sum((one - mean) ** 2 for one in differences) / (number - 1)
        return mean > SURE * sqrt(spread / number) and mean > 0


def best_action(
    turn: Turn, guide: Guide, budget: Budget, rng: random.Random, now: Callable[[], float] = perf_counter
) -> Action:
    """The best of the guide's candidates, as far as the budget goes."""
    began = now()
    actions = guide.candidates(turn)
    arms = [Arm(action, hunch, []) for action, hunch in zip(actions, guide.hunch(turn, actions), strict=True)]
    rng.shuffle(arms)  # so that chance decides among equals
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
    """One more world, the same for all, and the same chance in playing on."""
    world = turn.imagine(rng)
    guide.believe(world, turn, rng)
    seed = rng.getrandbits(32)
    for arm in arms:
        then = world.clone()
        then.apply(turn.seat, arm.action)
        arm.values.append(guide.value(then, turn, random.Random(seed)))
