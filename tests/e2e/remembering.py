"""Bots that raise if they know anything of an earlier match: from their memory, or from a file."""

from __future__ import annotations

from pathlib import Path

from bots.sdk import Bot, Turn
from games.api import Action

PLAYED: list[Bot] = []
NOTES = [Path.home() / "seen", Path("seen"), Path("/var/tmp/magehall-seen"), Path("/dev/shm/magehall-seen")]


class Remembering(Bot):
    """Has a memory of its own."""

    def choose(self, turn: Turn) -> Action:
        if self not in PLAYED:
            PLAYED.append(self)
        assert len(PLAYED) == 1, "it remembers"
        return turn.legal[0]


class Noting(Bot):
    """Leaves notes wherever it can."""

    found: list[Path] | None = None

    def choose(self, turn: Turn) -> Action:
        if self.found is None:
            self.found = [note for note in NOTES if note.exists()]
            self._note()
        assert not self.found, f"it finds {self.found}"
        return turn.legal[0]

    def _note(self) -> None:
        for note in NOTES:
            try:
                note.write_text("seen")
            except OSError:
                continue
