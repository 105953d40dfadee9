"""The plan of a tournament, which determines its result."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from games.registry import get_game
from protocol.messages import ClockRule
from tournaments.cup import CupSettings
from tournaments.schedule import copies


@dataclass(frozen=True)
class TournamentPlan:
    """The options of a tournament, which determine its result."""

    game: str
    bots: tuple[str, ...]
    seats: int
    rounds: int
    seed: int
    secret: bytes
    options: dict[str, Any] = field(default_factory=dict)
    clock: ClockRule = field(default_factory=ClockRule)
    concurrency: int = 4
    tolerate: bool = False  # continue without entrants that cannot start
    format: str = "round_robin"
    deals: str = "fresh"
    rank_by: str = "score"
    host: str = "127.0.0.1"  # address of its server, for remote entrants and spectators
    port: int = 0
    tls_cert: str = ""  # with both files all connections use TLS, including those of our own entrants
    tls_key: str = ""
    where: str = ""  # base folder of the entrants' relative paths
    folder: Path | None = None  # where it is stored, so that it can continue after a kill
    local: bool = False  # without sockets, by processes that play whole matches
    workers: str = ""  # address of a Dask scheduler, HOST:PORT; "": this machine
    unconfined: bool = False  # play even if nothing confines foreign bots
    confined_by: tuple[str, ...] = ()  # the confinement each time that it was played
    key: bytes = b""  # source of its players' tokens

    @property
    def processes(self) -> int:
        """The number of processes per entrant: one for each table at a time, or for each of its seats at a table."""
        entrants = len(self.bots)
        return max(copies(entrants, self.seats), -(-self.concurrency * self.seats // entrants))

    def settings(self) -> CupSettings:
        """Returns the settings of its cup."""
        game = get_game(self.game)
        return CupSettings(
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
