"""Bots that misbehave in one way each, and one that does not."""

from __future__ import annotations

import os
import sys
import time

from bots.sdk import Bot, Turn
from games.api import Action


class Steady(Bot):
    """Does the first thing that is legal, and chatters about it."""

    def choose(self, turn: Turn) -> Action:
        print("on stdout, where results belong")
        os.write(1, b'{"table": "t1", "game": "forged", "seat": 1, "how": "crashed"}\n')
        return turn.legal[0]


class Asleep(Bot):
    def choose(self, turn: Turn) -> Action:
        print("good night", flush=True)
        while True:
            time.sleep(60)


class Vanishing(Bot):
    """Its process ends at its first decision."""

    def choose(self, turn: Turn) -> Action:
        os._exit(3)


class Illegal(Bot):
    """Bets on one fighter five times."""

    def choose(self, turn: Turn) -> Action:
        return turn.game.words.parse_actions("bet 1 1 1 1 1", turn.view, turn.legal)[0]


class CrashingMidMatch(Bot):
    def choose(self, turn: Turn) -> Action:
        if turn.number == 3:
            raise ZeroDivisionError("planted")
        return turn.legal[0]


class Exiting(Bot):
    def choose(self, turn: Turn) -> Action:
        raise SystemExit(3)


class Wordless(Bot):
    """Returns no action."""

    def choose(self, turn: Turn) -> Action:
        return None  # type: ignore[return-value]


class SlowToSitDown(Bot):
    """By default slower than a short clock."""

    def __init__(self, seed: int = 0, seconds: float = 1.0) -> None:
        super().__init__(seed)
        time.sleep(seconds)

    def choose(self, turn: Turn) -> Action:
        return turn.legal[0]


class Leaving(Bot):
    def __init__(self, seed: int) -> None:
        sys.exit("not today")

    def choose(self, turn: Turn) -> Action:
        return turn.legal[0]


class NeedsAFile(Bot):
    def __init__(self, seed: int = 0, file: str = "no such file") -> None:
        super().__init__(seed)
        open(file).close()

    def choose(self, turn: Turn) -> Action:
        return turn.legal[0]
