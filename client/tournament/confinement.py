"""How the bots of a tournament are confined, described for people and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from client.language import N_, _
from client.processes.sandbox import sandbox_error
from client.tournament.specs import EntrantSpec

BUBBLEWRAP = "bubblewrap"
UNCONFINED = N_("not confined")


@dataclass(frozen=True)
class Confinement:
    """How the bots are confined. `by` is BUBBLEWRAP or UNCONFINED, and `why` says why it is UNCONFINED. `is_safe` is
    False if foreign code would run without confinement. `shared` has the folders in which several entrants have their
    files."""

    by: str
    why: str = ""
    is_safe: bool = True
    shared: tuple[Path, ...] = ()

    @property
    def description(self) -> str:
        """The confinement as one line of text."""
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


def choose_confinement(specs: Iterable[EntrantSpec], *, together: bool = False) -> Confinement:
    """Returns how this machine would confine these entrants. `together` means that one process plays all entrants of a
    match."""
    specs = list(specs)
    if not any(spec.runs_foreign_code for spec in specs):
        return Confinement(UNCONFINED, _("All bots that run here are house bots."))
    if together:
        return Confinement(
            UNCONFINED,
            _("Bots that play without sockets can do everything that you can do, so you must trust each of them."),
        )
    if why := sandbox_error():
        return Confinement(UNCONFINED, why, is_safe=False)
    entered = {spec.files for spec in specs}  # a file that is entered several times with different options counts once
    folders = Counter(folder for files in entered for folder in {file.parent for file in files if file.is_file()})
    return Confinement(BUBBLEWRAP, shared=tuple(sorted(folder for folder, count in folders.items() if count > 1)))
