"""Luck: how much of a result the deal and the seat decide, and how many matches tell a bot that is a tenth better.

Equals play each deal once for each seat, and one of them is followed from seat to seat. So that equals do not
always play alike, one decision in ten is anything legal. Let s^2 be the variance of its result in one match, and
r^2 that of its mean over the k matches of a deal. If these had nothing in common, r^2 would be s^2 / k; if the deal
and the seat decided everything, 0. So they decide

    1 - k r^2 / s^2

of the result. A bot that is a tenth better has a share of the win that is a tenth above the fair one; its lead is
what that comes to, as it does against others that slip in three decisions of ten. After ((z + y) s / d)^2 matches
the 95 % interval of such a difference d excludes 0 four times of five: z = 1.96, y = 0.84. Rotated, it takes so many
fewer as deal and seat decide.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from math import ceil
from textwrap import wrap
from typing import Any, TypeAlias

import msgspec

from bots.language import _
from bots.sdk.lab import plan_of
from bots.sdk.lab.deals import Plan, Unfit, Watcher, kinds_of, play_seated, played
from bots.sdk.lab.report import WIDTH, table
from bots.sdk.levels import beginner
from games.api import Game
from matches.intervals import CONFIDENCE
from matches.lead import lead

Z, POWER = 1.959964, 0.841621  # of the normal distribution, for 95 % and for 80 %
BETTER = 0.1  # of the fair share
SLIPS, WEAKER_SLIPS = 0.1, 0.3  # of the decisions of equals, and of those who are weaker
RESAMPLED = 400  # samples of deals, with replacement, of which 95 % lie in the interval

Result: TypeAlias = tuple[float, float]  # the share of the win, and the lead
Deal: TypeAlias = tuple[list[Result], list[Result]]  # for each rotation, among equals and among weaker ones


class Figure(msgspec.Struct, frozen=True):
    """A number and its interval over deals."""

    value: float
    low: float
    high: float


class Told(msgspec.Struct, frozen=True):
    """What one way to score tells: by share of the win, or by lead in the game's points."""

    better: Figure  # what a bot a tenth better has more than equals
    decided: Figure  # by deal and seat, 0 to 1
    single: Figure  # matches that tell a bot a tenth better, each with a deal of its own
    rotated: Figure  # and with each deal played in every rotation


class Luck(msgspec.Struct, frozen=True):
    """`by` has "share" and "lead"."""

    game: str
    rules_version: str
    bot: str
    seats: int
    options: dict[str, Any]
    seed: int
    deals: int
    confidence: float
    fair: float
    by: dict[str, Told]


def luck(
    game: Game,
    bots: Sequence[str] = (),
    seats: int = 0,
    *,
    deals: int = 300,
    seed: int = 1,
    options: Mapping[str, Any] | None = None,
    jobs: int = 1,
    on_deal: Callable[[int, int], object] = lambda _done, _all: None,
) -> Luck:
    """Measures with one bot, by default the game's house bot. Raises NoSuchBot, Unfit, BotFailed."""
    if len(bots) > 1:
        raise Unfit(_("Luck is measured with one bot in every seat."))
    seats = seats or game.min_seats
    plan = plan_of(game, bots or [game.house_bot], seats, deals=deals, seed=seed, options=options)
    found: list[Deal] = []
    for deal in played(plan, jobs, results):
        found.append(deal)
        on_deal(len(found), deals)
    rng = random.Random(seed)
    samples = [found, *([rng.choice(found) for _ in found] for _ in range(RESAMPLED))]
    told = [_told(sample, 1 / seats) for sample in samples]
    by = {
        name: Told(*(_figure([one[place][figure] for one in told]) for figure in range(4)))
        for place, name in enumerate(("share", "lead"))
    }
    return Luck(
        game=game.id,
        rules_version=game.rules_version,
        bot=plan.bots[0],
        seats=seats,
        options=dict(options or {}),
        seed=seed,
        deals=deals,
        confidence=CONFIDENCE,
        fair=1 / seats,
        by=by,
    )


def results(plan: Plan, deal: int) -> Deal:
    """Of the bot that is followed. Raises BotFailed."""
    name, seats = plan.bots[0], len(plan.bots)
    kind = kinds_of(plan.bots)[name]
    kinds = {name: beginner(kind, SLIPS), f"{name}, weaker": beginner(kind, WEAKER_SLIPS)}
    found: Deal = [], []
    for place, other in enumerate(kinds):
        for rotation in range(seats):
            number = (deal * 2 + place) * seats + rotation
            order = [name if at == rotation else other for at in range(seats)]
            outcome = play_seated(plan, deal, number, order, kinds, Watcher())
            found[place].append((outcome.shares[rotation], lead(outcome.scores, rotation + 1)))
    return found


def _told(deals: Sequence[Deal], fair: float) -> list[tuple[float, float, float, float]]:
    """For share and lead: a tenth, decided, single, rotated."""
    found = []
    gained = [_mean([result[place] for _, ahead in deals for result in ahead]) for place in range(2)]
    tenth = BETTER * fair, BETTER * fair * gained[1] / ((gained[0] - fair) or 1.0)
    for place, better in enumerate(tenth):
        single = _variance([result[place] for equals, _ in deals for result in equals])
        means = [_mean([result[place] for result in equals]) for equals, _ in deals]
        together = _variance(means) * round(1 / fair)
        needed = ((Z + POWER) / better) ** 2 if better else 0.0
        decided = 1 - together / single if single else 1.0
        found.append((better, decided, needed * single, needed * together))
    return found


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    middle = _mean(values)
    return sum([(value - middle) ** 2 for value in values]) / max(1, len(values) - 1)


def _figure(values: Sequence[float]) -> Figure:
    """The first is of all deals, the others of samples."""
    order, out = sorted(values[1:]), ceil(len(values) * (1 - CONFIDENCE) / 2)
    return Figure(values[0], order[out - 1], order[-out])


def luck_page(game: Game, found: Luck) -> str:
    """The table in Markdown."""
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
    return "\n".join([*wrap(head, WIDTH), *table(("", _("by share of the win"), _("by lead in points")), rows)]) + "\n"


def _percent(one: Figure, digits: int = 0) -> str:
    if one.low == one.high:
        return f"{100 * one.value:.{digits}f} %"
    value, low, high = 100 * one.value, 100 * one.low, 100 * one.high
    return _("{value:.0f} % ({low:.0f} to {high:.0f})", value=value, low=low, high=high)


def _plain(one: Figure, digits: int = 0) -> str:
    value, low, high = (f"{number:,.{digits}f}" for number in (one.value, one.low, one.high))
    return _("{value} ({low} to {high})", value=value, low=low, high=high)
