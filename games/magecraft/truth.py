"""The full state of a match: the mages, the Academy and the turn."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.api import Action, Game, Seat
from games.chance import Chance
from games.magecraft.academy import AcademyState
from games.magecraft.cards import CardSet
from games.magecraft.mage import Mage
from games.magecraft.options import MagecraftOptions
from games.magecraft.turn import TurnProgress


@dataclass(slots=True)
class MagecraftTruth:
    """The full state of a match. Fields with `compare=False` are caches."""

    game: Game = field(compare=False)
    cards: CardSet
    options: MagecraftOptions
    seats: int
    chance: Chance
    first: Seat
    mages: list[Mage]  # in seat order
    academy: AcademyState
    turn: TurnProgress
    round: int = 0
    fallen: list[Seat] = field(default_factory=list)  # the eliminated seats, in order of elimination
    reason: str = ""
    # cached: the legal actions of the seat whose turn it is; None if they must be computed
    choices: tuple[Action, ...] | None = field(default=None, compare=False)

    def invalidate_legal_actions(self) -> None:
        """Marks the cached legal actions as out of date. The mages and the Academy have `invalidate` methods of their
        own for their views."""
        self.choices = None
