"""What a player's finished matches come to: the places in each game, and who came in ahead of whom."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from protocol.messages import GameStats, Met, PlayerStats

OPPONENTS = 50  # those met longest ago make room
GAMES = 50  # the same, for a server whose games come and go


class Renown(msgspec.Struct, omit_defaults=True):
    """`games`: by game how often each place was taken, the first place first. `met`: by opponent the meetings, how
    often one came in ahead and how often behind; a house bot counts under its bot's name. The latest comes last."""

    games: dict[str, list[int]] = {}
    met: dict[str, list[int]] = {}

    def note(self, game: str, place: int, others: Iterable[tuple[str, int]]) -> None:
        """One more finished match; `others` are the opponents with their places."""
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

    def add(self, other: Renown) -> None:
        """The same player's matches at another server."""
        for game, places in other.games.items():
            own = self.games.setdefault(game, [])
            own += [0] * (len(places) - len(own))
            for place, count in enumerate(places):
                own[place] += count
        for name, counts in other.met.items():
            self.met[name] = [mine + more for mine, more in zip(self.met.get(name, (0, 0, 0)), counts, strict=True)]

    def as_told(self, name: str, re: int = 0) -> PlayerStats:
        """The answer to who asks; everybody at those tables was told the results."""
        games = tuple(GameStats(game, tuple(places)) for game, places in reversed(self.games.items()))
        met = tuple(Met(other, *counts) for other, counts in reversed(self.met.items()))
        return PlayerStats(re=re, name=name, games=games, opponents=met)
