"""What a tournament is to be: everything in its result follows from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from games.registry import get_game
from protocol.messages import ClockRule
from tournaments.cup import Settings
from tournaments.schedule import copies


@dataclass(frozen=True)
class Plan:
    """What the command line asks for; everything in the result follows from it."""

    game: str
    bots: tuple[str, ...]
    seats: int
    rounds: int
    seed: int
    secret: bytes
    options: dict[str, Any] = field(default_factory=dict)
    clock: ClockRule = field(default_factory=ClockRule)
    concurrency: int = 4
    tolerate: bool = False  # go on without entrants that cannot start
    format: str = "round_robin"
    deals: str = "fresh"
    rank_by: str = "score"
    host: str = "127.0.0.1"  # where its server listens, for entrants from elsewhere and those who look on
    port: int = 0
    where: str = ""  # the folder that paths of entrants start from
    folder: Path | None = None  # where it is kept, so that it can go on after a kill
    local: bool = False  # played without sockets, by processes that play whole matches
    workers: str = ""  # a Dask scheduler that has the matches played, HOST:PORT; "": this machine
    unconfined: bool = False  # play even where nothing confines bots that need it
    confined_by: tuple[str, ...] = ()  # what did, each time that it was played
    key: bytes = b""  # which the tokens of its players come from

    @property
    def processes(self) -> int:
        """How many each entrant has: one for each table that it can play at once, or seat at a table."""
        entrants = len(self.bots)
        return max(copies(entrants, self.seats), -(-self.concurrency * self.seats // entrants))

    def settings(self) -> Settings:
        """As the server opens it."""
        game = get_game(self.game)
        return Settings(
            cup="cup",
            owner="",
            game=self.game,
            seats=self.seats,
            clock=self.clock,
            format=self.format,
            deals=self.deals,
            rounds=self.rounds,
            seed=self.seed,
            secret=self.secret,
            options=self.options,
            at_once=self.concurrency,
            rules=game.rules_version,
            cards=game.cards_digest,
            rank_by=self.rank_by,
        )
