"""The possible turns of a mage with the gems in hand, and their values. In a turn a mage casts the spells of one book,
then may learn a spell.
"""

from __future__ import annotations

from collections.abc import Sequence

from bots.evoker.worth import BookEvaluator, MagePreferences
from games.api import Action
from games.magecraft.cards import CardSet, Spell
from games.magecraft.gems import KINDS, pay_spell, wanted_gems
from games.magecraft.moves import BOOKS, CASTS, COLOURS, DONE, END, INNATE, Lift, Master, Put
from games.magecraft.options import MagecraftOptions
from games.magecraft.views import Board, Gems, OwnBoard, SeatView

GEMS_TO_REVISE = 4
DECISIVE = 50.0  # the value of winning, more than that of any turn that does not end the match
HUNT = 0.2  # how much a low life makes a rival the preferred victim, if there are several rivals
DULL = 1.6  # only a turn of lower value may be given up for a revision of the books

Books = tuple[tuple[int, ...], ...]


def gem_counts(gems: Gems) -> list[int]:
    return [gems.fire, gems.water, gems.earth, gems.light, gems.darkness]


def gem_total(gems: Gems) -> int:
    return gems.fire + gems.water + gems.earth + gems.light + gems.darkness


class Planner:
    """Evaluates the turns that a mage can take in one position, given by the mage's view.

    `learnable` has (gain, spell, book from 1) of each spell worth learning, best first. The caller may reuse it for
    later views while the mage's books and the stacks of spells stay the same.
    """

    def __init__(
        self, view: SeatView, cards: CardSet, mind: MagePreferences, worth: BookEvaluator, options: MagecraftOptions
    ) -> None:
        self.view, self.cards, self.mind, self.worth, self.options = view, cards, mind, worth, options
        self.full, self.winning = cards.mages.full_life, cards.mages.score
        self.you: OwnBoard = view.you
        self.rivals: list[Board] = [board for board in view.others if board.alive]
        self.hand = gem_counts(view.you.hand)
        self.life, self.score = gem_total(view.you.life), gem_total(view.you.score)
        self.books: Books = tuple(
            tuple(cards.by_name[copy.spell].index * 2 + copy.mastered for copy in book) for book in view.you.books
        )
        self.innate = next(person.innate for person in cards.characters if person.name == view.you.character)
        self.weakest = min(
            (gem_total(board.life) + gem_total(board.shield) for board in self.rivals), default=self.full
        )
        self.icons = self._icons_now()
        self.hunt = self._hunt()
        self.learnable: list[tuple[float, Spell, int]] = []

    def _hunt(self) -> float:
        """Returns how much a low life makes a rival the preferred victim. Among several rivals the factor is small,
        because the others gain too when one falls. If the first fall ends the match, it is 1 for the leader and -1
        for the others."""
        if len(self.rivals) < 2:
            return 1.0
        if not self.options.ends_at_first_elimination(len(self.rivals) + 1):
            return HUNT
        return 1.0 if self.score + 1 >= max(gem_total(board.score) for board in self.rivals) else -1.0

    def _icons_now(self) -> tuple[float, ...]:
        """Returns the value of each kind of icon in this position. Attacks are worth more against a weak rival, and
        healing is worth more to a mage with a low life."""
        mind = self.mind
        shielded = any(gem_total(board.shield) for board in self.rivals)
        attack = mind.attack * (1.6 - 0.6 * min(self.weakest, self.full) / self.full) * (0.8 if shielded else 1.0)
        point = mind.vanish * (1 + self.score / self.winning)
        heal = mind.heal * (1 + 0.08 * (self.full - self.life)) if self.life < self.full else point
        shield = mind.shield if gem_total(self.you.shield) < 5 else 0.1
        return (mind.draw, attack, heal, shield, point - 0.1, mind.darkness if self.view.academy.gems.darkness else 0.0)

    def compute_learnable(self, moods: dict[int, float]) -> None:
        """Computes `learnable`. `moods` has a factor for the gain of each spell, by its index."""
        mind, worth, books = self.mind, self.worth, self.books
        ahead = max(0.0, mind.length - self.view.progress.round) * mind.patience
        now = worth.board_value(books)
        found: list[tuple[float, Spell, int]] = []
        for stack in self.view.academy.stacks:
            if not stack.left:
                continue
            spell = self.cards.by_name[stack.spell]
            copy = (spell.index * 2,)
            best, book = max((worth.board_value(_with(books, at, copy + books[at])), at) for at in range(3))
            gain = (best - now) * ahead * moods[spell.index]
            if gain > 0:
                found.append((gain, spell, book + 1))
        self.learnable = sorted(found, key=lambda one: -one[0])

    def rated_turns(self, hand: list[int]) -> list[tuple[float, Action]]:
        """Returns each way to continue the turn with the gems `hand`, as (value, first action)."""
        progress = self.view.progress
        found = [self._rest(hand, 0, 0)]
        for at, copies in enumerate(self.books):
            if not progress.book or progress.book == at + 1:
                place = progress.place if progress.book else 0
                found.append((self._read(copies, place, list(hand), progress.gold), CASTS[at]))
        return found

    def best_value(self, hand: list[int]) -> float:
        """Returns the value of the best way to continue the turn with the gems `hand`."""
        return max(value for value, _ in self.rated_turns(hand))

    def _read(self, copies: Sequence[int], place: int, left: list[int], gold: str) -> float:
        """Returns the value of casting the best number of spells, at least one, of a book from `place` on. `left` are
        the gems in hand."""
        best, got, attacks, points = -1.0, 0.0, 0, 0
        if gold:
            left[("fire", "water", "earth", "light", "darkness").index(gold)] += 1
        for at in range(place, len(copies)):
            spell = self.cards.spells[copies[at] >> 1]
            if not pay_spell(spell, left, wanted_gems(self.cards, copies, at + 1)):
                break
            got += self.worth.spell_value(spell, self.icons)
            attacks += spell.icons[1]
            points += spell.icons[4] + (spell.icons[2] if self.life == self.full else 0)
            left[COLOURS] += spell.icons[0]
            if copies[at] & 1 and spell.cost[0] < COLOURS:
                left[spell.cost[0]] += 1
            best = max(best, got + self._rest(left, attacks, points)[0])
        return best

    def _rest(self, left: list[int], attacks: int, points: int) -> tuple[float, Action]:
        """Returns the value of the best end of a turn with the gems `left`, and its action: the innate spell, learning
        a spell, or nothing. A win counts more than everything else."""
        won = attacks and (attacks >= self.weakest or self.score + attacks + points >= self.winning)
        bonus = DECISIVE if won or self.score + points >= self.winning else 0.0
        gain, action = self._learn(left)
        if not self.view.progress.innate_used:
            after = list(left)
            if pay_spell(self.innate, after, [0] * KINDS):
                both = self.worth.spell_value(self.innate, self.icons) + self._learn(after)[0]
                if both > gain:
                    return both + bonus, INNATE
        return gain + bonus, action

    def _learn(self, hand: Sequence[int]) -> tuple[float, Action]:
        total = sum(hand)
        for gain, spell, book in self.learnable:
            if total >= len(spell.cost) and all(have >= need for have, need in zip(hand, spell.needs, strict=False)):
                return gain, spell.learns[book - 1]
        return 0.0, END

    def is_revision_better(self, value: float) -> bool:
        """Returns whether a revision of the books is worth more than a turn of that value."""
        progress = self.view.progress
        if value > DULL or progress.book or progress.innate_used or sum(self.hand) < GEMS_TO_REVISE:
            return False
        ahead = max(0.0, self.mind.length - progress.round) * self.mind.patience
        best = max(
            reached for reached, _ in self._arrangements(self.books, may_move=True, may_master=self.options.mastery)
        )
        return (best - self.worth.board_value(self.books)) * ahead > value

    def rated_revisions(self) -> list[tuple[float, Action]]:
        """Returns each possible next action of the current revision, as (value of the best books that it can lead to,
        action)."""
        progress, books = self.view.progress, self.books
        if progress.lifted:
            (lifted,) = progress.lifted
            copy = self.cards.by_name[lifted.spell].index * 2 + lifted.mastered
            return [
                (self._mastered(_with(books, at, (*book[:place], copy, *book[place:])), progress.may_master), put)
                for at, book in enumerate(books)
                for place in range(len(book) + 1)
                for put in (Put(BOOKS[at], place + 1),)
            ]
        has_moved = progress.lifts < sum(map(len, books))
        return self._arrangements(books, may_move=not has_moved, may_master=progress.may_master)

    def _arrangements(self, books: Books, *, may_move: bool, may_master: bool) -> list[tuple[float, Action]]:
        """Returns (value of the resulting books, first action) for the books unchanged, for each mastery of a spell
        that improves them, and for each move of a spell, perhaps with a mastery, that beats these."""
        now = self.worth.board_value(books)
        found: list[tuple[float, Action]] = [(now, DONE)]
        if may_master:
            better = [(self.worth.board_value(turned), action) for turned, action in _masteries(books)]
            found += [one for one in better if one[0] > now]
        if may_move:
            least = max(value for value, _ in found)  # a move must beat all other actions
            moved = [(self._mastered(other, may_master), action) for other, action in _moves(books)]
            found += [one for one in moved if one[0] > least]
        return found

    def _mastered(self, books: Books, may_master: bool) -> float:
        """Returns the value of the books, if `may_master` after the best mastery of one spell."""
        turned = [books, *(other for other, _ in _masteries(books))] if may_master else [books]
        return max(map(self.worth.board_value, turned))


def _with(books: Books, at: int, book: tuple[int, ...]) -> Books:
    return (*books[:at], book, *books[at + 1 :])


def _moves(books: Books) -> list[tuple[Books, Action]]:
    """Returns the books after each move of one spell to either end of another book, with the lift that starts the
    move."""
    found: list[tuple[Books, Action]] = []
    for source, book in enumerate(books):
        for place, copy in enumerate(book):
            without = _with(books, source, book[:place] + book[place + 1 :])
            lift = Lift(BOOKS[source], place + 1)
            for target in range(3):
                if target != source:
                    found.append((_with(without, target, (copy, *without[target])), lift))
                    found.append((_with(without, target, (*without[target], copy)), lift))
    return found


def _masteries(books: Books) -> list[tuple[Books, Action]]:
    """Returns the books after each mastery of one spell that has another spell to its right, with the action that
    masters it."""
    found: list[tuple[Books, Action]] = []
    for at, book in enumerate(books):
        for place, copy in enumerate(book[:-1]):
            if not copy & 1:
                turned = _with(books, at, (*book[:place], copy | 1, *book[place + 1 :]))
                found.append((turned, Master(BOOKS[at], place + 1)))
    return found
