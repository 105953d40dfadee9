"""Statistics of a player's finished matches: places by game, and results against each opponent."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from protocol.messages import GameStats, Met, PlayerStats

OPPONENTS = 50  # most opponents; the one that was met longest ago is dropped first
GAMES = 50  # most games; the one that was played longest ago is dropped first


class MatchStats(msgspec.Struct, omit_defaults=True):
    """A player's statistics. In both fields the entry that changed last comes last.

    Attributes:
        games: By game: how often the player took each place, beginning with first place.
        met: By opponent: the number of matches, and how often the player finished ahead and behind. House bots count
            under the name of the bot.
    """

    games: dict[str, list[int]] = {}
    met: dict[str, list[int]] = {}

    def add_match(self, game: str, place: int, others: Iterable[tuple[str, int]]) -> None:
        """Adds a finished match to the statistics. `others` are the opponents with their places."""
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

    def merge(self, other: MatchStats) -> None:
        """Adds statistics of the same player from another server."""
        for game, places in other.games.items():
            own = self.games.setdefault(game, [])
            own += [0] * (len(places) - len(own))
            for place, count in enumerate(places):
                own[place] += count
        for name, counts in other.met.items():
            self.met[name] = [mine + more for mine, more in zip(self.met.get(name, (0, 0, 0)), counts, strict=True)]

    def to_message(self, name: str, re: int = 0) -> PlayerStats:
        """Returns the statistics as a message. All clients may read it, because everyone at those tables got the
        results."""
        games = tuple(GameStats(game, tuple(places)) for game, places in reversed(self.games.items()))
        met = tuple(Met(other, *counts) for other, counts in reversed(self.met.items()))
        return PlayerStats(re=re, name=name, games=games, opponents=met)
