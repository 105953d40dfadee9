"""Where the time of a cup's matches went, by entrant: thinking, or in our hands. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

import msgspec

from matches.ledger import Spent, ledger
from matches.record import Record


class Times(msgspec.Struct, frozen=True):
    """Of one entrant; seconds. `mean`, `median` and `most` are of a decision of its own, and None where all ran out of
    time. `thinking` is all that its seats were charged, decisions that ran out of time too, and `share` what that is of
    its matches' time, 0 to 1; `ours` is what passed besides while the server stood still, or its disk was slow."""

    decisions: int
    mean: float | None
    median: float | None
    most: float | None
    thinking: float
    share: float
    ours: float


class Timed(msgspec.Struct, frozen=True):
    """A match: every decision, and how long it was."""

    spent: tuple[Spent, ...]
    seconds: float


def timed(record: Record, spent: Sequence[Spent] | None = None) -> Timed:
    """The match with its ledger, which is made where it is not given. Raises IllegalAction where the rules refuse what
    the record says."""
    spent = ledger(record) if spent is None else spent
    return Timed(tuple(spent), record.entries[-1].at if record.entries else 0.0)


def times(entrants: int, matches: Iterable[tuple[Sequence[int], Timed]]) -> list[Times | None]:
    """For each entrant, from matches and who sat in their seats; None where it had nothing to decide, or never
    did so itself."""
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
        Times(
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
