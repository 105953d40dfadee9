"""A comparison in a folder: its question, and the results of each batch of deals. It continues from there after a kill.

The current batch is stored as two tournaments in subfolders, which are deleted once its deals count.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from client.language import _
from client.tournament.comparison import ComparisonPlan
from client.tournament.tournament_folder import TournamentFolderError

COMPARISON = "comparison.json"
# Fields of a plan that may change between two runs.
_MAY_CHANGE = ("concurrency", "local", "unconfined", "confined_by", "key", "where", "folder")


@dataclass
class ComparisonFolder:
    """The stored comparison. `batches` are the differences in each batch that both bots have played, `forfeits` the
    number of seats that each bot did not play to the end."""

    folder: Path
    duel: ComparisonPlan
    batches: list[list[float]] = field(default_factory=list)
    forfeits: dict[str, int] = field(default_factory=dict)

    def save(self) -> None:
        """Saves it so that only its owner can read it. Raises OSError."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        told = {"duel": self.duel, "batches": self.batches, "forfeits": self.forfeits}
        number, half = tempfile.mkstemp(dir=self.folder)
        with os.fdopen(number, "wb") as file:
            file.write(msgspec.json.encode(told))
        os.replace(half, self.folder / COMPARISON)

    def add(self, differences: Sequence[float], forfeits: dict[str, int]) -> None:
        """Adds a finished batch, and deletes its tournaments. Raises OSError."""
        number = len(self.batches) + 1
        self.batches.append(list(differences))
        self.forfeits = forfeits
        self.save()
        for side in range(2):
            shutil.rmtree(self.folder_of(number, side), ignore_errors=True)

    def folder_of(self, batch: int, side: int) -> Path:
        """Returns the folder of a batch's tournament: `side` is 0 for the new bot, 1 for the old one."""
        return self.folder / f"batch-{batch}-{('new', 'old')[side]}"


def kept_comparison(duel: ComparisonPlan, folder: Path, *, secret_is_given: bool) -> ComparisonFolder:
    """Returns the comparison in that folder with its results, or a new one. Fields that may change between two runs
    come from `duel`, and the secret comes from the folder unless one is given.

    Raises:
        TournamentFolderError: If the folder contains something else, or another comparison; the text says so.
        OSError: If the folder cannot be used.
    """
    file = folder / COMPARISON
    if not file.exists():
        if folder.exists() and any(folder.iterdir()):
            raise TournamentFolderError(
                _("{folder} holds other files; give --data an empty or a new folder.", folder=folder)
            )
        made = ComparisonFolder(folder, duel)
        made.save()
        return made
    try:
        told = msgspec.json.decode(file.read_bytes())
        kept = msgspec.convert(told["duel"], ComparisonPlan, dec_hook=_no_path)
        batches = msgspec.convert(told["batches"], list[list[float]])
        forfeits = msgspec.convert(told["forfeits"], dict[str, int])
    except (msgspec.MsgspecError, ValueError, KeyError, TypeError):
        raise TournamentFolderError(
            _("The comparison in {folder} cannot be read; nothing was changed.", folder=folder)
        ) from None
    plan = replace(kept.plan, **{name: getattr(duel.plan, name) for name in _MAY_CHANGE if name != "key"})
    asked = duel if secret_is_given else replace(duel, plan=replace(duel.plan, secret=kept.plan.secret))
    for name, value in _differing(kept, asked):
        raise TournamentFolderError(
            _("{folder} contains another comparison: its {name} is {value}.", folder=folder, name=name, value=value)
        )
    return ComparisonFolder(folder, replace(kept, plan=plan, most=duel.most), batches, forfeits)


def _differing(kept: ComparisonPlan, asked: ComparisonPlan) -> list[tuple[str, Any]]:
    """Returns the fields that differ, with their stored values."""
    found = [
        (name, getattr(kept, name))
        for name in ("new", "old", "field", "error", "elo0", "elo1")
        if getattr(kept, name) != getattr(asked, name)
    ]
    for name in ("game", "seats", "seed", "options", "clock", "secret"):
        value = getattr(kept.plan, name)
        if value != getattr(asked.plan, name):
            found.append((name, value if name != "secret" else _("another one")))
    return found


def _no_path(kind: type, value: object) -> object:
    return kind(value)
