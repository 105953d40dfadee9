"""One mage: gems in hand, bag, life, shield, score and discard, and three spellbooks."""

from __future__ import annotations

from functools import lru_cache

from games.api import Seat, Told, tell, tell_all, tell_others
from games.chance import Chance
from games.magecraft.cards import CardSet, hand_key
from games.magecraft.moves import DARKNESS, GEMS, Drew, Gem, Refilled, YouDrew
from games.magecraft.views import Board, Copy, Gems, OwnBoard

KINDS = len(GEMS)
FULL_LIFE = 12
EACH_KIND_AT_START = 3  # of the four colours, in the bag and again in life


class Mage:
    """Counts are lists with one number a kind of gem, in the order of GEMS; `bag` is in the order of drawing, the next
    gem last. A book is a list of copies, each twice its spell's index, plus one when mastered.

    `known` counts the gems of the hand that everybody can work out: what was in hand when the bag ran empty. Whoever
    changes anything but by a method calls `touch`, since the two boards are kept until something changes.
    """

    __slots__ = (
        "_cards", "_others_see", "_owner_sees", "alive", "bag", "books", "character", "discard", "hand", "known",
        "life", "score", "seat", "shield",
    )  # fmt: skip

    def __init__(self, seat: Seat, character: int, cards: CardSet) -> None:
        self._cards = cards
        self.seat, self.character, self.alive = seat, character, True
        self.bag: list[int] = []
        self.hand, self.known = [0] * KINDS, [0] * KINDS
        self.life = [EACH_KIND_AT_START] * (KINDS - 1) + [0]
        self.discard = [EACH_KIND_AT_START] * (KINDS - 1) + [0]  # goes into the bag with the first draw
        self.shield, self.score = [0] * KINDS, [0] * KINDS
        self.books: list[list[int]] = [[0], [2], [4]]
        self.touch()

    def touch(self) -> None:
        """Something changed: both boards are built anew when they are next asked for."""
        self._owner_sees: OwnBoard | None = None
        self._others_see: Board | None = None

    def clone(self) -> Mage:
        copy = Mage.__new__(Mage)
        copy._cards, copy.seat, copy.character, copy.alive = self._cards, self.seat, self.character, self.alive
        copy.bag, copy.hand, copy.known = self.bag[:], self.hand[:], self.known[:]
        copy.life, copy.discard, copy.shield, copy.score = self.life[:], self.discard[:], self.shield[:], self.score[:]
        copy.books = [book[:] for book in self.books]
        copy._owner_sees, copy._others_see = self._owner_sees, self._others_see
        return copy

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mage) and self._whole() == other._whole()

    __hash__ = None  # type: ignore[assignment]

    def _whole(self) -> tuple[object, ...]:
        zones = (self.bag, self.hand, self.known, self.life, self.discard, self.shield, self.score, self.books)
        return (self.seat, self.character, self.alive, *zones)

    # Gems

    def draw(self, count: int, chance: Chance, told: list[Told]) -> None:
        """Draws gems; an empty bag takes in the whole discard first, and with both empty there is no gem."""
        self.touch()
        while count:
            if not self.bag and not self.refill(chance, told):
                return
            drawn = self.bag[-count:][::-1]
            del self.bag[-count:]
            count -= len(drawn)
            for gem in drawn:
                self.hand[gem] += 1
            told.append(tell(self.seat, YouDrew(names(*drawn))))
            told.append(tell_others(self.seat, Drew(self.seat, len(drawn))))

    def refill(self, chance: Chance, told: list[Told]) -> bool:
        """Shuffles the discard into the empty bag; from then on everybody knows what is in hand."""
        gems = [gem for gem in range(KINDS) for _ in range(self.discard[gem])]
        if not gems:
            return False
        self.known = self.hand[:]
        self.bag = chance.shuffle(f"bag {self.seat}", gems)
        self.discard = [0] * KINDS
        told.append(tell_all(Refilled(self.seat)))
        return True

    def lose(self, gem: int) -> None:
        """A gem leaves the hand for all to see. Gems of a kind are alike, so a known one goes first."""
        self.hand[gem] -= 1
        if self.known[gem]:
            self.known[gem] -= 1
        self.touch()

    def drop_hand(self) -> tuple[Gem, ...]:
        gone = spread(*self.hand)
        self.discard = [count + more for count, more in zip(self.discard, self.hand, strict=True)]
        self.hand, self.known = [0] * KINDS, [0] * KINDS
        self.touch()
        return gone

    def hand_key(self) -> int:
        fire, water, earth, light, darkness = self.hand
        return hand_key(fire, water, earth, light, fire + water + earth + light + darkness)

    def redeal_own_bag(self, chance: Chance) -> None:
        """What the mage itself does not know: the order of the bag."""
        self.bag = chance.shuffle("bag", self.bag)

    def redeal_hidden(self, chance: Chance) -> None:
        """What the others do not know: which of the hidden gems are in hand, and the order of the bag."""
        unknown = [gem for gem in range(KINDS) for _ in range(self.hand[gem] - self.known[gem])]
        mixed = chance.shuffle("hidden", unknown + self.bag)
        self.hand = self.known[:]
        for gem in mixed[: len(unknown)]:
            self.hand[gem] += 1
        self.bag = mixed[len(unknown) :]
        self._owner_sees = None  # the others see the same as before

    # Views

    def owner_sees(self) -> OwnBoard:
        if self._owner_sees is None:
            bag = self.bag
            self._owner_sees = OwnBoard(
                self.seat,
                self._cards.characters[self.character].name,
                self.alive,
                self._books(),
                Gems(*self.life),
                Gems(*self.shield),
                Gems(*self.score),
                Gems(*self.discard),
                Gems(*self.hand),
                Gems(bag.count(0), bag.count(1), bag.count(2), bag.count(3), bag.count(DARKNESS)),
            )
        return self._owner_sees

    def others_see(self) -> Board:
        if self._others_see is None:
            bag, hand, known = self.bag, self.hand, self.known
            self._others_see = Board(
                self.seat,
                self._cards.characters[self.character].name,
                self.alive,
                self._books(),
                Gems(*self.life),
                Gems(*self.shield),
                Gems(*self.score),
                Gems(*self.discard),
                sum(hand),
                len(bag),
                Gems(*known),
                Gems(*[bag.count(gem) + hand[gem] - known[gem] for gem in range(KINDS)]),
            )
        return self._others_see

    def _books(self) -> tuple[tuple[Copy, ...], ...]:
        faces = self._cards.faces
        first, second, third = self.books
        return (
            tuple([faces[copy] for copy in first]),
            tuple([faces[copy] for copy in second]),
            tuple([faces[copy] for copy in third]),
        )


@lru_cache(maxsize=10_000)
def names(*gems: int) -> tuple[Gem, ...]:
    """Gems by name, in their order."""
    return tuple([GEMS[gem] for gem in gems])  # type: ignore[misc]


@lru_cache(maxsize=10_000)
def spread(*counts: int) -> tuple[Gem, ...]:
    """Counts as names, one for each gem."""
    return tuple([GEMS[gem] for gem, count in enumerate(counts) for _ in range(count)])  # type: ignore[misc]
