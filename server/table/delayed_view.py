"""All hands of a match as they were some time ago, for spectators of a table whose players agreed to show them."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Sequence
from functools import partial

from games.api import Game
from matches.fold import Entry, Match, MatchHeader
from protocol import limits
from protocol.entries import ActionTaken
from protocol.messages import OpenHands
from server.table.message_log import ENTRIES_A_SLICE


class DelayedView:
    """Applies a match's log up to a moment in the past. Later entries have no effect on the hands that it shows.

    The delay is counted in decisions as well as in seconds: a position is shown only when each seat that is still in
    play has made `limits.OPEN_HANDS_DECISIONS` decisions after it. Otherwise a player could think for longer than the
    delay, look at the current hands under a second name, and then decide. The number is larger than the number of
    decisions that a player makes in a round of the arena, so that bets and draws of the current round stay hidden.
    """

    def __init__(self, game: Game, header: MatchHeader, entries: Sequence[Entry]) -> None:
        self._match = Match(game, header)
        self._entries = entries
        self._taken = -1  # number of log entries that are applied; -1 before the deal
        self._counted = 0  # number of log entries that are counted in `_decided`
        self._decided: dict[int, deque[int]] = defaultdict(partial(deque, maxlen=limits.OPEN_HANDS_DECISIONS))
        # by seat: the log indices of its latest decisions

    def advance(self, until: float, deciding: Collection[int]) -> bool:
        """Applies some more entries of the log. Returns True when all entries that may be shown are applied.

        Args:
            until: Seconds since the match began; entries after this time are not applied.
            deciding: The seats that are still in play; entries are applied only if each of these has made enough
                decisions since. Empty once the match is over.
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

    def open_hands_message(self, request: int, until: float) -> OpenHands:
        """Returns the message with every seat's view and the public view; without views before the deal. `request` is
        the id of the request that it answers."""
        match, table = self._match, self._match.header.table
        if self._taken < 0:
            return OpenHands(re=request, table=table, at=round(until, 3))
        if self._taken < len(self._entries):  # the position was valid until the time of the next entry
            until = min(until, self._entries[self._taken].at)
        views = tuple(match.state.view(seat) for seat in range(1, match.seats + 1))
        return OpenHands(re=request, table=table, at=round(until, 3), view=match.state.view(None), views=views)

    def _end(self, deciding: Collection[int]) -> int:
        """Returns how many log entries may be applied; -1 if even the deal is too recent."""
        for place in range(self._counted, len(self._entries)):
            entry = self._entries[place]
            if isinstance(entry, ActionTaken):
                self._decided[entry.seat].append(place)
        self._counted = len(self._entries)
        latest = [self._decided[seat] for seat in deciding]
        ends = [places[0] if len(places) == limits.OPEN_HANDS_DECISIONS else -1 for places in latest]
        return min(ends, default=len(self._entries))
