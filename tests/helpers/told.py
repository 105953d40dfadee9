"""What one hearer of a match was told, computed from the match's log."""

from __future__ import annotations

from collections.abc import Collection

from games.api import Game
from matches.fold import Entry, MatchHeader, fold
from protocol.messages import Message


def told_again(game: Game, header: MatchHeader, log: Collection[Entry], hearer: int) -> list[Message]:
    """All messages, in order; hearer 0 is a spectator."""
    told: list[Message] = []
    fold(game, header, log, {hearer: told})
    return told
