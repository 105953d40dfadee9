"""Bots that raise if they know anything of an earlier match: from their memory, or from a file."""

from __future__ import annotations

from pathlib import Path

from bots.sdk import Bot, Turn
from games.api import Action

MADE: list[int] = []
NOTES = [Path.home() / "seen", Path("seen"), Path("/var/tmp/magehall-seen"), Path("/dev/shm/magehall-seen")]


class Remembering(Bot):
    """Has a memory of its own."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        MADE.append(seed)

    def choose(self, turn: Turn) -> Action:
        assert len(MADE) == 1, "it remembers"
        return turn.legal[0]


class Noting(Bot):
    """Leaves notes wherever it can."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.found = [note for note in NOTES if note.exists()]
        for note in NOTES:
            try:
                note.write_text("seen")
            except OSError:
                continue

    def choose(self, turn: Turn) -> Action:
        assert not self.found, f"it finds {self.found}"
        return turn.legal[0]
