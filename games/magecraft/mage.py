"""One mage: gems in hand, bag, life, shield, score and discard, and three spellbooks."""

from __future__ import annotations

from functools import lru_cache

from games.api import AddressedEvent, Seat, to_all, to_others, to_seat
from games.chance import Chance
from games.magecraft.cards import pack_hand
from games.magecraft.events import Drew, Refilled, YouDrew
from games.magecraft.figures import MageFigures
from games.magecraft.moves import BOOKS, GEMS, Gem
from games.magecraft.views import Board, Gems, OwnBoard

KINDS = len(GEMS)
NO_BOARD = -1  # the character of a mage that has no board yet


class Mage:
    """The full state of one mage.

    Gems are counted in lists in the order of GEMS. `bag` lists single gems in reverse order of drawing: the next gem is
    the last. A book is a list of copies. A copy is twice the spell's index, plus 1 if it is mastered. `known` counts
    the gems of the hand that all players can infer, because they were in the hand when the bag was empty.

    Code that changes a mage other than by its methods must call `invalidate_views`, because the views of the mage are
    cached.
    """

    __slots__ = (
        "alive", "bag", "books", "character", "discard", "hand", "known", "life", "open_board", "own_board",
        "own_gems", "score", "seat", "shield",
    )  # fmt: skip

    def __init__(self, seat: Seat, character: int, start: MageFigures) -> None:
        self.seat, self.character, self.alive = seat, character, True
        self.bag: list[int] = []
        self.hand, self.known = [0] * KINDS, [0] * KINDS
        self.life = start.life.gem_counts
        self.discard = start.bag.gem_counts  # `refill` moves these gems into the bag before the first event
        self.shield, self.score = [0] * KINDS, [0] * KINDS
        self.books = [[at * 2] if at < start.starters else [] for at in range(len(BOOKS))]
        self.invalidate_views()

    @classmethod
    def create_empty(cls) -> Mage:
        """Returns a mage without contents, which the caller fills in."""
        mage = cls.__new__(cls)
        mage.invalidate_views()
        return mage

    def invalidate_views(self) -> None:
        """Marks both cached views of the mage, for its own seat and for others, as out of date."""
        self.own_gems: tuple[Gems, ...] | None = None
        self.invalidate_books()

    def invalidate_books(self) -> None:
        """Marks both cached views as out of date, but not the cached gems, for a change of books only."""
        self.own_board: OwnBoard | None = None
        self.open_board: Board | None = None

    def clone(self) -> Mage:
        copy = Mage.__new__(Mage)
        copy.seat, copy.character, copy.alive = self.seat, self.character, self.alive
        copy.bag, copy.hand, copy.known = self.bag[:], self.hand[:], self.known[:]
        copy.life, copy.discard, copy.shield, copy.score = self.life[:], self.discard[:], self.shield[:], self.score[:]
        copy.books = [book[:] for book in self.books]
        copy.own_board, copy.own_gems, copy.open_board = self.own_board, self.own_gems, self.open_board
        return copy

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mage) and self._whole() == other._whole()

    def _whole(self) -> tuple[object, ...]:
        zones = (self.bag, self.hand, self.known, self.life, self.discard, self.shield, self.score, self.books)
        return (self.seat, self.character, self.alive, *zones)

    # Gems

    def draw_gems(self, count: int, chance: Chance, told: list[AddressedEvent]) -> None:
        """Draws `count` gems from the bag into the hand.

        An empty bag takes in the whole discard first. If both are empty, no more gems are drawn. If the bag is empty
        afterwards, all players know the hand.
        """
        self.invalidate_views()
        while count:
            if not self.bag and not self.refill_bag(chance, told):
                return
            drawn = self.bag[-count:][::-1]
            del self.bag[-count:]
            count -= len(drawn)
            for gem in drawn:
                self.hand[gem] += 1
            if not self.bag:
                self.known = self.hand[:]
            told.append(to_seat(self.seat, YouDrew(gem_names(*drawn))))
            told.append(to_others(self.seat, Drew(self.seat, len(drawn))))

    def refill_bag(self, chance: Chance, told: list[AddressedEvent]) -> bool:
        """Shuffles the discard into the empty bag. Returns False if there were no gems."""
        gems = [gem for gem in range(KINDS) for _ in range(self.discard[gem])]
        if not gems:
            return False
        self.bag = chance.shuffle(f"bag {self.seat}", gems)
        self.discard = [0] * KINDS
        told.append(to_all(Refilled(self.seat)))
        return True

    def remove_from_hand(self, gem: int) -> None:
        """Removes a gem from the hand in public. If the hand has several gems of this kind, one that all players know
        goes first."""
        self.hand[gem] -= 1
        if self.known[gem]:
            self.known[gem] -= 1
        self.invalidate_views()

    def discard_hand(self) -> tuple[Gem, ...]:
        gone = names_of_counts(*self.hand)
        self.discard = [count + more for count, more in zip(self.discard, self.hand, strict=True)]
        self.hand, self.known = [0] * KINDS, [0] * KINDS
        self.invalidate_views()
        return gone

    def packed_hand(self) -> int:
        fire, water, earth, light, darkness = self.hand
        return pack_hand(fire, water, earth, light, fire + water + earth + light + darkness)


@lru_cache(maxsize=10_000)
def gem_names(*gems: int) -> tuple[Gem, ...]:
    """Returns the name of each gem, in the given order."""
    return tuple([GEMS[gem] for gem in gems])


@lru_cache(maxsize=10_000)
def names_of_counts(*counts: int) -> tuple[Gem, ...]:
    """Returns one name for each gem. The counts are in the order of GEMS."""
    return tuple([GEMS[gem] for gem, count in enumerate(counts) for _ in range(count)])
