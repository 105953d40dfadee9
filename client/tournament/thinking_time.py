"""How much time a cup's entrants spent: on thinking, or on waiting for the server. Without input or output."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

import msgspec

from matches.ledger import DecisionTime, compute_ledger
from matches.record import Record


class ThinkingTime(msgspec.Struct, frozen=True):
    """The times of one entrant over all its matches, in seconds.

    `mean`, `median` and `most` are about the decisions that the entrant made itself; they are None if all of them timed
    out. `thinking` is all the time charged to its seats, including timeouts. `share` is `thinking` as a part of the
    length of its matches, from 0 to 1. `ours` is the time in which the server was stalled or its disk was slow.
    """

    decisions: int
    mean: float | None
    median: float | None
    most: float | None
    thinking: float
    share: float
    ours: float


class MatchTiming(msgspec.Struct, frozen=True):
    """The decisions of a match with the time of each, and the length of the match in seconds."""

    spent: tuple[DecisionTime, ...]
    seconds: float


def match_timing(record: Record, spent: Sequence[DecisionTime] | None = None) -> MatchTiming:
    """Returns the times of a match. Computes the times of its decisions unless `spent` has them. Raises IllegalAction
    if the rules refuse a recorded action."""
    spent = compute_ledger(record) if spent is None else spent
    return MatchTiming(tuple(spent), record.entries[-1].at if record.entries else 0.0)


def thinking_times(entrants: int, matches: Iterable[tuple[Sequence[int], MatchTiming]]) -> list[ThinkingTime | None]:
    """Returns the times of each entrant; None for one without decisions. Each match comes with the entrants of its
    seats, in seat order."""
    asked = set[int]()
    own: list[list[float]] = [[] for _ in range(entrants)]
    thinking, ours, whole = ([0.0] * entrants for _ in range(3))
    for seats, match in matches:
        for entrant in seats:
            whole[entrant] += match.seconds
        for spent in match.spent:
            entrant = seats[spent.seat - 1]
            if not spent.why:
                own[entrant].append(spent.thinking)
            if spent.why != "house":
                asked.add(entrant)
                thinking[entrant] += spent.thinking
                ours[entrant] += spent.ours
    return [
        ThinkingTime(
            len(took),
            statistics.fmean(took) if took else None,
            statistics.median(took) if took else None,
            max(took, default=None),
            thinking[entrant],
            thinking[entrant] / whole[entrant] if whole[entrant] else 0.0,
            ours[entrant],
        )
        if entrant in asked
        else None
        for entrant, took in enumerate(own)
    ]
