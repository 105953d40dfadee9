"""Running totals of the matches that the same people played of one game. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.api import Words
from people.language import _, ngettext
from protocol.messages import SeatResult

Players = tuple[str, frozenset[str]]  # the game's id, and the names


@dataclass
class Tally:
    """The matches of the same players: their number, and each name's wins and score."""

    matches: int = 0
    wins: dict[str, int] = field(default_factory=dict)
    scores: dict[str, int] = field(default_factory=dict)

    def add(self, results: Sequence[SeatResult]) -> None:
        """Adds a match."""
        self.matches += 1
        for one in results:
            self.wins[one.name] = self.wins.get(one.name, 0) + (one.place == 1)
            self.scores[one.name] = self.scores.get(one.name, 0) + one.score


class Evening:
    """All matches that one person has seen to the end."""

    def __init__(self) -> None:
        self._tallies: dict[Players, Tally] = {}
        self._counted: set[str] = set()  # ids of counted tables

    def note(self, table: str, game: str, results: Sequence[SeatResult]) -> None:
        """Counts a finished match once, unless it has no result."""
        if not results or table in self._counted:
            return
        self._counted.add(table)
        self._tallies.setdefault(_players(game, results), Tally()).add(results)

    def text(self, game: str, words: Words, results: Sequence[SeatResult]) -> str:
        """Returns the running total of these players; "" after their first match."""
        tally = self._tallies.get(_players(game, results))
        if tally is None or tally.matches < 2:
            return ""
        order = sorted(tally.wins, key=lambda name: (-tally.wins[name], -tally.scores[name], name))
        said = [
            ngettext("{name} {n} win", "{name} {n} wins", tally.wins[name], name=name)
            + f" ({words.score(tally.scores[name])})"
            for name in order
        ]
        return _("After {matches} matches: {listed}", matches=tally.matches, listed=", ".join(said))


def _players(game: str, results: Sequence[SeatResult]) -> Players:
    return game, frozenset(one.name for one in results)
