"""Bots without a server: matches in two processes at once, against twice the bare engine in one."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

from benchmarks.engine import action_rate
from benchmarks.figure import Figure
from bots.sdk.local import play
from bots.sdk.registry import get_bot
from bots.sdk.seeds import bot_seed
from games.api import options_from
from games.chance import Chance
from games.registry import get_game

GAME = "ikasamage"
SEATS = 4
SECONDS = 0.6
ROUNDS = 9


def figures() -> Iterator[Figure]:
    """The one figure."""
    game = get_game(GAME)
    options = options_from(game, {})
    rates, engines = [], []
    for _ in range(ROUNDS):
        before = action_rate(game, SEATS, options, with_view=False)
        rates.append(_two_processes())
        engines.append(before + action_rate(game, SEATS, options, with_view=False))
    name = f"{GAME}: decisions of random bots in two processes"
    yield Figure(name, "/s", rates, "more", "engines", engines, target=0.5, target_is_ratio=True, wall=True)


def _two_processes() -> float:
    """Decisions a second of both together."""
    command = [sys.executable, "-m", "benchmarks.bots"]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    return sum(float(child.communicate()[0]) for child in children)


def _one_process() -> float:
    """Decisions a second in this one."""
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
    print(_one_process())
