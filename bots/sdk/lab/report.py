"""Computes the figures of a measurement, as a structure for programs, and writes them as tables of at most 80 columns
for people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import ceil
from statistics import median
from textwrap import wrap
from typing import Any

import msgspec

from bots.language import N_, _
from bots.sdk.lab.deals import DealTally, LabPlan, label_translator
from games.api import Game
from matches.intervals import CONFIDENCE, Estimate, Pair, estimate_mean, estimate_share

WIDTH, LABEL_WIDTH = 80, 30
MANY = 10  # figures whose heading has at least this number of labels get a table of their own

# Headings and labels of figures. In LabReport they are keys in English; `page` translates them.
_WORDS = (
    *(N_("seat"), N_("bot"), N_("wins"), N_("shared"), N_("turns"), N_("without a choice"), N_("ended by")),
    *(N_("decisions"), N_("rounds")),
)


class Length(msgspec.Struct, frozen=True):
    """The distribution of a number that each match has, such as its number of decisions.

    Attributes:
        mean: The mean over matches.
        low: The lower bound of the interval of the mean, computed over deals; None if it is unknown.
        high: The upper bound of that interval; None if it is unknown.
        median: The median over matches.
        p90: The value that nine matches of ten do not exceed.
    """

    mean: float
    low: float | None
    high: float | None
    median: float
    p90: float


class LabReport(msgspec.Struct, frozen=True):
    """The figures of a measurement. Shares are from 0 to 1. `lengths` has the numbers that each match has, such as
    decisions or rounds. The outer keys of `wins` and `shares` are headings, the inner keys are labels."""

    game: str
    rules_version: str
    bots: tuple[str, ...]
    seats: int
    options: dict[str, Any]
    seed: int
    deals: int
    matches: int
    interrupted: bool
    confidence: float
    fair: float  # the share of the win that each seat gets if all seats are equal
    wins: dict[str, dict[str, Estimate]]  # headings: seat, bot, and groups of the game; `of` counts seats
    shares: dict[str, dict[str, Estimate]]  # shares of matches, decisions, and what the game counts
    lengths: dict[str, Length]


def build_report(game: Game, plan: LabPlan, counted: Sequence[DealTally], *, interrupted: bool) -> LabReport:
    """Computes all figures of a measurement from what was counted in each deal."""
    wins, shares = _together(one.wins for one in counted), _together(one.shares for one in counted)
    for reason in dict.fromkeys(reason for one in counted for reason in one.endings):
        shares["ended by", reason] = [(one.endings.get(reason, 0), one.matches) for one in counted]
    lengths: defaultdict[str, list[list[float]]] = defaultdict(list)
    for one in counted:
        for name, values in one.means.items():
            lengths[name].append(values)
    return LabReport(
        game=game.id,
        rules_version=game.rules_version,
        bots=plan.bots,
        seats=len(plan.bots),
        options=plan.options,
        seed=plan.seed,
        deals=len(counted),
        matches=sum(one.matches for one in counted),
        interrupted=interrupted,
        confidence=CONFIDENCE,
        fair=1 / len(plan.bots),
        wins=_estimates(wins, len(plan.bots) * sum(one.matches for one in counted)),
        shares=_estimates(shares),
        lengths={name: _length(deals) for name, deals in lengths.items()},
    )


def _together(deals: Iterable[dict[tuple[str, str], list[float]]]) -> dict[tuple[str, str], list[Pair]]:
    pairs: defaultdict[tuple[str, str], list[Pair]] = defaultdict(list)
    for deal in deals:
        for key, (part, whole) in deal.items():
            pairs[key].append((part, whole))
    return pairs


def _estimates(pairs: dict[tuple[str, str], list[Pair]], seats: int = 0) -> dict[str, dict[str, Estimate]]:
    """Returns the estimates by heading and label. For a label that counts all `seats`, the share is known without
    uncertainty."""
    found: dict[str, dict[str, Estimate]] = {}
    for (heading, label), counted in pairs.items():
        if any(whole > 0 for _part, whole in counted):
            known = sum(whole for _part, whole in counted) == seats
            found.setdefault(heading, {})[label] = estimate_share(counted, known=known)
    return {heading: dict(sorted(labels.items())) for heading, labels in found.items()}


def _length(deals: Sequence[Sequence[float]]) -> Length:
    values = sorted(value for deal in deals for value in deal)
    estimate = estimate_mean([(sum(deal), len(deal)) for deal in deals])
    p90 = values[ceil(0.9 * len(values)) - 1]
    return Length(estimate.value, estimate.low, estimate.high, median(values), p90)


def render_report(game: Game, measured: LabReport) -> str:
    """Returns the figures of a measurement as tables in Markdown with aligned columns."""
    said = label_translator(game)
    bots = _(" against ").join(dict.fromkeys(measured.bots))
    often = _("once") if measured.matches == measured.deals else _("with the bots in every rotation")
    head = _(
        "{deals} deals of {title} with {seats} seats, {bots}, seed {seed}; each was played {often}:"
        " {matches} matches. Intervals: {confidence:g} % over deals. `*`: the interval excludes the fair share, {fair};"
        " one fair share in twenty does by chance.",
        deals=measured.deals,
        title=game.title,
        seats=measured.seats,
        bots=bots,
        seed=measured.seed,
        often=often,
        matches=measured.matches,
        confidence=100 * measured.confidence,
        fair=_percent(measured.fair),
    )
    lines = wrap(head, WIDTH)
    if measured.interrupted:
        lines += ["", _("Interrupted: this is what was played until then.")]
    for heading, estimates in measured.wins.items():
        if heading != "bot" or len(estimates) > 1:
            rows = [(*_cells(label, one), _of_fair(one, measured.fair)) for label, one in estimates.items()]
            lines += render_table(
                (_("wins by {heading}", heading=said(heading)), _("of"), _("share"), _("interval"), _("/ fair")), rows
            )
    large = {heading: labels for heading, labels in measured.shares.items() if len(labels) >= MANY}
    rows = [
        _cells(f"{said(heading)} {said(label)}", one)
        for heading, labels in measured.shares.items()
        if heading not in large
        for label, one in labels.items()
    ]
    lines += render_table((_("figure"), _("of"), _("share"), _("interval")), rows)
    lines += render_table(
        (_("a match"), _("mean"), _("interval"), _("median"), "p90"),
        [_length_row(said(name), one) for name, one in measured.lengths.items()],
    )
    for heading, labels in large.items():
        lines += render_table(
            (said(heading), _("of"), _("share"), _("interval")), [_cells(label, one) for label, one in labels.items()]
        )
    return "\n".join(lines) + "\n"


def _cells(label: str, one: Estimate) -> tuple[str, ...]:
    label = label if len(label) <= LABEL_WIDTH else f"..{label[2 - LABEL_WIDTH :]}"
    interval = (
        "-"
        if one.low is None or one.high is None
        else _("{low:.1f} to {high:.1f} %", low=100 * one.low, high=100 * one.high)
    )
    return label, f"{one.of:.0f}", _percent(one.value), interval


def _of_fair(one: Estimate, fair: float) -> str:
    return f"{one.value / fair:.2f} {'*' if one.excludes(fair) else ' '}"


def _length_row(name: str, one: Length) -> tuple[str, ...]:
    interval = "-" if one.low is None or one.high is None else _("{low:.2f} to {high:.2f}", low=one.low, high=one.high)
    return name, f"{one.mean:.2f}", interval, f"{one.median:g}", f"{one.p90:g}"


def _percent(part: float) -> str:
    return f"{100 * part:.1f} %"


def render_section(text: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a paragraph, wrapped at WIDTH columns, and a table in Markdown below it."""
    return "\n".join([*wrap(text, WIDTH), *render_table(head, rows)]) + "\n"


def render_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Returns the lines of a table in Markdown, after an empty line. The first column is aligned to the left, the
    others to the right."""
    cells = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        first, *others = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        lines.append("| " + " | ".join([first, *(other.rstrip().rjust(len(other)) for other in others)]) + " |")
    rule = "|".join("-" * (width + 1) + "-:"[at > 0] for at, width in enumerate(widths))
    return ["", lines[0], f"|{rule}|", *lines[1:]]
