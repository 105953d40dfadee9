"""The whole truth of one match: the mages, the Academy and the turn, and what binds them together."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.api import Action, Game, Seat
from games.chance import Chance
from games.magecraft.academy import Academy
from games.magecraft.cards import CardSet
from games.magecraft.mage import Mage
from games.magecraft.options import MagecraftOptions
from games.magecraft.turn import Turn


@dataclass(slots=True)
class MagecraftTruth:
    """One match. What is marked `compare=False` is only remembered from the rest to answer faster."""

    game: Game = field(compare=False)
    cards: CardSet
    options: MagecraftOptions
    seats: int
    chance: Chance
    first: Seat
    mages: list[Mage]  # in seat order
    academy: Academy
    turn: Turn
    round: int = 0
    fallen: list[Seat] = field(default_factory=list)  # eliminated seats, the first to fall first
    reason: str = ""
    choices: tuple[Action, ...] | None = field(default=None, compare=False)  # of the seat whose turn it is

    def touch(self) -> None:
        """Something changed: what may be done is worked out anew when it is next asked for.

        Views are kept by the mages and the Academy, which have a `touch` of their own.
        """
        self.choices = None
