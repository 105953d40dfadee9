"""Statistics of a player's finished matches: places by game, and results against each opponent."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from protocol.messages import GameStats, Met, PlayerStats

OPPONENTS = 50  # the opponent met longest ago is dropped first
GAMES = 50  # likewise, for a server that changes its games often


class MatchStats(msgspec.Struct, omit_defaults=True):
    """A player's statistics. The most recent entries come last in both fields.

    Attributes:
        games: By game, how often the player took each place, first place first.
        met: By opponent, the number of matches, and how often the player finished ahead and behind. House bots count
            under the bot's name.
    """

    games: dict[str, list[int]] = {}
    met: dict[str, list[int]] = {}

    def note(self, game: str, place: int, others: Iterable[tuple[str, int]]) -> None:
        """Adds a finished match. `others` are the opponents with their places."""
        places = self.games.pop(game, [])
        places += [0] * (place - len(places))
        places[place - 1] += 1
        self.games[game] = places
        for name, other in others:
            meetings, ahead, behind = self.met.pop(name, (0, 0, 0))
            self.met[name] = [meetings + 1, ahead + (place < other), behind + (place > other)]
        for known, most in ((self.games, GAMES), (self.met, OPPONENTS)):
            while len(known) > most:
                del known[next(iter(known))]

    def add(self, other: MatchStats) -> None:
        """Adds the same player's statistics from another server."""
        for game, places in other.games.items():
            own = self.games.setdefault(game, [])
            own += [0] * (len(places) - len(own))
            for place, count in enumerate(places):
                own[place] += count
        for name, counts in other.met.items():
            self.met[name] = [mine + more for mine, more in zip(self.met.get(name, (0, 0, 0)), counts, strict=True)]

    def as_told(self, name: str, re: int = 0) -> PlayerStats:
        """Returns the statistics as a message. They are public, because everyone at those tables got the results."""
        games = tuple(GameStats(game, tuple(places)) for game, places in reversed(self.games.items()))
        met = tuple(Met(other, *counts) for other, counts in reversed(self.met.items()))
        return PlayerStats(re=re, name=name, games=games, opponents=met)
