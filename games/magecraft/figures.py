"""The figures of a card file: life, bag, score, hands, and how many spells there are of each set."""

from __future__ import annotations

from functools import cached_property

import msgspec

MOST_GEMS = 20  # of a life or a bag at the start
MOST_SCORE = 99
MOST_IN_HAND = 12
MOST_BASES = 12
BOOKS = 3
MOST_SPELLS = 200  # academy spells in a file


class Colours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many gems of each colour; one that is left out is not there."""

    fire: int = 0
    water: int = 0
    earth: int = 0
    light: int = 0

    @property
    def counts(self) -> list[int]:
        """In the order of moves.GEMS, darkness too, of which there is none."""
        return [self.fire, self.water, self.earth, self.light, 0]


class Mages(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The section `[mages]`. What is left out is as it is printed."""

    life: Colours = Colours(3, 3, 3, 3)  # at the start, and never more gems than these
    bag: Colours = Colours(3, 3, 3, 3)
    score: int = 20  # wins
    hand: int = 4  # gems drawn at the end of a turn
    drawn: tuple[int, ...] = (4, 4, 4, 5)  # gems of the starting hands, in turn order,
    kept: tuple[int, ...] = (2, 3, 4, 4)  # and how many of them stay
    starters: int = 3  # spells with which the first books begin
    base: int = 3  # spells that are always on offer,
    offered: int = 9  # and academy spells beside them

    @cached_property
    def full(self) -> int:
        """Gems of a life that is full."""
        return sum(self.life.counts)

    def fault(self, seats: int) -> str | None:
        """Why nobody can play so with up to that many seats."""
        for name, gems in (("life", self.life.counts), ("bag", self.bag.counts)):
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
        most = min(MOST_IN_HAND, sum(self.bag.counts))
        if any(not 0 <= kept <= drawn for drawn, kept in zip(self.drawn, self.kept, strict=True)):
            return "kept is 0 to as many gems as are drawn"
        if max(self.drawn[:seats]) > most:
            return f"drawn is at most {most}: a starting hand comes out of the bag"
        return None


PRINTED = Mages()
