"""Running totals of wins and scores over the matches of one game that the same people have played. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.api import Words
from people.language import _, ngettext
from protocol.messages import SeatResult

Players = tuple[str, frozenset[str]]  # the game's id, and the names of all players of the match


@dataclass
class Tally:
    """The number of matches of the same players, and each player's number of wins and sum of scores, by name."""

    matches: int = 0
    wins: dict[str, int] = field(default_factory=dict)
    scores: dict[str, int] = field(default_factory=dict)

    def add_results(self, results: Sequence[SeatResult]) -> None:
        """Adds the results of one match."""
        self.matches += 1
        for one in results:
            self.wins[one.name] = self.wins.get(one.name, 0) + (one.place == 1)
            self.scores[one.name] = self.scores.get(one.name, 0) + one.score


class Evening:
    """The totals of all matches that one person has played or watched to the end."""

    def __init__(self) -> None:
        self._tallies: dict[Players, Tally] = {}
        self._counted: set[str] = set()  # ids of the tables whose match is already in the totals

    def add_match(self, table: str, game: str, results: Sequence[SeatResult]) -> None:
        """Adds the finished match of a table to the totals, unless it has no results or was added before."""
        if not results or table in self._counted:
            return
        self._counted.add(table)
        self._tallies.setdefault(_players(game, results), Tally()).add_results(results)

    def totals_text(self, game: str, words: Words, results: Sequence[SeatResult]) -> str:
        """Returns one line with the running total of the players in `results`; "" after their first match."""
        tally = self._tallies.get(_players(game, results))
        if tally is None or tally.matches < 2:
            return ""
        order = sorted(tally.wins, key=lambda name: (-tally.wins[name], -tally.scores[name], name))
        said = [
            ngettext("{name} {n} win", "{name} {n} wins", tally.wins[name], name=name)
            + f" ({words.format_score(tally.scores[name])})"
            for name in order
        ]
        return _("After {matches} matches: {listed}", matches=tally.matches, listed=", ".join(said))


def _players(game: str, results: Sequence[SeatResult]) -> Players:
    return game, frozenset(one.name for one in results)
