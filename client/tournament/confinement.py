"""The confinement of a tournament's bots, described for people and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from client.language import N_, _
from client.processes.sandbox import obstacle
from client.tournament.specs import EntrantSpec

BUBBLEWRAP = "bubblewrap"
UNCONFINED = N_("not confined")


@dataclass(frozen=True)
class Confinement:
    """How the bots are confined. `by` is BUBBLEWRAP or UNCONFINED, and `why` is the reason for the latter. `is_safe` is
    False if foreign code would run without confinement. `shared` are folders that contain files of several entrants."""

    by: str
    why: str = ""
    is_safe: bool = True
    shared: tuple[Path, ...] = ()

    @property
    def text(self) -> str:
        """One line for people."""
        if self.by == BUBBLEWRAP:
            text = _("Confinement: bubblewrap, one sandbox for each process of a bot that is not a house bot.")
            if self.shared:
                text += _(
                    " Several entrants have their files in {folders} and can read each other's. Give each entrant "
                    "its own folder.",
                    folders=", ".join(map(str, self.shared)),
                )
            return text
        return _("Confinement: not confined. {why}", why=self.why)


def confinement_of(specs: Iterable[EntrantSpec], *, together: bool = False) -> Confinement:
    """Returns the confinement of these entrants on this machine. `together` means that one process plays all of
    them."""
    specs = list(specs)
    if not any(spec.runs_foreign_code for spec in specs):
        return Confinement(UNCONFINED, _("All bots that run here are house bots."))
    if together:
        return Confinement(
            UNCONFINED,
            _("Bots that play without sockets can do everything that you can do, so you must trust each of them."),
        )
    if why := obstacle():
        return Confinement(UNCONFINED, why, is_safe=False)
    entered = {spec.files for spec in specs}  # one file may be entered with several options
    folders = Counter(folder for files in entered for folder in {file.parent for file in files if file.is_file()})
    return Confinement(BUBBLEWRAP, shared=tuple(sorted(folder for folder, count in folders.items() if count > 1)))
