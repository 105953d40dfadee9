"""What confines the bots of a tournament, in words that people and reports are told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from client.language import N_, _
from client.processes.sandbox import obstacle
from client.tournament.specs import Spec

BUBBLEWRAP = "bubblewrap"
UNCONFINED = N_("not confined")


@dataclass(frozen=True)
class Confinement:
    """`by` is BUBBLEWRAP or UNCONFINED; `why` it is not, as a sentence; `is_safe` where nothing has to be."""

    by: str
    why: str = ""
    is_safe: bool = True

    @property
    def text(self) -> str:
        """One line on it."""
        if self.by == BUBBLEWRAP:
            return _("Confinement: bubblewrap, one sandbox for each process of a bot that is not the house's.")
        return _("Confinement: not confined. {why}", why=self.why)


def confinement_of(specs: Iterable[Spec], *, together: bool = False) -> Confinement:
    """What confines these entrants here; `together` are those of which one process plays all."""
    if not any(spec.runs_foreign_code for spec in specs):
        return Confinement(UNCONFINED, _("All bots that run here are the house's."))
    if together:
        return Confinement(UNCONFINED, _("Bots that play without sockets can do all that you can: trust each of them."))
    if why := obstacle():
        return Confinement(UNCONFINED, why, is_safe=False)
    return Confinement(BUBBLEWRAP)
