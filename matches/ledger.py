"""Where the time of each decision went: what the seat thought, what was our fault, and what it has left. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import msgspec

from matches.fold import Did, Match, Stalled
from matches.record import Record

DIGITS = 3  # milliseconds


class Spent(msgspec.Struct, frozen=True):
    """One decision; seconds. `thinking` is charged to the seat. `ours` is what passed besides while the server stood
    still, or its disk was slow: it is charged to nobody. `bank` is the main time that is left afterwards."""

    seat: int
    turn: int
    at: float  # since the match began
    thinking: float
    ours: float
    bank: float
    why: str = ""  # as in Did


def ledger(record: Record) -> Iterator[Spent]:
    """Every decision of the match, in order. Raises IllegalAction where the rules refuse what the record says."""
    match = Match(record.game, record.header)
    match.begin({})
    clocks = match.clocks
    ours: defaultdict[int, float] = defaultdict(float)
    for entry in record.entries:
        if isinstance(entry, Stalled):
            for seat in match.asked.intersection(entry.seconds):
                ours[seat] += entry.seconds[seat]
        if not isinstance(entry, Did):
            match.apply(entry, {})
            continue
        seat, turn = entry.seat, match.turns[entry.seat]
        asked = clocks.deadline(seat) - clocks.whole(seat)  # as if it had been asked so much later
        match.apply(entry, {})
        yield Spent(
            seat,
            turn,
            at=round(entry.at, DIGITS),
            thinking=round(max(0.0, entry.at - asked), DIGITS),
            ours=round(ours.pop(seat, 0.0), DIGITS),
            bank=clocks.main(seat),
            why=entry.why,
        )
