"""Learns from recorded matches what winners do, with one hidden layer and numpy alone; then it is a bot.

magehall lab mages-110m --bots hurdler --deals 800 --once --record data       a minute
python examples/imitate.py data --out policy.npz --rounds 8                    four minutes
POLICY=policy.npz magehall lab mages-110m --bots examples/imitate.py:Imitator,random --deals 100
"""

from __future__ import annotations

import argparse
import os
import random
from pathlib import Path
from typing import Any

import numpy as np

from magehall import Bot, NumericEncoding, Turn, load_replay, moments, options_from

HIDDEN, RATE, BATCH = 64, 0.002, 64
HELD_OUT = 10  # one match of so many is not learnt from


class Policy:
    """Numbers of a view in, a score for each action out."""

    def __init__(self, weights: list[Any]) -> None:
        self.weights = weights
        self.means = [np.zeros_like(one) for one in weights]
        self.squares = [np.zeros_like(one) for one in weights]
        self.steps = 0

    @classmethod
    def create(cls, numbers: NumericEncoding, seed: int = 1) -> Policy:
        rng, size, count = np.random.default_rng(seed), numbers.layout.size, len(numbers.actions)
        scale = np.concatenate(
            [np.full(np.prod(field.shape), max(field.most, 1) ** 0.5) for field in numbers.layout.fields]
        )
        first = rng.normal(0, 1 / np.sqrt(size), (size, HIDDEN))
        return cls([1 / scale, first, np.zeros(HIDDEN), np.zeros((HIDDEN, count)), np.zeros(count)])

    def scores(self, views: Any) -> tuple[Any, Any, Any]:
        scale, first, bias, second, last = self.weights
        inputs = views * scale
        hidden = np.maximum(inputs @ first + bias, 0)
        return inputs, hidden, hidden @ second + last

    def train_step(self, views: Any, masks: Any, actions: Any) -> None:
        """One step (Adam) towards what was done."""
        inputs, hidden, scores = self.scores(views)
        chances = np.exp(np.where(masks, scores - scores.max(1, keepdims=True), -np.inf))
        chances /= chances.sum(1, keepdims=True)
        chances[np.arange(len(actions)), actions] -= 1
        chances /= len(actions)
        back = (chances @ self.weights[3].T) * (hidden > 0)
        slopes = [inputs.T @ back, back.sum(0), hidden.T @ chances, chances.sum(0)]
        self.steps += 1
        for place, slope in enumerate(slopes, 1):
            self.means[place] += 0.1 * (slope - self.means[place])
            self.squares[place] += 0.001 * (slope**2 - self.squares[place])
            mean = self.means[place] / (1 - 0.9**self.steps)
            self.weights[place] -= RATE * mean / (np.sqrt(self.squares[place] / (1 - 0.999**self.steps)) + 1e-8)

    def best_actions(self, views: Any, masks: Any) -> Any:
        return np.where(masks, self.scores(views)[2], -np.inf).argmax(1)


class Imitator(Bot):
    """Does what the policy in the file `POLICY` (policy.npz) likes best, for as many seats as it was learnt for."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        saved = np.load(os.environ.get("POLICY", "policy.npz"))
        self.policy = Policy([saved[name] for name in saved.files])
        self.numbers: NumericEncoding | None = None

    def choose(self, turn: Turn) -> Any:
        numbers = self.numbers = self.numbers or NumericEncoding(turn.game, turn.seats, turn.options)
        mask = np.zeros((1, len(numbers.actions)), bool)
        numbers.mask(turn.legal, mask[0])
        views = np.array(numbers.vector(turn.view))[None]
        return numbers.actions[int(self.policy.best_actions(views, mask)[0])]


def load_decisions(folder: Path) -> tuple[NumericEncoding, list[list[tuple[Any, list[int], int]]]]:
    """Of each recorded match, the decisions of those who won: numbers of the view, ids of what was legal, and done."""
    numbers, found = None, []
    for file in sorted(folder.glob("*.jsonl")):
        record = load_replay(file)
        options = options_from(record.game, record.header.options)
        numbers = numbers or NumericEncoding(record.game, len(record.header.seats), options)
        if numbers.actions != record.game.all_actions(len(record.header.seats), options):
            raise SystemExit(f"{file} is of another game, or of other seats or options, than those before it.")
        rows, last = [], None
        for last in moments(record):
            if last.decision is not None:
                seat, state = last.decision.seat, last.match.state
                legal = numbers.legal(state.legal_actions(seat))
                if len(legal) > 1:
                    vector = np.array(numbers.vector(state.view(seat)), np.float32)
                    rows.append((seat, (vector, legal, numbers.ids[last.decision.action])))
        outcome = last.match.state.outcome() if last else None
        if outcome is not None:
            found.append([row for seat, row in rows if outcome.places[seat - 1] == 1])
    if numbers is None:
        raise SystemExit(f"There is no replay in {folder}.")
    return numbers, found


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=Path("policy.npz"))
    parser.add_argument("--rounds", type=int, default=15, help="how often everything is gone through")
    given = parser.parse_args(arguments)
    numbers, matches = load_decisions(given.folder)
    kept = [row for place, match in enumerate(matches) if place % HELD_OUT for row in match]
    held = [row for match in matches[::HELD_OUT] for row in match]
    policy, rng = Policy.create(numbers), random.Random(1)
    for number in range(1, given.rounds + 1):
        rng.shuffle(kept)
        for start in range(0, len(kept), BATCH):
            policy.train_step(*make_batch(kept[start : start + BATCH], numbers))
        views, masks, actions = make_batch(held, numbers)
        alike = (policy.best_actions(views, masks) == actions).mean()
        print(f"round {number}: does what was done in {alike:.0%} of {len(held)} decisions that it has not seen")
    np.savez(given.out, *policy.weights)


def make_batch(rows: list[tuple[Any, list[int], int]], numbers: NumericEncoding) -> tuple[Any, Any, Any]:
    masks = np.zeros((len(rows), len(numbers.actions)), bool)
    for place, (_view, legal, _action) in enumerate(rows):
        masks[place, legal] = True
    return np.stack([row[0] for row in rows]), masks, np.array([row[2] for row in rows])


if __name__ == "__main__":
    main()
