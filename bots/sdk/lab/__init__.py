"""The balance lab: plays many deals of given bots without a server and says what they show of a game.

A game may add its own figures: see `games/lab.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bots.language import _
from bots.sdk.lab.blame import BotFailed
from bots.sdk.lab.deals import Counted, Plan, Unfit, play_deal, played, players
from bots.sdk.lab.report import Report, page, report
from bots.sdk.registry import LEVEL, all_bots, name_for
from games.api import Game, options_from
from games.registry import get_game

__all__ = ["BotFailed", "Plan", "Report", "measure", "page", "plan_of"]


def plan_of(
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
) -> Plan:
    """What is to be measured, checked. Raises NoSuchBot, Unfit.

    Without bots, those that were written for the game play, or the house bot against itself. `seats` is by default as
    many as there are bots, or the least that the game takes; bots are repeated to fill them. Each deal is played once
    for each way of rotating the bots over the seats, or just `once`. Replays are kept in the folder `record`, with
    `rows` Parquet files too; one of another match is never replaced.
    """
    names = list(bots) or _bots_of(game)
    seats = seats or max(game.min_seats, len(names))
    if len(names) > seats:
        raise Unfit(_("There are {bots} bots for {seats} seats.", bots=len(names), seats=seats))
    if deals < 1:
        raise Unfit(_("The lab needs at least one deal."))
    if rows and not record:
        raise Unfit(_("Parquet files are kept in the folder of the replays; there is none."))
    try:
        game.check_seats(seats)
        options_from(game, options or {})
    except ValueError as error:
        raise Unfit(str(error)) from None
    players(game, names)
    seated = tuple(names[place % len(names)] for place in range(seats))
    return Plan(game.id, seated, deals, seed, dict(options or {}), once, record, rows)


def measure(plan: Plan, jobs: int = 1, on_deal: Callable[[int, int], object] = lambda _done, _all: None) -> Report:
    """Plays the plan in so many processes; the figures do not depend on how many. `on_deal` hears how far it is.

    Ctrl-C ends the work: the report of the deals played until then says so. Raises KeyboardInterrupt where there are
    none, BotFailed, and FileExistsError where the folder has a replay of another match.
    """
    counted: list[Counted] = []
    interrupted = False
    try:
        for one in played(plan, jobs, play_deal):
            counted.append(one)
            on_deal(len(counted), plan.deals)
    except KeyboardInterrupt:
        if not counted:
            raise
        interrupted = True
    return report(get_game(plan.game), plan, counted, interrupted=interrupted)


def _bots_of(game: Game) -> list[str]:
    """At most as many as there are seats, the house bot first."""
    own = [name for name, kind in all_bots().items() if game.id in kind.games and LEVEL not in name]
    own.sort(key=lambda name: name != game.house_bot)
    if own:
        return own[: max(2, game.min_seats)]
    return [name_for(game.id, game.house_bot)]
