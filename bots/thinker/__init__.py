"""thinker: a bot that samples states with random hidden cards, tries its actions in each of them, plays some turns on
from there, and chooses the action with the best mean value.
"""

from __future__ import annotations

from dataclasses import replace

from bots.sdk import Bot, Turn
from bots.thinker.arena import ArenaGuide
from bots.thinker.magic import MagicGuide
from bots.thinker.race import RaceGuide
from bots.thinker.search import Guide, SearchBudget, best_action
from games.api import Action

DECISIONS_TO_COME = 20  # a decision may take the time left on the clock, divided by this number

GUIDES: dict[str, Guide] = {
    "ikasamage": ArenaGuide(),
    "cheaty-mages": ArenaGuide(),
    "mages-110m": RaceGuide(),
    "magecraft": MagicGuide(),
}


class Thinker(Bot):
    """Thinks ahead for half a second, or `seconds`; for less where its clock is short."""

    games = tuple(GUIDES)
    wants = ("view", "legal", "knowledge")

    def __init__(self, seed: int, seconds: float = 0.5, worlds: int = 0) -> None:
        super().__init__(seed)
        self._budget = SearchBudget(float(seconds), int(worlds))

    def choose(self, turn: Turn) -> Action:
        if len(turn.legal) == 1:
            return turn.legal[0]
        return best_action(turn, GUIDES[turn.game.id], self._within(turn.clock), self.rng)

    def _within(self, clock: float) -> SearchBudget:
        """Returns the budget of a decision with `clock` seconds left, shortened so that enough time remains for later
        decisions."""
        return replace(self._budget, seconds=min(self._budget.seconds, clock / DECISIONS_TO_COME))


class Hasty(Thinker):
    """Looks at few worlds, and counts them, so that a match can be repeated however busy the machine is."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, worlds=8)


BOTS = {"thinker": Thinker, "thinker:easy": Hasty}
