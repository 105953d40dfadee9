"""The plan of a tournament: all settings that determine its result."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from games.registry import get_game
from protocol.messages import ClockRule
from tournaments.cup import CupSettings
from tournaments.schedule import max_seats_per_entrant


@dataclass(frozen=True)
class TournamentPlan:
    """The settings of a tournament. They determine its result."""

    game: str
    bots: tuple[str, ...]
    seats: int
    rounds: int
    seed: int
    secret: bytes
    options: dict[str, Any] = field(default_factory=dict)
    clock: ClockRule = field(default_factory=ClockRule)
    concurrency: int = 4
    tolerate: bool = False  # whether to continue without the entrants that cannot start
    format: str = "round_robin"
    deals: str = "fresh"
    rank_by: str = "score"
    host: str = "127.0.0.1"  # the address of the tournament's server, to which remote entrants and spectators connect
    port: int = 0
    # the server's certificate; together with its key file, all connections use TLS, including those of the entrants
    # here
    tls_cert: str = ""
    tls_key: str = ""
    where: str = ""  # the folder from which relative paths of entrants start
    folder: Path | None = None  # where the tournament is stored, so that it can continue after a kill; None: nowhere
    local: bool = False  # whether it is played without sockets, by processes that play whole matches
    workers: str = ""  # address of a Dask scheduler, HOST:PORT; "": this machine
    unconfined: bool = False  # whether to play even if nothing confines foreign code
    confined_by: tuple[str, ...] = ()  # how its bots were confined, once per run of the tournament
    key: bytes = b""  # the secret from which the tokens of its players are derived

    @property
    def processes_per_entrant(self) -> int:
        """The number of processes per entrant, which is enough for all tables at a time and for all its seats at one
        table."""
        entrants = len(self.bots)
        return max(max_seats_per_entrant(entrants, self.seats), -(-self.concurrency * self.seats // entrants))

    def cup_settings(self) -> CupSettings:
        """Returns the settings of the cup that this tournament is."""
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
