"""Who plays in a tournament, under which names; and what is heard of it, however it is played."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from bots.sdk.seeds import bot_seed
from client.processes.sandbox import obstacle
from client.tournament.entrants import Entrant
from client.tournament.local_match import Playing
from client.tournament.plan import Plan
from client.tournament.specs import Spec, entrant_from, labels_for, names_for
from tournaments.cup import Cup

GRACE_SECONDS = 5.0  # on this machine a connection is back at once, or never; replays tell it, those of --local too
LOGS = "logs"  # what its bots wrote to stderr, a file a player

OnMatch: TypeAlias = Callable[[int, int], None]
"""Is told how many matches are done, and of how many."""


@dataclass(frozen=True)
class Held:
    """The cup as far as it was played. `not_started` are entrants that could not; `words` what bots raised, by
    entrant."""

    cup: Cup
    interrupted: bool
    not_started: tuple[str, ...]
    words: dict[str, str] = field(default_factory=dict)
    failure: str = ""  # why it cannot go on


@dataclass(frozen=True)
class Cast:
    """Who plays which game: for each entrant of the plan what was written of it, what it is called, the seed of its
    chance and the names of its players; and by these names, those whose processes are ours."""

    game: str
    specs: list[Spec]
    labels: list[str]
    seeds: list[int]
    players: list[list[str]]
    ours: dict[str, Entrant]

    @property
    def playing(self) -> list[Playing]:
        """The bot of each entrant."""
        pairs = zip(self.specs, self.seeds, strict=True)
        return [Playing(spec.bot, spec.options, seed, self.game) for spec, seed in pairs]


def cast_of(plan: Plan) -> Cast:
    """Raises BadEntrant."""
    specs = [entrant_from(text) for text in plan.bots]
    labels = labels_for(specs)
    most = max(plan.processes, *(spec.tables for spec in specs))
    players = [
        [spec.remote] if spec.remote else names[: spec.tables or plan.processes]
        for spec, names in zip(specs, names_for(labels, most, (spec.remote for spec in specs)), strict=True)
    ]
    seeds = seeds_of(plan, len(specs))
    ours = {
        name: _entrant(plan, spec, name, seed, _of_others(spec, specs))
        for spec, names, seed in zip(specs, players, seeds, strict=True)
        for name in (() if spec.remote else names)
    }
    return Cast(plan.game, specs, labels, seeds, players, ours)


def seeds_of(plan: Plan, entrants: int) -> list[int]:
    """Of each entrant's chance: the tournament's secret has a part in them, for its seed is told, or guessed, and with
    the seeds of the others one would know what they choose in secret."""
    secret = hmac.new(plan.secret, b"entrants", hashlib.sha256).hexdigest()
    return [bot_seed(plan.seed, "entrant", number, secret) for number in range(entrants)]


def _of_others(own: Spec, specs: Iterable[Spec]) -> list[Path]:
    """Files of the other entrants, and their folders, unless something of this one is in there."""
    files = {file for spec in specs for file in spec.files} - set(own.files)
    folders = {file.parent for file in files} - {folder for file in own.files for folder in file.parents}
    return sorted(files | folders)


def _entrant(plan: Plan, spec: Spec, name: str, seed: int, of_others: Sequence[Path]) -> Entrant:
    return Entrant(
        spec,
        name,
        seed,
        plan.game,
        confined=not obstacle(),
        log=plan.folder / LOGS / f"{name}.txt" if plan.folder is not None else None,
        private=(*filter(None, [plan.folder, Path(plan.tls_key) if plan.tls_key else None]), *of_others),
        host=plan.host or Plan.host,
        token=hmac.new(plan.key, name.encode(), hashlib.sha256).hexdigest()[:32],
    )
