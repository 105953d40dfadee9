"""The cross-table: measures every bot against every other. In each match, one bot has one seat, and another bot plays
all other seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

import msgspec

from bots.language import _
from bots.sdk.lab import make_plan, measure
from bots.sdk.lab.deals import UnsuitableSettings
from bots.sdk.lab.report import render_section
from bots.sdk.registry import all_bots, bot_plays
from games.api import Game
from matches.intervals import CONFIDENCE, Estimate


class CrossTable(msgspec.Struct, frozen=True):
    """A cross-table. `shares[one][other]` is the share of the win that the bot `one` gets in a single seat, when the
    bot `other` plays all other seats."""

    game: str
    rules_version: str
    bots: tuple[str, ...]
    seats: int
    options: dict[str, Any]
    seed: int
    deals: int  # the number of deals for each pair of bots, each played once in every rotation of the seats
    confidence: float
    fair: float
    shares: dict[str, dict[str, Estimate]]


def measure_cross_table(
    game: Game,
    bots: Sequence[str] = (),
    seats: int = 0,
    *,
    deals: int,
    seed: int,
    options: Mapping[str, Any] | None = None,
    jobs: int,
    on_deal: Callable[[int, int], object] = lambda _done, _all: None,
) -> CrossTable:
    """Plays every pair of bots against each other, and computes the cross-table.

    Args:
        game: The game.
        bots: The names of the bots; by default all bots that play the game.
        seats: The number of players; 0 for the game's smallest number.
        deals: The number of deals for each pair of bots, each played once in every rotation of the seats.
        seed: The seed of the deals.
        options: The values of the game's options, by name.
        jobs: The number of processes. The figures do not depend on it.
        on_deal: A function that is called after each deal with the number of finished deals and the number of all
            deals.

    Returns:
        The cross-table.

    Raises:
        NoSuchBot: A bot does not exist.
        Unfit: The measurement is not possible with these settings.
        BotFailed: A bot raised an exception or chose an illegal action.
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    names = list(dict.fromkeys(bots)) or [name for name, kind in all_bots().items() if bot_plays(kind, game.id)]
    if len(names) < 2:
        raise UnsuitableSettings(_("A cross-table needs two different bots."))
    seats = seats or game.min_seats
    pairs = [*(permutations if seats > 2 else combinations)(names, 2)]
    plans = [
        make_plan(game, [one, *[other] * (seats - 1)], seats, deals=deals, seed=seed, options=options)
        for one, other in pairs
    ]
    shares: dict[str, dict[str, Estimate]] = {name: {} for name in names}
    for number, ((one, other), plan) in enumerate(zip(pairs, plans, strict=True)):
        done = number * deals
        found = measure(plan, jobs, lambda more, _all: on_deal(done + more, len(pairs) * deals))  # noqa: B023 (called at once)
        if found.interrupted:
            raise KeyboardInterrupt
        shares[one][other] = found.wins["bot"][one]
        if seats == 2:
            shares[other][one] = found.wins["bot"][other]
    return CrossTable(
        game=game.id,
        rules_version=game.rules_version,
        bots=tuple(names),
        seats=seats,
        options=dict(options or {}),
        seed=seed,
        deals=deals,
        confidence=CONFIDENCE,
        fair=1 / seats,
        shares=shares,
    )


def render_cross_table(game: Game, found: CrossTable) -> str:
    """Returns the cross-table as Markdown, the strongest bot first."""
    others = _("the other seat") if found.seats == 2 else _("each of the others")
    percent = 100 * found.confidence
    head = _(
        "{title} with {seats} seats: what the bot of a row has of the win with one in {others}, in percent,"
        " {fair:.0f} being fair, and its {percent:g} % interval. {deals} deals a pair, in every rotation, seed {seed}.",
        title=game.title,
        seats=found.seats,
        others=others,
        fair=100 * found.fair,
        percent=percent,
        deals=found.deals,
        seed=found.seed,
    )
    order = sorted(found.bots, key=lambda name: -sum(one.value for one in found.shares[name].values()))
    rows = [(name, *(_cell(found.shares[name].get(other)) for other in order)) for name in order]
    return render_section(head, ("", *order), rows)


def _cell(one: Estimate | None) -> str:
    if one is None:
        return "-"
    if one.low is None or one.high is None:
        return f"{100 * one.value:.0f}"
    return _("{value:.0f} ({low:.0f} to {high:.0f})", value=100 * one.value, low=100 * one.low, high=100 * one.high)
