"""Cups: matches a second over sockets and without them, against the same bots in two processes that only play.

With them is the least that a cup over sockets can be (benchmarks/least.py and least_bot.py): what it does not reach no
server and no bots in plain Python do.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import islice

import trio

from benchmarks.child import server
from benchmarks.figure import Figure
from bots.sdk.local import play
from bots.sdk.registry import get_bot
from bots.sdk.seeds import bot_seed
from client.tournament.plan import TournamentPlan
from client.tournament.run import run_tournament
from games.api import options_from
from games.chance import Chance
from games.registry import get_game

PLAN = TournamentPlan(
    "ikasamage", ("greedy", "random", "greedy", "random"), seats=4, rounds=1, seed=1, secret=bytes(32), concurrency=2
)
SKIPPED = 4  # matches that begin while processes still start
ROUNDS = 5
LEAST_MATCHES = 60
WAYS = {  # the rounds of a cup of some seconds, and the share of twice the bare engine that is to be reached
    "over sockets": (replace(PLAN, rounds=15), 0.5),
    "local": (replace(PLAN, rounds=40, local=True), 0.8),
}


def figures() -> Iterator[Figure]:
    """A figure for each way, and one for the least."""
    for way, (plan, target) in WAYS.items():
        rates, engines = _beside_engines(partial(match_rate, plan))
        name = f"{plan.game}: matches of a cup, {way}"
        yield Figure(name, "/s", rates, "more", "2 engines", engines, target=target, target_is_ratio=True, wall=True)
    rates, engines = _beside_engines(_least_rate)
    yield Figure(f"{PLAN.game}: the least of a cup over sockets", "/s", rates, "more", "2 engines", engines, wall=True)


def _beside_engines(measure: Callable[[], float]) -> tuple[list[float], list[float]]:
    """The rate of each round, and that of two engines around it."""
    rates, engines = [], []
    for _ in range(ROUNDS):
        before = _two_engines()
        rates.append(measure())
        engines.append((before + _two_engines()) / 2)
    return rates, engines


def match_rate(plan: TournamentPlan) -> float:
    """Matches a second, once all processes play."""
    times: list[float] = []

    def note(_done: int, _planned: int) -> None:
        times.append(time.perf_counter())

    trio.run(run_tournament, plan, note)
    return (len(times) - 1 - SKIPPED) / (times[-1] - times[SKIPPED])


def _least_rate() -> float:
    """The same of bots and a server that do the least."""
    with ExitStack() as stack:
        process = stack.enter_context(server("least"))
        reading, writing = os.pipe()
        for table in range(PLAN.concurrency):
            for seat, bot in enumerate(PLAN.bots, 1):
                words = [str(process.port), f"cup{table}", PLAN.game, bot, str(seat), str(len(PLAN.bots))]
                child = subprocess.Popen([sys.executable, "-m", "benchmarks.least_bot", *words], stdout=writing)
                stack.enter_context(child)
                stack.callback(child.kill)
        os.close(writing)
        with os.fdopen(reading) as lines:
            times = [time.perf_counter() for _line in islice(lines, SKIPPED + LEAST_MATCHES)]
    return (LEAST_MATCHES - 1) / (times[-1] - times[SKIPPED])


def _two_engines() -> float:
    """Matches a second of both together."""
    command = [sys.executable, "-m", "benchmarks.cups"]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    return sum(float(child.communicate()[0]) for child in children)


def _engine() -> float:
    """Matches a second in this process."""
    game, kinds = get_game(PLAN.game), [get_bot(bot) for bot in PLAN.bots]
    options, matches = options_from(game, {}), 40
    begun = time.perf_counter()
    for match in range(matches):
        bots = [kind(bot_seed(match, seat)) for seat, kind in enumerate(kinds)]
        play(game, bots, options, Chance.of_number(match))
    return matches / (time.perf_counter() - begun)


if __name__ == "__main__":
    print(_engine())
