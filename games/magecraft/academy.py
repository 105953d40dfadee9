"""The Academy: spells to learn in stacks, and gems for healing and shields."""

from __future__ import annotations

from games.magecraft.cards import CardSet, Spell
from games.magecraft.moves import COLOURS
from games.magecraft.views import Academy as AcademyView
from games.magecraft.views import Gems, Stack


class Academy:
    """`gems` counts the four colours and, last, the darkness gems beside the Academy; `left` goes with `spells`."""

    __slots__ = ("_seen", "gems", "left", "spells")

    def __init__(self, spells: list[Spell], copies: int, gems: int, darkness: int) -> None:
        self.spells = tuple(spells)
        self.left = [copies] * len(spells)
        self.gems = [gems] * COLOURS + [darkness]
        self._seen: AcademyView | None = None

    def clone(self) -> Academy:
        copy = Academy.__new__(Academy)
        copy.spells, copy.left, copy.gems, copy._seen = self.spells, self.left[:], self.gems[:], self._seen
        return copy

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Academy):
            return False
        return self.spells == other.spells and self.left == other.left and self.gems == other.gems

    __hash__ = None  # type: ignore[assignment]

    def has(self, spell: Spell) -> bool:
        """Whether a copy is left to learn."""
        return spell in self.spells and self.left[self.spells.index(spell)] > 0

    def take_copy(self, spell: Spell) -> None:
        self.left[self.spells.index(spell)] -= 1
        self._seen = None

    def take_gem(self, gem: int) -> None:
        self.gems[gem] -= 1
        self._seen = None

    def view(self) -> AcademyView:
        if self._seen is None:
            stacks = tuple(Stack(spell.name, left) for spell, left in zip(self.spells, self.left, strict=True))
            self._seen = AcademyView(Gems(*self.gems), stacks)
        return self._seen


def stacks_for(cards: CardSet, extra: list[Spell]) -> list[Spell]:
    """The base spells and those dealt for this match, each group in the order of the card file."""
    return cards.of_kind("base") + sorted(extra, key=lambda spell: spell.index)
