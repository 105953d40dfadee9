"""Luck: how much of a result the deal and the seat decide, and how many matches show that a bot is a tenth better.

Equal bots play each deal once for each seat, and one of them is followed from seat to seat. One decision in ten is a
random legal action, so that equal bots do not always play alike. Let s^2 be the variance of the followed bot's result
in one match, and r^2 that of its mean over the k matches of a deal. If these matches were independent, r^2 would be s^2
/ k. If the deal and the seat decided everything, r^2 would be 0. So the share of the result that they decide is

    1 - k r^2 / s^2

and at least 0. A bot that is a tenth better has a share of the win that is a tenth above the fair share. Its lead in
points is scaled from matches against weaker bots, which play three decisions in ten at random.

After ((z + y) s / d)^2 matches the 95 % interval of such a difference d excludes 0 four times out of five, with z =
1.96 and y = 0.84. With rotated deals the number is smaller by the share that deal and seat decide. If the bot has no
lead over weaker ones, or all matches end alike, the figures are None.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from math import ceil
from statistics import NormalDist
from typing import Any, TypeAlias

import msgspec

from bots.language import _
from bots.sdk.lab import make_plan
from bots.sdk.lab.deals import LabPlan, ProgressReport, UnsuitableSettings, load_bot_classes, play_deals, play_seated
from bots.sdk.lab.report import render_section
from bots.sdk.levels import beginner
from bots.sdk.registry import bot_name_or_random
from games.api import Game
from matches.intervals import CONFIDENCE, FEWEST_DEALS
from matches.results import compute_lead

Z, POWER = (NormalDist().inv_cdf(part) for part in ((1 + CONFIDENCE) / 2, 0.8))
BETTER = 0.1  # how much more of the win the better bot gets, as a part of the fair share
SLIPS, WEAKER_SLIPS = 0.1, 0.3  # the share of decisions that equal bots play at random, and that weaker ones do
DECIDED = 1  # the index of `decided` among the figures in Telling
RESAMPLED = 400  # the number of bootstrap samples of the deals from which an interval is computed

Result: TypeAlias = tuple[float, float]  # the followed bot's share of the win in one match, and its lead in points
# The followed bot's result in each rotation of a deal: against equal bots, and against weaker ones.
Deal: TypeAlias = tuple[list[Result], list[Result]]
Telling: TypeAlias = tuple[
    float | None, float | None, float | None, float | None
]  # the values of the fields of LuckFigures, in their order


class Figure(msgspec.Struct, frozen=True):
    """A number with the bounds of its interval, computed over deals. Each of them is None if it is unknown."""

    value: float | None
    low: float | None
    high: float | None


class LuckFigures(msgspec.Struct, frozen=True):
    """The figures on luck for one measure of a result: the share of the win, or the lead in the game's points."""

    better: Figure  # by how much the result of a bot that is a tenth better differs from that of equal bots
    decided: Figure  # the share of the result that the deal and the seat decide, 0 to 1
    single: Figure  # how many matches, each with a deal of its own, show this difference
    rotated: Figure  # how many matches show this difference if each deal is played in every rotation


class LuckReport(msgspec.Struct, frozen=True):
    """How much luck decides in a game. `by` has the figures by share of the win ("share") and by lead in points
    ("lead")."""

    game: str
    rules_version: str
    bot: str
    seats: int
    options: dict[str, Any]
    seed: int
    deals: int
    confidence: float
    fair: float
    by: dict[str, LuckFigures]


def measure_luck(
    game: Game,
    bots: Sequence[str] = (),
    seats: int = 0,
    *,
    deals: int,
    seed: int,
    options: Mapping[str, Any] | None = None,
    jobs: int,
    on_deal: Callable[[int, int], object] = lambda _done, _all: None,
) -> LuckReport:
    """Measures how much of a result the deal and the seat decide in a game.

    Args:
        game: The game.
        bots: The name of the bot that plays all seats; by default the game's house bot.
        seats: The number of players; 0 for the game's smallest number.
        deals: The number of deals, at least 2.
        seed: The seed of the deals.
        options: The values of the game's options, by name.
        jobs: The number of processes. The figures do not depend on it.
        on_deal: A function that is called after each deal with the number of finished deals and the number of all
            deals.

    Returns:
        The figures on luck.

    Raises:
        NoSuchBot: The bot does not exist.
        Unfit: The measurement is not possible with these settings.
        BotFailed: The bot raised an exception or chose an illegal action.
    """
    if len(bots) > 1:
        raise UnsuitableSettings(_("Luck is measured with one bot in every seat."))
    if deals < 2:
        raise UnsuitableSettings(_("Luck is measured over at least two deals."))
    seats = seats or game.min_seats
    bot = bots[0] if bots else bot_name_or_random(game.id, game.house_bot)
    plan = make_plan(game, [bot], seats, deals=deals, seed=seed, options=options)
    found: list[Deal] = []
    for deal in play_deals(plan, jobs, play_luck_deal):
        found.append(deal)
        on_deal(len(found), deals)
    rng = random.Random(seed)
    samples = [found, *([rng.choice(found) for _ in found] for _ in range(RESAMPLED))]
    told = [luck_figure_values(sample, 1 / seats) for sample in samples]
    by = {
        name: LuckFigures(
            *(bootstrap_figure([_possible(number, one[place][number]) for one in told], deals) for number in range(4))
        )
        for place, name in enumerate(("share", "lead"))
    }
    return LuckReport(
        game=game.id,
        rules_version=game.rules_version,
        bot=bot,
        seats=seats,
        options=dict(options or {}),
        seed=seed,
        deals=deals,
        confidence=CONFIDENCE,
        fair=1 / seats,
        by=by,
    )


