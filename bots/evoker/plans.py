"""What a mage could do with a hand this turn, and what that is worth: a book to read, then something to learn."""

from __future__ import annotations

from collections.abc import Sequence

from bots.evoker.worth import Mind, Worth
from games.api import Action
from games.magecraft.cards import CardSet, Spell
from games.magecraft.gems import KINDS, pay, wanted
from games.magecraft.moves import CASTS, COLOURS, END, INNATE
from games.magecraft.rearranging import rearrangement
from games.magecraft.views import Board, Gems, OwnBoard, SeatView

GEMS_TO_REVISE = 4
DECISIVE = 50.0  # outweighs everything that does not end the match
DULL = 1.6  # a turn worth less than this is one to revise in

Books = tuple[tuple[int, ...], ...]


def counts(gems: Gems) -> list[int]:
    return [gems.fire, gems.water, gems.earth, gems.light, gems.darkness]


def size(gems: Gems) -> int:
    return gems.fire + gems.water + gems.earth + gems.light + gems.darkness


class Planner:
    """Reckons from one view. `learnable` holds gain, spell and book of all that could be learnt, best first; the caller
    keeps it as long as books and stacks stay the same.
    """

    def __init__(self, view: SeatView, cards: CardSet, mind: Mind, worth: Worth) -> None:
        self.view, self.cards, self.mind, self.worth = view, cards, mind, worth
        self.full, self.winning = cards.mages.full, cards.mages.score
        self.you: OwnBoard = view.you
        self.rivals: list[Board] = [board for board in view.others if board.alive]
        self.hand = counts(view.you.hand)
        self.life, self.score = size(view.you.life), size(view.you.score)
        self.books: Books = tuple(
            tuple(cards.by_name[copy.spell].index * 2 + copy.mastered for copy in book) for book in view.you.books
        )
        self.innate = next(person.innate for person in cards.characters if person.name == view.you.character)
        self.weakest = min((size(board.life) + size(board.shield) for board in self.rivals), default=self.full)
        self.icons = self._icons_now()
        self.learnable: list[tuple[float, Spell, int]] = []

    def _icons_now(self) -> tuple[float, ...]:
        """The mind's icons as the table stands: a weak rival invites attacks, a weak self wants healing."""
        mind = self.mind
        shielded = any(size(board.shield) for board in self.rivals)
        attack = mind.attack * (1.6 - 0.6 * min(self.weakest, self.full) / self.full) * (0.8 if shielded else 1.0)
        point = mind.vanish * (1 + self.score / self.winning)
        heal = mind.heal * (1 + 0.08 * (self.full - self.life)) if self.life < self.full else point
        shield = mind.shield if size(self.you.shield) < 5 else 0.1
        return (mind.draw, attack, heal, shield, point - 0.1, mind.darkness if self.view.academy.gems.darkness else 0.0)

    def reckon_learning(self, moods: dict[int, float]) -> None:
        """Fills `learnable`."""
        mind, worth, books = self.mind, self.worth, self.books
        ahead = max(0.0, mind.length - self.view.progress.round) * mind.patience
        now = worth.board(books)
        found: list[tuple[float, Spell, int]] = []
        for stack in self.view.academy.stacks:
            if not stack.left:
                continue
            spell = self.cards.by_name[stack.spell]
            copy = (spell.index * 2,)
            best, book = max((worth.board(_with(books, at, copy + books[at])), at) for at in range(3))
            gain = (best - now) * ahead * moods[spell.index]
            if gain > 0:
                found.append((gain, spell, book + 1))
        self.learnable = sorted(found, key=lambda one: -one[0])

    def best(self, hand: list[int]) -> tuple[float, Action]:
        """The best turn from here with that hand, and its first action."""
        progress = self.view.progress
        value, action = self._rest(hand, 0, 0)
        for at, copies in enumerate(self.books):
            if progress.book and progress.book != at + 1:
                continue
            reached = self._read(copies, progress.place if progress.book else 0, list(hand), progress.gold)
            if reached > value:
                value, action = reached, CASTS[at]
        return value, action

    def _read(self, copies: Sequence[int], place: int, left: list[int], gold: str) -> float:
        """The best value of casting one or more spells of a book from that place on."""
        best, got, attacks, points = -1.0, 0.0, 0, 0
        if gold:
            left[("fire", "water", "earth", "light", "darkness").index(gold)] += 1
        for at in range(place, len(copies)):
            spell = self.cards.spells[copies[at] >> 1]
            if not pay(spell, left, wanted(self.cards, copies, at + 1)):
                break
            got += self.worth.spell(spell, self.icons)
            attacks += spell.icons[1]
            points += spell.icons[4] + (spell.icons[2] if self.life == self.full else 0)
            left[COLOURS] += spell.icons[0]
            if copies[at] & 1 and spell.cost[0] < COLOURS:
                left[spell.cost[0]] += 1
            best = max(best, got + self._rest(left, attacks, points)[0])
        return best

    def _rest(self, left: list[int], attacks: int, points: int) -> tuple[float, Action]:
        """What the gems that are left still do: the innate spell, and learning. Ends of the match count above all."""
        won = attacks and (attacks >= self.weakest or self.score + attacks + points >= self.winning)
        bonus = DECISIVE if won or self.score + points >= self.winning else 0.0
        gain, action = self._learn(left)
        if not self.view.progress.innate_used:
            after = list(left)
            if pay(self.innate, after, [0] * KINDS):
                both = self.worth.spell(self.innate, self.icons) + self._learn(after)[0]
                if both > gain:
                    return both + bonus, INNATE
        return gain + bonus, action

    def _learn(self, hand: Sequence[int]) -> tuple[float, Action]:
        total = sum(hand)
        for gain, spell, book in self.learnable:
            if total >= len(spell.cost) and all(have >= need for have, need in zip(hand, spell.needs, strict=False)):
                return gain, spell.learns[book - 1]
        return 0.0, END

    def revision(self, value: float) -> list[Action]:
        """The moves of a revision that is worth more than a turn of that value; empty if there is none."""
        progress = self.view.progress
        if value > DULL or progress.book or progress.innate_used or sum(self.hand) < GEMS_TO_REVISE:
            return []
        ahead = max(0.0, self.mind.length - progress.round) * self.mind.patience
        now = self.worth.board(self.books)
        best, wanted = now, self.books
        for moved in _one_move(self.books):
            for mastered in _one_mastery(moved):
                if (reached := self.worth.board(mastered)) > best:
                    best, wanted = reached, mastered
        if (best - now) * ahead <= value:
            return []
        return rearrangement(self._named(self.books), self._named(wanted))

    def _named(self, books: Books) -> list[list[tuple[str, bool]]]:
        return [[(self.cards.spells[copy >> 1].name, bool(copy & 1)) for copy in book] for book in books]


def _with(books: Books, at: int, book: tuple[int, ...]) -> Books:
    return (*books[:at], book, *books[at + 1 :])


def _one_move(books: Books) -> list[Books]:
    """The books as they are, and with one spell at the left or the right end of another book."""
    found = [books]
    for source, book in enumerate(books):
        for place, copy in enumerate(book):
            without = _with(books, source, book[:place] + book[place + 1 :])
            for target in range(3):
                if target != source:
                    found.append(_with(without, target, (copy, *without[target])))
                    found.append(_with(without, target, (*without[target], copy)))
    return found


def _one_mastery(books: Books) -> list[Books]:
    """The books with one spell mastered that has another to its right."""
    found = [books]
    for at, book in enumerate(books):
        for place, copy in enumerate(book[:-1]):
            if not copy & 1:
                found.append(_with(books, at, (*book[:place], copy | 1, *book[place + 1 :])))
    return found
