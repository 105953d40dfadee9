"""The roster of a tournament: its entrants, their players and their processes. Also the outcome of playing it."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from bots.sdk.seeds import bot_seed
from client.processes.sandbox import sandbox_error
from client.tournament.entrants import EntrantProcess
from client.tournament.local_match import BotSetup
from client.tournament.plan import TournamentPlan
from client.tournament.specs import EntrantSpec, entrant_labels, parse_entrant, player_names
from tournaments.cup import Cup

# short, because a local connection is back at once or never; the value is part of replays, also with --local
GRACE_SECONDS = 5.0
LOGS = "logs"  # folder for the bots' stderr output, one file per player

OnMatch: TypeAlias = Callable[[int, int], None]
"""Called with the number of finished matches, and the number of all matches."""


@dataclass(frozen=True)
class CupOutcome:
    """A cup, as far as it was played. `not_started` has the entrants that could not start; `words` has, by entrant, the
    last output of bots that failed."""

    cup: Cup
    interrupted: bool
    not_started: tuple[str, ...]
    words: dict[str, str] = field(default_factory=dict)
    failure: str = ""  # a sentence that says why the tournament cannot continue; "" if it can


@dataclass(frozen=True)
class Roster:
    """The roster of a tournament. Each list has one item per entrant: its spec, its label, the seed of its random
    numbers, and the names of its players. `ours` has the process of each player whose bot runs on this machine, by
    name."""

    game: str
    specs: list[EntrantSpec]
    labels: list[str]
    seeds: list[int]
    players: list[list[str]]
    ours: dict[str, EntrantProcess]

    @property
    def bot_setups(self) -> list[BotSetup]:
        """The bot of each entrant, as a match without sockets takes it."""
        pairs = zip(self.specs, self.seeds, strict=True)
        return [BotSetup(spec.bot, spec.options, seed, self.game) for spec, seed in pairs]


def build_roster(plan: TournamentPlan) -> Roster:
    """Returns the roster of a plan. Raises BadEntrant."""
    specs = [parse_entrant(text) for text in plan.bots]
    labels = entrant_labels(specs)
    most = max(plan.processes_per_entrant, *(spec.tables for spec in specs))
    players = [
        [spec.remote] if spec.remote else names[: spec.tables or plan.processes_per_entrant]
        for spec, names in zip(specs, player_names(labels, most, (spec.remote for spec in specs)), strict=True)
    ]
    seeds = entrant_seeds(plan, len(specs))
    ours = {
        name: _entrant(plan, spec, name, seed, _of_others(spec, specs))
        for spec, names, seed in zip(specs, players, seeds, strict=True)
        for name in (() if spec.remote else names)
    }
    return Roster(plan.game, specs, labels, seeds, players, ours)


def entrant_seeds(plan: TournamentPlan, entrants: int) -> list[int]:
    """Returns the seed of each entrant's random numbers.

    The seeds are derived from the tournament's secret. If they came from its public seed, an entrant could compute the
    secret choices of others.
    """
    secret = hmac.new(plan.secret, b"entrants", hashlib.sha256).hexdigest()
    return [bot_seed(plan.seed, "entrant", number, secret) for number in range(entrants)]


def _of_others(own: EntrantSpec, specs: Iterable[EntrantSpec]) -> list[Path]:
    """Returns the files of the other entrants, and their folders except those that contain files of this one."""
    files = {file for spec in specs for file in spec.files} - set(own.files)
    folders = {file.parent for file in files} - {folder for file in own.files for folder in file.parents}
    return sorted(files | folders)


def _entrant(
    plan: TournamentPlan, spec: EntrantSpec, name: str, seed: int, of_others: Sequence[Path]
) -> EntrantProcess:
    return EntrantProcess(
        spec,
        name,
        seed,
        plan.game,
        confined=not sandbox_error(),
        log=plan.folder / LOGS / f"{name}.txt" if plan.folder is not None else None,
        private=(*filter(None, [plan.folder, Path(plan.tls_key) if plan.tls_key else None]), *of_others),
        host=plan.host or TournamentPlan.host,
        token=hmac.new(plan.key, name.encode(), hashlib.sha256).hexdigest()[:32],
    )
