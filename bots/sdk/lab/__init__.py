"""The lab: plays many deals between given bots without a server, and computes from the results how balanced a game is.

A game may add figures of its own: see `games/lab.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bots.language import _
from bots.sdk.lab.bot_errors import BotFailed
from bots.sdk.lab.deals import DealTally, LabPlan, UnsuitableSettings, check_bot_classes, play_deal, play_deals
from bots.sdk.lab.report import LabReport, build_report, render_report
from bots.sdk.registry import LEVEL, all_bots, bot_name_or_random
from games.api import Game, options_from
from games.registry import get_game

__all__ = ["BotFailed", "LabPlan", "LabReport", "make_plan", "measure", "render_report"]


def make_plan(
    game: Game,
    bots: Sequence[str] = (),
    seats: int = 0,
    *,
    deals: int = 1_000,
    seed: int = 1,
    options: Mapping[str, Any] | None = None,
    once: bool = False,
    record: str = "",
    rows: bool = False,
) -> LabPlan:
    """Checks the settings of a measurement and returns them as a plan.

    Each deal is played several times, so that each bot plays each seat of the deal once: in every rotation of the bots.

    Args:
        game: The game.
        bots: The names of the bots, repeated to fill the seats. By default, the bots written for the game play, or its
            house bot against itself.
        seats: The number of players; 0 for the number of bots, or the game's smallest number if that is larger.
        deals: The number of deals.
        seed: The seed of the deals.
        options: The values of the game's options, by name.
        once: True to play each deal only once, in one rotation.
        record: A folder to which the replays of all matches are written; "" to write none. A file with another replay
            in the folder is never overwritten.
        rows: True to also write all decisions as Parquet files to that folder.

    Returns:
        The plan.

    Raises:
        NoSuchBot: A bot does not exist.
        Unfit: The settings are invalid.
    """
    names = list(bots) or _bots_of(game)
    seats = seats or max(game.min_seats, len(names))
    if len(names) > seats:
        raise UnsuitableSettings(_("There are {bots} bots for {seats} seats.", bots=len(names), seats=seats))
    if deals < 1:
        raise UnsuitableSettings(_("The lab needs at least one deal."))
    if rows and not record:
        raise UnsuitableSettings(_("Parquet files are kept in the folder of the replays; there is none."))
    try:
        game.check_seats(seats)
        options_from(game, options or {})
    except ValueError as error:
        raise UnsuitableSettings(str(error)) from None
    check_bot_classes(game, names)
    seated = tuple(names[place % len(names)] for place in range(seats))
    return LabPlan(game.id, seated, deals, seed, dict(options or {}), once, record, rows)


def measure(
    plan: LabPlan, jobs: int = 1, on_deal: Callable[[int, int], object] = lambda _done, _all: None
) -> LabReport:
    """Plays the deals of a plan and computes the figures.

    After Ctrl-C, the report covers only the deals finished so far, and has `interrupted` set.

    Args:
        plan: The plan.
        jobs: The number of processes. The figures do not depend on it.
        on_deal: A function that is called after each deal with the number of finished deals and the number of all
            deals.

    Returns:
        The report with all figures.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed before the first deal was finished.
        BotFailed: A bot raised an exception or chose an illegal action.
        FileExistsError: The plan's folder already has another replay under the name of a match.
    """
    counted: list[DealTally] = []
    interrupted = False
    try:
        for one in play_deals(plan, jobs, play_deal):
            counted.append(one)
            on_deal(len(counted), plan.deals)
    except KeyboardInterrupt:
        if not counted:
            raise
        interrupted = True
    return build_report(get_game(plan.game), plan, counted, interrupted=interrupted)


def _bots_of(game: Game) -> list[str]:
    """Returns the names of the bots written for the game, its house bot first: at most as many as the game's smallest
    number of players, or two. If there are none, returns the house bot."""
    own = [name for name, kind in all_bots().items() if game.id in kind.games and LEVEL not in name]
    own.sort(key=lambda name: name != game.house_bot)
    if own:
        return own[: max(2, game.min_seats)]
    return [bot_name_or_random(game.id, game.house_bot)]
