"""A bot that thinks for long at its first decision, and a program that does so: `python slow.py SECONDS`."""

from __future__ import annotations

import sys
import time

from bots.sdk.bot import Bot, Turn
from games.api import Action


class Slow(Bot):
    def __init__(self, seed: int, seconds: float) -> None:
        super().__init__(seed)
        self.seconds = seconds

    def choose(self, turn: Turn) -> Action:
        if turn.number == 1:
            time.sleep(self.seconds)
        return turn.legal[0]


if __name__ == "__main__":
    first = True
    for line in sys.stdin:
        if line.startswith('{"type":"turn"'):
            if first:
                time.sleep(float(sys.argv[1]))
            first = False
            print(1, flush=True)
