"""Bots that misbehave in one way each, and one that does not."""

from __future__ import annotations

import os
import signal
import subprocess
import time

from bots.sdk import Bot, Turn
from games.api import Action

LEFT_BEHIND = "86399.25"  # seconds: what a test looks for among the processes


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
        os._exit(0)


class Illegal(Bot):
    """Bets on one fighter five times."""

    def choose(self, turn: Turn) -> Action:
        return turn.game.words.read("bet 1 1 1 1 1", turn.view, turn.legal)[0]


class CrashingMidMatch(Bot):
    def choose(self, turn: Turn) -> Action:
        if turn.number == 3:
            raise ZeroDivisionError("planted")
        return turn.legal[0]


class Flooding(Bot):
    """Writes most of a megabyte to stderr at each decision, and bytes that are no text to stdout."""

    def choose(self, turn: Turn) -> Action:
        for _ in range(16):
            os.write(2, b"\xff\x1b[31m flood\n" * 4_096)
        os.write(1, b"\xff" * 100_000)
        return turn.legal[0]


class Clinging(Bot):
    """Does not end when it is asked to, and leaves a process behind that holds its pipes."""

    def choose(self, turn: Turn) -> Action:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        subprocess.Popen(["sleep", LEFT_BEHIND])
        while True:
            time.sleep(60)
