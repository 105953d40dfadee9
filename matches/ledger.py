"""Where the time of each decision went: what the seat thought, what was our fault, and what it has left. Pure."""

from __future__ import annotations

from collections import defaultdict

import msgspec

from matches.fold import Entry, Match, Outgoing
from matches.record import Record
from protocol.entries import ActionTaken, ServerStalled

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
    why: str = ""  # as in ActionTaken


class Ledger:
    """Notes every decision of a match that takes its entries by `apply`."""

    def __init__(self) -> None:
        self.spent: list[Spent] = []
        self._ours: defaultdict[int, float] = defaultdict(float)

    def apply(self, match: Match, entry: Entry, outgoing: Outgoing) -> None:
        """As the match's own. Raises IllegalAction."""
        if isinstance(entry, ServerStalled):
            for seat in match.asked.intersection(entry.seconds):
                self._ours[seat] += entry.seconds[seat]
        if not isinstance(entry, ActionTaken):
            match.apply(entry, outgoing)
            return
        seat, turn, clocks = entry.seat, match.turns[entry.seat], match.clocks
        asked = clocks.began(seat, entry.at)
        match.apply(entry, outgoing)
        self.spent.append(
            Spent(
                seat,
                turn,
                at=round(entry.at, DIGITS),
                thinking=round(max(0.0, entry.at - asked), DIGITS),
                ours=round(self._ours.pop(seat, 0.0), DIGITS),
                bank=clocks.main(seat),
                why=entry.why,
            )
        )


def ledger(record: Record) -> list[Spent]:
    """Every decision of the match, in order. Raises IllegalAction where the rules refuse what the record says."""
    match, made = Match(record.game, record.header), Ledger()
    match.begin({})
    for entry in record.entries:
        made.apply(match, entry, {})
    return made.spent
