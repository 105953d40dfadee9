"""The figures in a card file: the life, bag, score and hands of a mage, and the numbers of spells."""

from __future__ import annotations

from functools import cached_property

import msgspec

MOST_GEMS = 20  # the largest life or bag at the start
MOST_SCORE = 99  # the largest score that can be set as the winning one
MOST_IN_HAND = 12
MOST_BASES = 12
BOOKS = 3
MOST_SPELLS = 200  # the largest number of academy spells in a file


class ColourCounts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The number of gems of each colour, 0 by default."""

    fire: int = 0
    water: int = 0
    earth: int = 0
    light: int = 0

    @property
    def gem_counts(self) -> list[int]:
        """Returns the counts in the order of `moves.GEMS`, with 0 for darkness."""
        return [self.fire, self.water, self.earth, self.light, 0]


class MageFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The section `[mages]` of a card file, with the printed values as defaults."""

    life: ColourCounts = ColourCounts(3, 3, 3, 3)  # the life at the start, which is also the largest life
    bag: ColourCounts = ColourCounts(3, 3, 3, 3)
    score: int = 20  # the number of gems in the score that wins
    hand: int = 4  # the number of gems drawn at the end of a turn
    drawn: tuple[int, ...] = (4, 4, 4, 5)  # the number of gems drawn for each starting hand, in turn order
    kept: tuple[int, ...] = (2, 3, 4, 4)  # the number of these gems that the mage keeps
    starters: int = 3  # the number of starter spells of each mage
    base: int = 3  # the number of base spells, which are always on offer
    offered: int = 9  # the number of academy spells on offer

    @cached_property
    def full_life(self) -> int:
        """Returns the number of gems in a full life."""
        return sum(self.life.gem_counts)

    def find_fault(self, seats: int) -> str | None:
        """Returns the reason why these figures cannot be played with this number of seats; None if they can."""
        for name, gems in (("life", self.life.gem_counts), ("bag", self.bag.gem_counts)):
            if min(gems) < 0 or not 1 <= sum(gems) <= MOST_GEMS:
                return f"a {name} holds 1 to {MOST_GEMS} gems, and of no colour fewer than none"
        for name, value, least, most in (
            ("score", self.score, 1, MOST_SCORE),
            ("hand", self.hand, 1, MOST_IN_HAND),
            ("starters", self.starters, 1, BOOKS),
            ("base", self.base, 0, MOST_BASES),
            ("offered", self.offered, 0, MOST_SPELLS),
        ):
            if not least <= value <= most:
                return f"{name} is {least} to {most}"
        if len(self.drawn) != len(self.kept) or len(self.drawn) < seats:
            return f"drawn and kept are lists of equal length, with a number for each of {seats} mages in turn order"
        most = min(MOST_IN_HAND, sum(self.bag.gem_counts))
        if any(not 0 <= kept <= drawn for drawn, kept in zip(self.drawn, self.kept, strict=True)):
            return "kept is 0 to as many gems as are drawn"
        if max(self.drawn[:seats]) > most:
            return f"drawn is at most {most}: a starting hand comes out of the bag"
        return None


PRINTED = MageFigures()
