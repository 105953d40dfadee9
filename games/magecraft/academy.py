"""The Academy: stacks of spells to learn, and gems for healing and shields."""

from __future__ import annotations

from games.magecraft.cards import CardSet, Spell, TableSetup
from games.magecraft.moves import COLOURS
from games.magecraft.views import AcademyView


class AcademyState:
    """The spells on offer with the number of copies left, and the gems.

    `gems` counts the gems of the four colours, and then the darkness gems beside the Academy. `left` has the number of
    copies left for each of `spells`.
    """

    __slots__ = ("gems", "left", "seen", "spells")

    def __init__(self, spells: list[Spell], left: list[int], gems: list[int]) -> None:
        self.spells, self.left, self.gems = tuple(spells), left, gems
        self.invalidate_view()

    @classmethod
    def set_up(cls, spells: list[Spell], table: TableSetup, *, darkness: bool) -> AcademyState:
        """Returns the Academy as it is before the first turn."""
        gems = [table.gems] * COLOURS + [table.darkness * darkness]
        return cls(spells, [table.copies] * len(spells), gems)

    def invalidate_view(self) -> None:
        """Marks the cached view as out of date."""
        self.seen: AcademyView | None = None

    def clone(self) -> AcademyState:
        copy = AcademyState.__new__(AcademyState)
        copy.spells, copy.left, copy.gems, copy.seen = self.spells, self.left[:], self.gems[:], self.seen
        return copy

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AcademyState):
            return False
        return self.spells == other.spells and self.left == other.left and self.gems == other.gems

    def has_copy(self, spell: Spell) -> bool:
        """Returns whether the Academy has a copy of the spell left."""
        return spell in self.spells and self.left[self.spells.index(spell)] > 0

    def take_copy(self, spell: Spell) -> None:
        self.left[self.spells.index(spell)] -= 1
        self.invalidate_view()

    def take_gem(self, gem: int) -> None:
        self.gems[gem] -= 1
        self.invalidate_view()


def academy_spells(cards: CardSet, extra: list[Spell]) -> list[Spell]:
    """Returns the base spells and then the extra spells, each in the order of the card file."""
    return cards.spells_of_kind("base") + sorted(extra, key=lambda spell: spell.index)
