"""Stores a comparison in a folder: its question, and the results of each batch of deals. After a kill it continues from
these.

The current batch is stored as two tournaments in subfolders, which are deleted once the results of the batch are
stored.
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
# Fields of a plan that may differ between two runs of the same comparison.
_MAY_CHANGE = ("concurrency", "local", "unconfined", "confined_by", "key", "where", "folder")


@dataclass
class ComparisonFolder:
    """A stored comparison. `batches` has the difference in each deal, batch by batch; `forfeits` has, by bot, the
    number of seats that it did not play to the end."""

    folder: Path
    duel: ComparisonPlan
    batches: list[list[float]] = field(default_factory=list)
    forfeits: dict[str, int] = field(default_factory=dict)

    def save(self) -> None:
        """Saves the comparison in a file that only its owner can read. Raises OSError."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        told = {"duel": self.duel, "batches": self.batches, "forfeits": self.forfeits}
        number, half = tempfile.mkstemp(dir=self.folder)
        with os.fdopen(number, "wb") as file:
            file.write(msgspec.json.encode(told))
        os.replace(half, self.folder / COMPARISON)

    def add_batch(self, differences: Sequence[float], forfeits: dict[str, int]) -> None:
        """Adds the results of a finished batch, and deletes the batch's two tournaments. Raises OSError."""
        number = len(self.batches) + 1
        self.batches.append(list(differences))
        self.forfeits = forfeits
        self.save()
        for side in range(2):
            shutil.rmtree(self.tournament_folder(number, side), ignore_errors=True)

    def tournament_folder(self, batch: int, side: int) -> Path:
        """Returns the folder of one tournament of a batch: that of the new bot if `side` is 0, of the old bot if it is
        1."""
        return self.folder / f"batch-{batch}-{('new', 'old')[side]}"


def open_comparison(duel: ComparisonPlan, folder: Path, *, secret_is_given: bool) -> ComparisonFolder:
    """Returns the comparison that the folder contains, with its results, or a new one. Fields that may differ between
    two runs come from `duel`. The secret comes from the folder unless `secret_is_given`.

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
    """Returns the names of the fields in which the two plans differ, with the stored values."""
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
