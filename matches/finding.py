"""Finds finished matches: by player, game, date and result, wherever they are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from protocol.replay import Begun, Over


@dataclass(frozen=True, slots=True)
class Found:
    """A finished match without what happened in it. `date` is when it was kept: YYYY-MM-DD HH:MM."""

    name: str
    date: str
    file: str
    begun: Begun
    over: Over
    decisions: int

    def players(self) -> list[str]:
        """The names of the seats, first seat first."""
        return [seat.name for seat in self.begun.seats]

    def winners(self) -> list[str]:
        """Who has the first place; nobody if the match was aborted."""
        return [result.name for result in self.over.results if result.place == 1]

    def to_map(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "name": self.name,
            "date": self.date,
            "game": self.begun.game,
            "players": self.players(),
            "winners": self.winners(),
            "decisions": self.decisions,
            "aborted": self.over.aborted,
            "results": msgspec.to_builtins(self.over.results),
            "text": self.over.text,
            "file": self.file,
        }


def select(
    found: Iterable[Found], *, player: str = "", game: str = "", since: str = "", until: str = "", won: str = ""
) -> Iterator[Found]:
    """Those that fit everything that is not "". `since` and `until` are days, both included; names are as written."""
    for one in found:
        day = one.date[:10]
        if (
            (not player or player in one.players())
            and (not game or game == one.begun.game)
            and (not since or day >= since)
            and (not until or day <= until)
            and (not won or won in one.winners())
        ):
            yield one
