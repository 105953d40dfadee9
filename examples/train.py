"""Learns to play against random bots by policy gradients (REINFORCE), with a linear policy and nothing but numpy.

python examples/train.py --matches 600        needs: pip install 'magehall[gymnasium]'
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import magehall  # first: then `bots` is ours, whatever the current folder holds
from bots.sdk.adapters.gymnasium import SeatEnv

RATE, SHARE = 0.02, 0.05  # of learning; of the newest result in the mean that others are compared with


class LinearPolicy:
    """One weight for each number of a view and each action."""

    def __init__(self, env: SeatEnv, seed: int) -> None:
        low, high = env.observation_space.low, env.observation_space.high  # type: ignore[attr-defined]
        self.scale = 1 / np.maximum(np.sqrt(np.maximum(abs(low), high)), 1)
        self.weights = np.zeros((len(self.scale), len(env.arrays.actions)))
        self.rng = np.random.default_rng(seed)

    def action_probabilities(self, features: Any, mask: Any) -> Any:
        """The probability of every legal action."""
        legal = np.flatnonzero(mask)
        scores = features @ self.weights[:, legal]
        exps = np.exp(scores - scores.max())
        return legal, exps / exps.sum()

    def play_match(self, env: SeatEnv, seed: int) -> tuple[float, list[Any]]:
        """A match: the share of the win, and what was done where."""
        observation, info = env.reset(seed=seed)
        steps, over, reward = [], False, 0.0
        while not over:
            features = observation * self.scale
            legal, chances = self.action_probabilities(features, info["action_mask"])
            place = self.rng.choice(len(legal), p=chances)
            steps.append((features, legal, chances, place))
            observation, reward, over, _, info = env.step(legal[place])
        return reward, steps

    def update_weights(self, better: float, steps: list[Any]) -> None:
        """Makes what was done more likely where it came out better than usual, and less where it was worse."""
        for features, legal, chances, place in steps:
            change = -chances
            change[place] += 1
            used = np.flatnonzero(features)
            self.weights[np.ix_(used, legal)] += RATE * better / len(steps) * np.outer(features[used], change)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="mages-110m", choices=sorted(magehall.all_games()))
    parser.add_argument("--opponents", nargs="+", default=["random"])
    parser.add_argument("--matches", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    if given.matches < 1:
        parser.error("--matches is 1 or more")
    try:
        env = SeatEnv(given.game, given.opponents)
    except (ValueError, magehall.NoSuchBot) as error:
        parser.error(str(error))
    policy, usual = LinearPolicy(env, given.seed), 1 / env.arrays.seats
    each, results = max(given.matches // 6, 1), []
    for number in range(given.matches):
        reward, steps = policy.play_match(env, given.seed + number)
        policy.update_weights(reward - usual, steps)
        usual += SHARE * (reward - usual)
        results.append(reward)
        if (number + 1) % each == 0:
            print(f"after {number + 1:>5} matches: {sum(results[-each:]) / each:.2f} of the win in the last {each}")


if __name__ == "__main__":
    main()