def play_luck_deal(plan: LabPlan, deal: int) -> Deal:
    """Plays one deal in all rotations, against equal and against weaker bots. Returns the results of the followed bot.
    Raises BotFailed."""
    seats = len(plan.bots)
    [(name, kind)] = load_bot_classes(plan.bots).items()
    kinds = {name: beginner(kind, SLIPS), f"{name}, weaker": beginner(kind, WEAKER_SLIPS)}
    found: Deal = [], []
    for place, other in enumerate(kinds):
        for rotation in range(seats):
            number = (deal * 2 + place) * seats + rotation
            order = [name if at == rotation else other for at in range(seats)]
            outcome = play_seated(plan, deal, number, order, kinds, ProgressReport())
            found[place].append((outcome.shares[rotation], compute_lead(outcome.scores, rotation + 1)))
    return found


def luck_figure_values(deals: Sequence[Deal], fair: float) -> list[Telling]:
    """Returns the values of the fields of `LuckFigures` for these deals: first by share of the win, then by lead in
    points."""
    found: list[Telling] = []
    share, ahead = (_mean([result[place] for _, weaker in deals for result in weaker]) for place in range(2))
    gap = share - fair
    for place, better in enumerate((BETTER * fair, BETTER * fair * ahead / gap if gap > 0 and ahead > 0 else None)):
        single = _variance([result[place] for equals, _ in deals for result in equals])
        together = _variance([_mean([result[place] for result in equals]) for equals, _ in deals]) * round(1 / fair)
        if not single:
            found.append((better, None, None, None))
            continue
        needed = ((Z + POWER) / better) ** 2 if better else None
        matches = (None, None) if needed is None else (needed * single, needed * together)
        found.append((better, 1 - together / single, *matches))
    return found


def _possible(number: int, value: float | None) -> float | None:
    """Returns the value of the field `number` of LuckFigures; that of `decided` is limited to the range from 0 to 1."""
    return value if value is None or number != DECIDED else min(max(value, 0.0), 1.0)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    middle = _mean(values)
    return sum([(value - middle) ** 2 for value in values]) / (len(values) - 1)


def bootstrap_figure(values: Sequence[float | None], deals: int) -> Figure:
    """Returns a number with its interval. `values` has first the value over all deals, then that of each bootstrap
    sample. A sample without a value (None) counts at both ends of the interval, and so widens it."""
    value, order = values[0], sorted(one for one in values[1:] if one is not None)
    out = ceil(len(values) * (1 - CONFIDENCE) / 2) - (len(values) - 1 - len(order))
    if value is None or out < 1 or deals < FEWEST_DEALS:
        return Figure(value, None, None)
    return Figure(value, order[out - 1], order[-out])


def render_luck(game: Game, found: LuckReport) -> str:
    """Returns the figures on luck as a table in Markdown."""
    head = _(
        "{title} with {seats} seats, each of them {bot} that slips in {slips:.0f} % of its decisions: {deals} deals,"
        " seed {seed}; in brackets {confidence:g} % intervals over deals. A tenth better is a share of {better:.1f} %"
        " where {fair:.1f} % is fair.",
        title=game.title,
        seats=found.seats,
        bot=found.bot,
        slips=100 * SLIPS,
        deals=found.deals,
        seed=found.seed,
        confidence=100 * found.confidence,
        better=100 * found.fair * (1 + BETTER),
        fair=100 * found.fair,
    )
    share, ahead = found.by["share"], found.by["lead"]
    rows = [
        (_("a tenth better"), _percent(share.better, 1), _plain(ahead.better, 2)),
        (_("decided by deal and seat"), _percent(share.decided), _percent(ahead.decided)),
        (_("matches that tell it"), _plain(share.single), _plain(ahead.single)),
        (_("the same, rotated"), _plain(share.rotated), _plain(ahead.rotated)),
    ]
    return render_section(head, ("", _("by share of the win"), _("by lead in points")), rows)


def _percent(one: Figure, digits: int = 0) -> str:
    if one.value is None:
        return "-"
    if one.low is None or one.high is None or one.low == one.high:
        return f"{100 * one.value:.{digits}f} %"
    value, low, high = 100 * one.value, 100 * one.low, 100 * one.high
    return _("{value:z.0f} % ({low:z.0f} to {high:z.0f})", value=value, low=low, high=high)


def _plain(one: Figure, digits: int = 0) -> str:
    if one.value is None:
        return "-"
    value = f"{one.value:,.{digits}f}"
    if one.low is None or one.high is None:
        return value
    return _("{value} ({low} to {high})", value=value, low=f"{one.low:,.{digits}f}", high=f"{one.high:,.{digits}f}")
