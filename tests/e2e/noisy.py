"""A bot that writes in every way that there is while it thinks, and a program that does so: `python noisy.py`."""

from __future__ import annotations

import os
import subprocess
import sys

from bots.sdk.bot import Bot, Turn
from games.api import Action


class Noisy(Bot):
    def choose(self, turn: Turn) -> Action:
        print("printed", flush=True)
        print("to stderr", file=sys.stderr)
        os.write(1, b"to the descriptor\n")
        subprocess.run(["echo", "by a program"], check=True)
        return turn.legal[0]


if __name__ == "__main__":
    for line in sys.stdin:
        if line.startswith('{"type":"turn"'):
            print("to stderr", file=sys.stderr, flush=True)
            print(1, flush=True)
