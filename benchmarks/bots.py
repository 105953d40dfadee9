"""Bots without a server: matches in two processes at once, against twice the bare engine in one."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

from benchmarks.engine import random_matches
from benchmarks.table import Row
from bots.sdk.local import play
from bots.sdk.registry import get_bot
from bots.sdk.seeds import bot_seed
from games.api import options_from
from games.chance import Chance
from games.registry import get_game

GAME = "ikasamage"
SEATS = 4
SECONDS = 3.0


def rows() -> Iterator[Row]:
    """One share."""
    game = get_game(GAME)
    _, actions, took = random_matches(game, SEATS, options_from(game, {}), with_view=False)
    command = [sys.executable, "-m", "benchmarks.bots"]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    rate = sum(float(child.communicate()[0]) for child in children)
    yield Row(f"{GAME}: decisions of random bots in two processes", rate, "/s")
    share = rate / (2 * actions / took)
    yield Row(f"{GAME}: share of twice the bare engine", share, "", "0.5", share >= 0.5)


def _measure() -> float:
    """Decisions a second in this process."""
    game, kind = get_game(GAME), get_bot("random")
    options = options_from(game, {})
    decisions = matches = 0

    def count(*_: object) -> None:
        nonlocal decisions
        decisions += 1

    begun = time.perf_counter()
    while (took := time.perf_counter() - begun) < SECONDS:
        play(game, [kind(bot_seed(matches, seat)) for seat in range(SEATS)], options, Chance.of_number(matches), count)
        matches += 1
    return decisions / took


if __name__ == "__main__":
    print(_measure())
