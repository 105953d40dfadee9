"""The ledger of a match: how the time of each decision was spent. Pure."""

from __future__ import annotations

from collections import defaultdict

import msgspec

from matches.fold import Entry, Match, Outgoing
from matches.record import Record
from protocol.entries import ActionTaken, ServerStalled

DIGITS = 3  # decimals of the seconds in a ledger, so milliseconds


class DecisionTime(msgspec.Struct, frozen=True):
    """The time of one decision, in seconds.

    `thinking` is charged to the seat's clock. `ours` passed while the server stood still or its disk was slow, and is
    not charged. `bank` is the seat's main time left after the decision.
    """

    seat: int
    turn: int
    at: float  # time of the decision, since the match began
    thinking: float
    ours: float
    bank: float
    why: str = ""  # why the server decided; see ActionTaken


class Ledger:
    """Collects how the time of each decision of a match was spent. Callers pass each entry of the match to `apply`,
    which also applies it to the match."""

    def __init__(self) -> None:
        self.spent: list[DecisionTime] = []
        self._ours: defaultdict[int, float] = defaultdict(float)

    def apply(self, match: Match, entry: Entry, outgoing: Outgoing) -> None:
        """Records the entry, and applies it to the match like `Match.apply`. Raises IllegalAction."""
        if isinstance(entry, ServerStalled):
            for seat in match.asked.intersection(entry.seconds):
                self._ours[seat] += entry.seconds[seat]
        if not isinstance(entry, ActionTaken):
            match.apply(entry, outgoing)
            return
        seat, turn, clocks = entry.seat, match.turns[entry.seat], match.clocks
        asked = clocks.decision_start(seat, entry.at)
        match.apply(entry, outgoing)
        self.spent.append(
            DecisionTime(
                seat,
                turn,
                at=round(entry.at, DIGITS),
                thinking=round(max(0.0, entry.at - asked), DIGITS),
                ours=round(self._ours.pop(seat, 0.0), DIGITS),
                bank=clocks.main_time_left(seat),
                why=entry.why,
            )
        )


def compute_ledger(record: Record) -> list[DecisionTime]:
    """Returns how the time of each decision of the match was spent, in order. Raises IllegalAction if the rules refuse
    an action of the record."""
    match, made = Match(record.game, record.header), Ledger()
    match.begin({})
    for entry in record.entries:
        made.apply(match, entry, {})
    return made.spent
