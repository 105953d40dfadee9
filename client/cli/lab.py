"""`magehall lab`: plays deals on all processor cores, shows the progress on stderr, and prints the measurements."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from bots.sdk.lab import BotFailed, make_plan, measure, render_report
from bots.sdk.lab.cross import measure_cross_table, render_cross_table
from bots.sdk.lab.deals import UnsuitableSettings
from bots.sdk.lab.luck import measure_luck, render_luck
from bots.sdk.registry import NoSuchBot
from client.cli.lookups import LookupFailed, with_card_file
from client.cli.progress import show_progress
from client.exit_codes import INTERRUPTED, MISUSED, exit_with_error
from client.language import _
from client.safe_output import forward_stderr
from games.api import Game, options_from
from games.registry import get_game

Found = tuple[msgspec.Struct, str, int]  # the measurements for JSON, the same as text, and the exit code
OnDeal = Callable[[int, int], object]


@dataclass(frozen=True)
class LabSettings:
    """The measurement to make, and its settings. `kind` is a key of KINDS."""

    kind: str
    game: str
    bots: Sequence[str]
    seats: int
    deals: int
    seed: int
    options: Mapping[str, Any]
    once: bool = False
    cards: str = ""  # path of a card file that replaces the game's cards
    record: str = ""  # path of the folder for recorded games
    rows: bool = False

    def to_kwargs(self) -> dict[str, Any]:
        """Returns the arguments that the function of every kind takes."""
        return {"deals": self.deals, "seed": self.seed, "options": self.options}


def run_lab(asked: LabSettings, *, jobs: int, as_json: bool) -> int:
    """Makes the measurement and prints it, on that number of processor cores; with `jobs` 0 on all. Returns the exit
    code."""
    with forward_stderr(), redirect_stdout(sys.stderr):  # bots may print, but stdout is for the results
        try:
            with show_progress(_("iterations") if asked.kind == "solve" else _("deals")) as on_deal:
                found, text, code = KINDS[asked.kind](get_game(asked.game), asked, jobs or os.cpu_count() or 1, on_deal)
        except (NoSuchBot, UnsuitableSettings, LookupFailed) as error:
            exit_with_error(str(error), MISUSED)
        except FileExistsError as error:
            exit_with_error(
                _("{file} belongs to another match. Give --record an empty folder.", file=error.filename), MISUSED
            )
        except OSError as error:
            exit_with_error(_("The measurements cannot be saved: {error}.", error=error))
        except BrokenProcessPool:
            exit_with_error(_("One of the playing processes ended early. A bot or another program ended it."))
        except BotFailed as error:
            exit_with_error(str(error))
        except KeyboardInterrupt:
            exit_with_error(_("Interrupted before there was a result."), INTERRUPTED)
    sys.stdout.write(msgspec.json.encode(found).decode() + "\n" if as_json else text)
    return code


def _measured(game: Game, asked: LabSettings, jobs: int, on_deal: OnDeal) -> Found:
    if asked.record:
        try:
            Path(asked.record).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            exit_with_error(
                _("{file} cannot be written: {strerror}.", file=asked.record, strerror=error.strerror), MISUSED
            )
    plan = make_plan(
        game, asked.bots, asked.seats, **asked.to_kwargs(), once=asked.once, record=asked.record, rows=asked.rows
    )
    found = measure(plan, jobs, on_deal)
    return found, render_report(game, found), INTERRUPTED if found.interrupted else 0


def _crossed(game: Game, asked: LabSettings, jobs: int, on_deal: OnDeal) -> Found:
    found = measure_cross_table(game, asked.bots, asked.seats, **asked.to_kwargs(), jobs=jobs, on_deal=on_deal)
    return found, render_cross_table(game, found), 0


def _luck(game: Game, asked: LabSettings, jobs: int, on_deal: OnDeal) -> Found:
    found = measure_luck(game, asked.bots, asked.seats, **asked.to_kwargs(), jobs=jobs, on_deal=on_deal)
    return found, render_luck(game, found), 0


def _solved(game: Game, asked: LabSettings, jobs: int, on_deal: OnDeal) -> Found:
    if asked.cards:
        game = with_card_file(game, Path(asked.cards))
    try:
        game.check_seats(2)
        options = options_from(game, asked.options)
    except ValueError as error:
        exit_with_error(str(error), MISUSED)
    try:
        from bots.sdk.lab.solving import render_solution, solve_game
    except ImportError as error:  # an optional dependency is missing
        exit_with_error(str(error), MISUSED)
    found = solve_game(game, options, asked.bots, on_iteration=on_deal)
    return found, render_solution(game, found), 0


KINDS: dict[str, Callable[[Game, LabSettings, int, OnDeal], Found]] = {
    "measure": _measured,
    "cross": _crossed,
    "luck": _luck,
    "solve": _solved,
}
