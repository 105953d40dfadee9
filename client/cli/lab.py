"""`magehall lab`: plays the deals on every core, says on stderr how far it is, and prints what was measured."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import redirect_stdout
from typing import Any

import msgspec

from bots.sdk.lab import BotFailed, measure, page, plan_of
from bots.sdk.lab.cross import Cross, cross_page
from bots.sdk.lab.cross import cross as cross_table
from bots.sdk.registry import NoSuchBot
from client.cli.progress import progress
from client.ending import INTERRUPTED, MISUSED, fail
from games.api import Game
from games.registry import get_game


def run_lab(
    game_id: str,
    bots: Sequence[str],
    seats: int,
    deals: int,
    seed: int,
    options: Mapping[str, Any],
    *,
    once: bool,
    jobs: int,
    as_json: bool,
    cross: bool = False,
) -> int:
    """Measures and prints; `jobs` 0 is one for each core. Returns the exit code."""
    game, jobs = get_game(game_id), jobs or os.cpu_count() or 1
    if cross:
        found = _crossed(game, bots, seats, deals=deals, seed=seed, options=options, jobs=jobs)
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n" if as_json else cross_page(game, found))
        return 0
    with redirect_stdout(sys.stderr):  # what a bot prints; stdout belongs to results
        try:
            plan = plan_of(game, bots, seats, deals=deals, seed=seed, options=options, once=once)
        except (NoSuchBot, ValueError) as error:
            fail(str(error), MISUSED)
        try:
            with progress("deals") as on_deal:
                measured = measure(plan, jobs, on_deal)
        except BrokenProcessPool:
            fail("One of the processes that played was ended from outside.")
        except BotFailed as error:
            fail(str(error))
    sys.stdout.write(msgspec.json.encode(measured).decode() + "\n" if as_json else page(game, measured))
    return INTERRUPTED if measured.interrupted else 0


def _crossed(game: Game, bots: Sequence[str], seats: int, **how: Any) -> Cross:
    with redirect_stdout(sys.stderr):
        try:
            with progress("deals") as on_deal:
                return cross_table(game, bots, seats, **how, on_deal=on_deal)
        except (NoSuchBot, ValueError) as error:
            fail(str(error), MISUSED)
        except BrokenProcessPool:
            fail("One of the processes that played was ended from outside.")
        except BotFailed as error:
            fail(str(error))
        except KeyboardInterrupt:
            fail("Interrupted: a cross-table is whole or none.", INTERRUPTED)
