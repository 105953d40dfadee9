"""The messages that one recipient has received in a match. They are computed from the match's log, in slices."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import Game
from matches.fold import Entry, Match, MatchHeader
from protocol.messages import Message
from protocol.messages.parts import Wants

# log entries that are applied before other tasks get their turn; all of a long match take some 25 ms
ENTRIES_A_SLICE = 20


class MessageLog:
    """Computes the messages of one recipient, from the deal to the end of the log."""

    def __init__(self, game: Game, header: MatchHeader, entries: Sequence[Entry], hearer: int, wants: Wants) -> None:
        self.hearer, self.wants = hearer, wants
        self.told: list[Message] = []
        self._entries = entries
        self._taken = 0
        self._match = Match(game, header)
        self._match.wants[hearer] = wants
        self._outgoing = {hearer: self.told}
        self._match.begin(self._outgoing)

    def advance(self, messages: int | None = None) -> bool:
        """Applies some more entries. Returns True when there are at least `messages` messages, or with None all of
        them."""
        for _ in range(ENTRIES_A_SLICE):
            if self._taken == len(self._entries) or (messages is not None and len(self.told) >= messages):
                return True
            self._match.apply(self._entries[self._taken], self._outgoing)
            self._taken += 1
        return False
