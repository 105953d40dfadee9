"""Goes through a finished match decision by decision, as one hearer was told it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from games.api import Action, Told, View
from matches.fold import SPECTATORS, Entry, Match, Outgoing
from matches.record import Record
from protocol.entries import ActionTaken
from protocol.messages import Message, Turn


@dataclass(frozen=True, slots=True)
class Moment:
    """Just before a decision, or the end, whose number is one more than the last decision's.

    `told` is what the hearer was told since the moment before, `passed` what happened since; the match goes on when
    the next moment is asked for.
    """

    number: int
    hearer: int
    match: Match
    told: list[Message]
    events: list[Told]  # since the moment before, with who heard them
    passed: list[Entry]
    decision: ActionTaken[Action] | None
    turn: Turn | None  # which the hearer has to decide now, as it was told

    def view(self) -> View:
        """What the hearer knows now."""
        return self.match.state.view(self.hearer or None)


def decisions(record: Record) -> int:
    """How many there are; they are numbered from 1."""
    return sum(isinstance(entry, ActionTaken) for entry in record.entries)


def moments(
    record: Record,
    hearer: int = SPECTATORS,
    first: int = 1,
    apply: Callable[[Match, Entry, Outgoing], None] = Match.apply,
) -> Iterator[Moment]:
    """Every moment from that number on. `apply` has the match take an entry, and may look at it before and after.
    Raises IllegalAction where the rules refuse what the record says."""
    told: list[Message] = []
    match = Match(record.game, record.header)
    outgoing = {hearer: told}
    match.begin(outgoing)
    events = list(match.told)
    number, since = 1, 0
    turn: Turn | None = None
    for place, entry in enumerate((*record.entries, None)):
        if entry is None or isinstance(entry, ActionTaken):
            turn = next((one for one in reversed(told) if isinstance(one, Turn)), turn)
            if number >= first:
                passed = list(record.entries[since:place])
                yield Moment(number, hearer, match, told[:], events, passed, entry, _awaited(match, hearer, turn))
            number, since = number + 1, place
            told.clear()
        if entry is not None:
            apply(match, entry, outgoing)
        if isinstance(entry, ActionTaken):
            events = list(match.told)


def _awaited(match: Match, seat: int, told: Turn | None) -> Turn | None:
    """A seat that the house plays is told no turns; then the turn is as it would be told now."""
    if told is not None and seat in match.asked and told.turn == match.turns[seat]:
        return told
    return match.turn(seat)
