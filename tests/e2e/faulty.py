"""Bots with a fault that shows only when their process is looked at from outside."""

from __future__ import annotations

import os
import random
import time
from typing import ClassVar

from bots.sdk import Bot, Turn
from games.api import Action

BORN_WITH = os.urandom(8)


class Leaves(Bot):
    def choose(self, turn: Turn) -> Action:
        if turn.number == 2:
            os._exit(7)
        return turn.legal[0]


class Deaf(Bot):
    """Cannot be broken off."""

    def choose(self, turn: Turn) -> Action:
        while True:
            try:
                time.sleep(1)
            except BaseException:
                continue


class Hangs(Bot):
    def choose(self, turn: Turn) -> Action:
        while turn.number == 3:
            pass
        return turn.legal[0]


class PrintsForEver(Bot):
    def choose(self, turn: Turn) -> Action:
        while True:
            print("x" * 1_000_000)


class Elsewhere(Bot):
    games = ("chess",)

    def choose(self, turn: Turn) -> Action:
        return turn.legal[0]


class NoTuple(Bot):
    games = "ikasamage"  # type: ignore[assignment]  # that is its fault

    def choose(self, turn: Turn) -> Action:
        return turn.legal[0]


class Ages(Bot):
    asked: ClassVar[int] = 0

    def choose(self, turn: Turn) -> Action:
        Ages.asked += 1
        return turn.legal[Ages.asked // 5 % len(turn.legal)]


class BornByChance(Bot):
    def choose(self, turn: Turn) -> Action:
        return turn.legal[BORN_WITH[turn.number % 8] % len(turn.legal)]


class Gambles(Bot):
    def choose(self, turn: Turn) -> Action:
        return random.choice(turn.legal)


class Deep(Bot):
    """Raises if it is made with another depth than 1."""

    def __init__(self, seed: int, depth: int = 1) -> None:
        super().__init__(seed)
        self.depth = depth

    def choose(self, turn: Turn) -> Action:
        if self.depth > 1:
            raise ValueError(f"depth {self.depth}")
        return turn.legal[0]
