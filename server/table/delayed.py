"""All hands of a match as they were some time ago: for the spectators of a table whose players agreed to that."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Sequence
from functools import partial

from games.api import Game
from matches.fold import Entry, Header, Match
from protocol import limits
from protocol.entries import ActionTaken
from protocol.messages import OpenHands
from server.table.story import ENTRIES_A_SLICE


class Delayed:
    """Follows the match's log up to a moment in the past. Later entries never affect its views.

    The delay counts decisions as well as seconds: a position is shown only when each seat that still plays has made
    `limits.OPEN_HANDS_DECISIONS` decisions since. Otherwise a player who thinks for longer than the delay could look at
    the current hands under a second name, and then decide. It counts more of them than a round of the arena takes of
    some player, so that nobody sees bets of the running round, or what was drawn for it.
    """

    def __init__(self, game: Game, header: Header, entries: Sequence[Entry]) -> None:
        self._match = Match(game, header)
        self._entries = entries
        self._taken = -1  # entries; the deal comes before the first
        self._counted = 0  # entries whose decisions are in `_decided`
        self._decided: dict[int, deque[int]] = defaultdict(partial(deque, maxlen=limits.OPEN_HANDS_DECISIONS))
        # by seat: the places of its latest decisions in the log

    def grow(self, until: float, deciding: Collection[int]) -> bool:
        """Takes some more of the log. True when it has all that may be told.

        Args:
            until: Seconds since the match began; nothing later is taken.
            deciding: The seats that still play, each of which has made its decisions since. Empty once the match is
                over.
        """
        end = self._end(deciding)
        for _ in range(ENTRIES_A_SLICE):
            if self._taken < 0:
                if until < 0 or end < 0:
                    return True
                self._match.begin({})
            elif self._taken >= end or self._entries[self._taken].at > until:
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
        if self._taken < len(self._entries):  # the position lasted until then
            until = min(until, self._entries[self._taken].at)
        views = tuple(match.state.view(seat) for seat in range(1, match.seats + 1))
        return OpenHands(re=request, table=table, at=round(until, 3), view=match.state.view(None), views=views)

    def _end(self, deciding: Collection[int]) -> int:
        """The number of entries that may be taken at most; -1 if the deal is not old enough."""
        for place in range(self._counted, len(self._entries)):
            entry = self._entries[place]
            if isinstance(entry, ActionTaken):
                self._decided[entry.seat].append(place)
        self._counted = len(self._entries)
        latest = [self._decided[seat] for seat in deciding]
        ends = [places[0] if len(places) == limits.OPEN_HANDS_DECISIONS else -1 for places in latest]
        return min(ends, default=len(self._entries))
