"""Steps through a finished match, decision by decision, with the messages of one receiver."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from games.api import Action, AddressedEvent, View
from matches.fold import SPECTATORS, Entry, Match, Outgoing
from matches.record import Record
from protocol.entries import ActionTaken
from protocol.messages import Message, TurnUpdate


@dataclass(frozen=True, slots=True)
class Moment:
    """A match just before the decision with this number, or at its end. The end has the number after the last decision.

    `told` has the messages to the receiver since the previous moment, `passed` the log entries since then. All moments
    share one `match`, which advances when the next moment is requested.
    """

    number: int
    hearer: int
    match: Match
    told: list[Message]
    events: list[AddressedEvent]  # events of the previous decision, with their receivers
    passed: list[Entry]
    decision: ActionTaken[Action] | None
    turn: TurnUpdate | None  # the turn message of the receiver's current decision; None if there is none

    def view(self) -> View:
        """Returns what the receiver can see at this moment."""
        return self.match.state.view(self.hearer or None)


def count_decisions(record: Record) -> int:
    """Returns how many decisions the match has. They are numbered from 1."""
    return sum(isinstance(entry, ActionTaken) for entry in record.entries)


def moments(
    record: Record,
    hearer: int = SPECTATORS,
    first: int = 1,
    apply: Callable[[Match, Entry, Outgoing], None] = Match.apply,
) -> Iterator[Moment]:
    """Yields every moment from number `first` on.

    Args:
        record: The match.
        hearer: The seat whose messages the moments contain; 0 for spectators.
        first: The number of the first moment, from 1.
        apply: Applies an entry to the match. A caller's own function can also examine the match before and after.

    Raises:
        IllegalAction: The rules refuse an action of the record.
    """
    told: list[Message] = []
    match = Match(record.game, record.header)
    outgoing = {hearer: told}
    match.begin(outgoing)
    events = list(match.told)
    number, since = 1, 0
    turn: TurnUpdate | None = None
    for place, entry in enumerate((*record.entries, None)):
        if entry is None or isinstance(entry, ActionTaken):
            turn = next((one for one in reversed(told) if isinstance(one, TurnUpdate)), turn)
            if number >= first:
                passed = list(record.entries[since:place])
                yield Moment(number, hearer, match, told[:], events, passed, entry, _awaited(match, hearer, turn))
            number, since = number + 1, place
            told.clear()
        if entry is not None:
            apply(match, entry, outgoing)
        if isinstance(entry, ActionTaken):
            events = list(match.told)


def _awaited(match: Match, seat: int, told: TurnUpdate | None) -> TurnUpdate | None:
    """Returns the turn message of the decision that the seat has to make now; None if there is none. A house bot is
    sent no turn message, so for its seat a new one is made."""
    if told is not None and seat in match.asked and told.turn == match.turns[seat]:
        return told
    return match.turn_message(seat)
