"""Bots that a test can look into afterwards."""

from __future__ import annotations

from bots.sdk import Bot, Turn
from games.api import Action, Event, Outcome


class Notes(Bot):
    """Plays its highest card and notes all that it hears."""

    heard: list[object]

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.heard = []

    def hear(self, event: Event) -> None:
        self.heard.append(event)

    def choose(self, turn: Turn) -> Action:
        self.heard.append((turn.number, turn.view, tuple(turn.legal)))
        return turn.legal[-1]

    def end(self, outcome: Outcome) -> None:
        self.heard.append(outcome)


def keeping(kind: type[Bot], made: list[Bot]) -> type[Bot]:
    """The same bot, its instances kept in a list."""

    class Kept(kind):  # type: ignore[misc, valid-type]  # a base known only when the test runs
        def __init__(self, seed: int) -> None:
            super().__init__(seed)
            made.append(self)

    return Kept
