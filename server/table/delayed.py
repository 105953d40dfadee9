"""All hands of a match as they were some time ago: for the spectators of a table whose players agreed to that."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import Game
from matches.fold import Entry, Header, Match
from protocol.messages import OpenHands
from server.table.story import ENTRIES_A_SLICE


class Delayed:
    """Follows the match's log up to a moment of the past. Nothing that is younger has any part in what it tells."""

    def __init__(self, game: Game, header: Header, entries: Sequence[Entry]) -> None:
        self._match = Match(game, header)
        self._entries = entries
        self._taken = -1  # entries; the deal comes before the first

    def grow(self, until: float) -> bool:
        """Takes some more of the log. True when it has all that happened until then, in seconds since the beginning."""
        for _ in range(ENTRIES_A_SLICE):
            if self._taken < 0:
                if until < 0:
                    return True
                self._match.begin({})
            elif self._taken == len(self._entries) or self._entries[self._taken].at > until:
                return True
            else:
                self._match.apply(self._entries[self._taken], {})
            self._taken += 1
        return False

    def told(self, request: int, until: float) -> OpenHands:
        """The answer to a request: every seat's own view, and the public one; none before the deal."""
        match, table = self._match, self._match.header.table
        if self._taken < 0:
            return OpenHands(re=request, table=table, at=round(until, 3))
        views = tuple(match.state.view(seat) for seat in range(1, match.seats + 1))
        return OpenHands(re=request, table=table, at=round(until, 3), view=match.state.view(None), views=views)
