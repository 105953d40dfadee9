"""The values of spells and books for a mage with given preferences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from games.magecraft.cards import CardSet, Spell
from games.magecraft.gems import full_bag_hands, pay_spell, wanted_gems
from games.magecraft.moves import COLOURS

SPARE_GEM = 0.2  # the value of a gem that is left after casting, because it may pay for learning


@dataclass(frozen=True)
class MagePreferences:
    """The preferences of a mage: the value of each kind of icon, and how much later turns count when a spell is
    learned."""

    draw: float
    attack: float
    heal: float
    shield: float
    vanish: float
    darkness: float
    length: int  # the expected length of a match in turns
    patience: float  # how much a spell's value in one later turn counts, compared to the current turn

    @cached_property
    def icon_values(self) -> tuple[float, ...]:
        return (self.draw, self.attack, self.heal, self.shield, self.vanish, self.darkness)


class BookEvaluator:
    """Evaluates books for one card set and the preferences of one mind. It caches the values, because the same books
    occur again and again."""

    def __init__(self, cards: CardSet, mind: MagePreferences) -> None:
        self._cards, self._hand = cards, cards.mages.hand
        fresh = full_bag_hands(cards.mages)
        self._hands, self._likely = [hand for hand, _ in fresh], [chance for _, chance in fresh]
        self._spells = [self.spell_value(spell, mind.icon_values) for spell in cards.spells]
        self._books: dict[tuple[int, ...], tuple[float, ...]] = {}

    def spell_value(self, spell: Spell, icons: Sequence[float]) -> float:
        return sum(times * worth for times, worth in zip(spell.icons, icons, strict=True))

    def book_values(self, copies: tuple[int, ...]) -> tuple[float, ...]:
        """Returns the value of reading a book with each possible fresh hand of gems. A copy of a spell is written as
        twice the spell's index, plus one if it is mastered."""
        found = self._books.get(copies)
        if found is None:
            if len(self._books) > 50_000:
                self._books.clear()
            needs = [wanted_gems(self._cards, copies, place + 1) for place in range(len(copies))]
            found = self._books[copies] = tuple([self._read(copies, needs, hand) for hand in self._hands])
        return found

    def board_value(self, books: Sequence[tuple[int, ...]]) -> float:
        """Returns the expected value of a turn with a random fresh hand, in which the best of the three books is
        read."""
        first, second, third = books
        best = map(max, self.book_values(first), self.book_values(second), self.book_values(third))
        return sum([chance * each for chance, each in zip(self._likely, best, strict=True)])

    def _read(self, copies: tuple[int, ...], needs: Sequence[Sequence[int]], hand: tuple[int, ...]) -> float:
        """Returns the value of reading the book with that hand. `needs` has for each spell the gems that the two spells
        after it need, so that the others are spent first."""
        left, best, got = list(hand), SPARE_GEM * self._hand, 0.0
        for place, copy in enumerate(copies):
            spell = self._cards.spells[copy >> 1]
            if not pay_spell(spell, left, needs[place]):
                break
            got += self._spells[copy >> 1]
            left[COLOURS] += spell.icons[0]  # a drawn gem of unknown colour counts as darkness, the least useful kind
            if copy & 1 and spell.cost[0] < COLOURS and place + 1 < len(copies):
                following = self._cards.spells[copies[place + 1] >> 1]
                if following.wilds or following.needs[spell.cost[0]]:
                    left[spell.cost[0]] += 1
            best = max(best, got + SPARE_GEM * sum(left))
        return best
