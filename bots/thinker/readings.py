"""The value of reading spell books, for the search in Magecraft. Values are cached by book, and by the gems in hand."""

from __future__ import annotations

from functools import lru_cache

from games.magecraft.cards import CardSet
from games.magecraft.gems import full_bag_hands, pay_spell, wanted_gems
from games.magecraft.moves import COLOURS

SPARE = 0.2  # the value of a gem that is left after a book was read
DRAW, ATTACK, HEAL, SHIELD, VANISH, DARKEN = 0.2, 1.25, 0.8, 0.95, 0.85, 0.25
ICONS = (DRAW, ATTACK, HEAL, SHIELD, VANISH, DARKEN)

Hand = tuple[int, ...]  # the number of gems of each kind
Book = tuple[int, ...]  # the spells from left to right, each as twice its index, plus one if it is mastered


class ReadingValues:
    """The values of books for one card set, with caches. All methods are pure functions."""

    def __init__(self, cards: CardSet) -> None:
        self.cards, self.hands, self.spare = cards, full_bag_hands(cards.mages), SPARE * cards.mages.hand
        self.worth = [
            sum(times * icon for times, icon in zip(spell.icons, ICONS, strict=True)) for spell in cards.spells
        ]
        self.each_hand = lru_cache(100_000)(self._each_hand)
        self.steps = lru_cache(200_000)(self._steps)
        self.board = lru_cache(100_000)(self._board)

    def _board(self, books: tuple[Book, ...]) -> float:
        """Returns the expected value of a turn with a random fresh hand, in which the best of the three books is
        read."""
        first, second, third = (self.each_hand(book) for book in books)
        return sum([odds * max(a, b, c) for (_, odds), a, b, c in zip(self.hands, first, second, third, strict=True)])

    def _each_hand(self, book: Book) -> tuple[float, ...]:
        found = []
        for hand, _ in self.hands:
            steps = self._steps(book, 0, hand, -1)
            found.append(max([got + SPARE * sum(left) for got, left, _, _ in steps], default=self.spare))
        return tuple(found)

    def _steps(self, book: Book, place: int, hand: Hand, gold: int) -> tuple[tuple[float, Hand, int, int], ...]:
        """Returns, for each spell of the book that can be cast from `place` on, the sums after it: the value so far,
        the gems left in hand, the number of attacks, and the points for the score. Drawn gems count as darkness,
        because darkness pays only costs that any gem can pay."""
        left, got, attacks, points = list(hand), 0.0, 0, 0
        if gold >= 0:
            left[gold] += 1
        found = []
        for at in range(place, len(book)):
            spell = self.cards.spells[book[at] >> 1]
            if not pay_spell(spell, left, wanted_gems(self.cards, book, at + 1)):
                break
            got += self.worth[book[at] >> 1]
            attacks += spell.icons[1]
            points += spell.icons[4]
            left[COLOURS] += spell.icons[0]
            if book[at] & 1 and spell.cost[0] < COLOURS:
                left[spell.cost[0]] += 1
            found.append((got, tuple(left), attacks, points))
        return tuple(found)
