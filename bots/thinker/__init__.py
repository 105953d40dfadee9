"""thinker: imagines what it cannot see, tries what it may do in many such worlds, and plays each on for a while."""

from __future__ import annotations

from bots.sdk import Bot, Turn
from bots.thinker.arena import ArenaGuide
from bots.thinker.magic import MagicGuide
from bots.thinker.race import RaceGuide
from bots.thinker.search import Budget, Guide, best_action
from games.api import Action

GUIDES: dict[str, type[Guide]] = {
    "ikasamage": ArenaGuide,
    "cheaty-mages": ArenaGuide,
    "mages-110m": RaceGuide,
    "magecraft": MagicGuide,
}


class Thinker(Bot):
    """Thinks for `seconds` about a move, less where its clock wants it."""

    games = tuple(GUIDES)
    wants = ("view", "legal", "knowledge")

    def __init__(self, seed: int, seconds: float = 0.5, worlds: int = 0) -> None:
        super().__init__(seed)
        self._budget = Budget(float(seconds), int(worlds))
        self._guide: Guide | None = None

    def choose(self, turn: Turn) -> Action:
        if len(turn.legal) == 1:
            return turn.legal[0]
        if self._guide is None:
            self._guide = GUIDES[turn.game.id]()
        return best_action(turn, self._guide, self._budget, self.rng)


BOTS = {"thinker": Thinker}
