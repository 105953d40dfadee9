"""Filters finished matches by player, game, date and winner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from matches.results import sorted_by_place
from protocol.messages import SeatResult
from protocol.names import lookalike_key


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A summary of a finished match. `date` is the time of storage, as YYYY-MM-DD HH:MM."""

    name: str
    date: str
    file: str
    game: str
    players: tuple[str, ...]  # names of the players, seat 1 first
    decisions: int
    results: tuple[SeatResult, ...]
    aborted: bool
    text: str  # a sentence about how the match ended

    def winners(self) -> list[str]:
        """Returns the names in first place; empty if the match was aborted or house bots took over every seat."""
        return [result.name for place, result in sorted_by_place(self.results) if place == 1]

    def to_map(self) -> dict[str, Any]:
        """Returns the summary as plain data for JSON."""
        return {
            "name": self.name,
            "date": self.date,
            "game": self.game,
            "players": list(self.players),
            "winners": self.winners(),
            "decisions": self.decisions,
            "aborted": self.aborted,
            "results": msgspec.to_builtins(self.results),
            "text": self.text,
            "file": self.file,
        }


def filter_matches(
    found: Iterable[MatchSummary], *, player: str = "", game: str = "", since: str = "", until: str = "", won: str = ""
) -> Iterator[MatchSummary]:
    """Yields the matches that fit every argument; "" fits all matches.

    `since` and `until` are the first and the last day, as YYYY-MM-DD. Names that look alike are equal, as on a server.
    """
    player, won = lookalike_key(player), lookalike_key(won)
    for one in found:
        day = one.date[:10]
        if (
            (not player or player in map(lookalike_key, one.players))
            and (not game or game == one.game)
            and (not since or day >= since)
            and (not until or day <= until)
            and (not won or won in map(lookalike_key, one.winners()))
        ):
            yield one
