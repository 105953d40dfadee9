"""The messages that one recipient has received, computed from the match's log in slices."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import Game
from matches.fold import Entry, Match, MatchHeader
from protocol.messages import Message
from protocol.messages.parts import Wants

ENTRIES_A_SLICE = 20  # entries before other tasks get their turn: a long match takes some 25 ms in all


class MessageLog:
    """Computes a recipient's messages up to the end of the log."""

    def __init__(self, game: Game, header: MatchHeader, entries: Sequence[Entry], hearer: int, wants: Wants) -> None:
        self.hearer, self.wants = hearer, wants
        self.told: list[Message] = []
        self._entries = entries
        self._taken = 0
        self._match = Match(game, header)
        self._match.wants[hearer] = wants
        self._outgoing = {hearer: self.told}
        self._match.begin(self._outgoing)

    def grow(self, messages: int | None = None) -> bool:
        """Applies some more entries. Returns True when there are that many messages, or with None all of them."""
        for _ in range(ENTRIES_A_SLICE):
            if self._taken == len(self._entries) or (messages is not None and len(self.told) >= messages):
                return True
            self._match.apply(self._entries[self._taken], self._outgoing)
            self._taken += 1
        return False
