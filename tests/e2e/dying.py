"""Bots whose process dies, each at another moment."""

from __future__ import annotations

import os
import signal

from bots.sdk import Bot, Turn
from games.api import Action, Outcome


class Sometimes(Bot):
    """In every third match or so, which its chance decides."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.bad = self.rng.random() < 0.35

    def choose(self, turn: Turn) -> Action:
        if self.bad and turn.number == 2:
            os.kill(os.getpid(), signal.SIGSEGV)
        return turn.legal[0]


class Always(Bot):
    def choose(self, turn: Turn) -> Action:
        if turn.number == 2:
            os._exit(3)
        return turn.legal[0]


class AfterEachMatch(Bot):
    def choose(self, turn: Turn) -> Action:
        return turn.legal[0]

    def end(self, outcome: Outcome) -> None:
        os._exit(4)
