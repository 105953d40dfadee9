"""Builds a state from a described position. It checks the description, and deals at random what is not described."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import msgspec

from games.api import Game, PositionRefused, Seat
from games.chance import Chance
from games.magecraft.academy import AcademyState, academy_spells
from games.magecraft.board import LETTERS
from games.magecraft.cards import WILD, CardSet, Spell
from games.magecraft.figures import ColourCounts
from games.magecraft.mage import KINDS, Mage
from games.magecraft.moves import BOOKS, DARKNESS, GEMS
from games.magecraft.options import MagecraftOptions
from games.magecraft.rules import MagecraftState
from games.magecraft.turn import SPELLS, TurnProgress

MOST_IN_A_ZONE = 200  # the largest number of gems that a zone can describe, far more than a match has
ZONES = ("hand", "life", "shield", "score", "discard")
_GEMS = re.compile(rf"(\d{{0,4}})([{LETTERS}])", re.IGNORECASE)


class DescribedMage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[mage]]` of the description. None stands for a key that is not given. `next` are the next gems of the bag,
    in the order of drawing."""

    character: str | None = None
    hand: str | None = None
    known: str = ""
    next: str = ""
    bag: str | None = None
    life: str | None = None
    shield: str = ""
    score: str = ""
    discard: str | None = None
    books: tuple[str, ...] = ()


class DescribedPosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position as a person describes it. The README explains each key."""

    seats: int = 0
    options: MagecraftOptions = MagecraftOptions()
    round: int = 1
    first: Seat = 0
    turn: Seat = 0
    book: int = 0
    cast: int = 0
    gold: str = ""
    innate_used: bool = False
    academy: tuple[str, ...] = ()
    fallen: tuple[Seat, ...] = ()
    mage: tuple[DescribedMage, ...] = ()


def build_position(game: Game, cards: CardSet, given: str | Mapping[str, Any], chance: Chance) -> MagecraftState:
    """Returns a match that stands at the described position, in the spell phase of a turn. Raises PositionRefused."""
    try:
        plain = tomllib.loads(given) if isinstance(given, str) else dict(given)
    except tomllib.TOMLDecodeError as error:
        raise PositionRefused(f"It is not TOML: {error}.") from None
    try:
        return _Builder(game, cards, msgspec.convert(plain, DescribedPosition, strict=True), chance).build_state()
    except msgspec.ValidationError as error:
        raise PositionRefused(f"{error}.") from None


class _Builder:
    """Builds one position."""

    def __init__(self, game: Game, cards: CardSet, given: DescribedPosition, chance: Chance) -> None:
        self._game, self._cards, self._given, self._chance = game, cards, given, chance
        self._seats = given.seats or max(2, len(given.mage))
        if self._seats not in cards.tables:
            _refuse("seats", f"Magecraft takes {min(cards.tables)} to {max(cards.tables)} mages")
        if len(given.mage) > self._seats:
            _refuse("mage", f"there are {len(given.mage)} of them, but {self._seats} seats")
        self._people = [*given.mage, *[DescribedMage()] * (self._seats - len(given.mage))]
        self._options = given.options
        self._mages: list[Mage] = []
        self._table = cards.tables[self._seats]
        self._figures = cards.mages
        each = zip(self._figures.life.gem_counts, self._figures.bag.gem_counts, strict=True)
        # by kind: the number of gems that have no place yet
        self._left = [(life + bag) * self._seats + self._table.gems for life, bag in each]
        self._left[DARKNESS] = self._table.darkness * self._options.darkness

    def build_state(self) -> MagecraftState:
        given = self._given
        if not 1 <= given.round <= self._cards.rounds:
            _refuse("round", f"it is 1 to {self._cards.rounds}")
        characters = self._characters()
        self._mages = [Mage(seat, character, self._figures) for seat, character in enumerate(characters, 1)]
        for mage, said in zip(self._mages, self._people, strict=True):
            self._shelve(mage, said.books)
        self._gems()
        fallen = self._fallen()
        alive = [mage.seat for mage in self._mages if mage.alive]
        first = self._seat("first", given.first, range(1, self._seats + 1))
        turn = self._turn(self._seat("turn", given.turn, alive))
        academy = self._academy()
        return MagecraftState(
            game=self._game,
            cards=self._cards,
            options=self._options,
            seats=self._seats,
            chance=self._chance.fork("draws to come"),
            first=first,
            mages=self._mages,
            academy=academy,
            turn=turn,
            round=given.round,
            fallen=fallen,
        )

    def _seat(self, key: str, said: Seat, seats: Sequence[Seat]) -> Seat:
        if not said:
            return self._chance.choice(key, seats)
        if said not in seats:
            _refuse(key, f"seat {said} is none of {', '.join(map(str, seats))}")
        return said

    def _characters(self) -> list[int]:
        names = [person.name for person in self._cards.characters]
        said = [one.character for one in self._people]
        for at, name in enumerate(said, 1):
            if name is not None and name not in names:
                _refuse(f"mage {at}, character", f"{name!r} is none of {', '.join(names)}")
            if name is not None and said.count(name) > 1:
                _refuse(f"mage {at}, character", f"two mages have the board of {name}")
        free = self._chance.shuffle("characters", [at for at, name in enumerate(names) if name not in said])
        return [free.pop() if name is None else names.index(name) for name in said]

    # Gems

    def _gems(self) -> None:
        """Places the described gems. Then it fills up lives, hands and bags as at the start of a match, as far as gems
        are left."""
        for mage, said in zip(self._mages, self._people, strict=True):
            for key in ZONES:
                setattr(mage, key, count_gems(self._taken(mage, key, getattr(said, key) or "")))
            mage.bag = self._taken(mage, "bag", said.bag or said.next)
        for mage, said in zip(self._mages, self._people, strict=True):
            if said.life is None:
                mage.life = count_gems(self._some(self._figures.life, mage.life))
        for mage, said in zip(self._mages, self._people, strict=True):
            self._draw_up(mage, said)
            self._check(mage, said)

    def _taken(self, mage: Mage, key: str, text: str) -> list[int]:
        """Takes the described gems of a zone out of `_left` and returns them."""
        gems = parse_gems(f"mage {mage.seat}, {key}", text)
        for gem in gems:
            self._take(gem, f"mage {mage.seat}, {key}")
        return gems

    def _take(self, gem: int, where: str) -> None:
        self._left[gem] -= 1
        if self._left[gem] < 0:
            _refuse(where, f"there are not that many {GEMS[gem]} gems in the game")

    def _some(self, start: ColourCounts, there: Sequence[int]) -> list[int]:
        """Takes out of `_left` the gems that complete a zone to its size at the start, as far as gems are left, and
        returns them."""
        gems: list[int] = []
        for gem, each in enumerate(start.gem_counts):
            count = min(max(0, each - there[gem]), self._left[gem])
            self._left[gem] -= count
            gems += [gem] * count
        return gems

    def _draw_up(self, mage: Mage, said: DescribedMage) -> None:
        """Fills and shuffles the bag, with the described next gems on top. A hand that is not described is drawn from
        the bag."""
        where = f"mage {mage.seat}, next"
        coming = parse_gems(where, said.next)
        if said.bag is None:
            mage.bag += self._some(self._figures.bag, count_gems([*mage.bag, *gems_of_counts(mage.hand)]))
        rest = [count - gone for count, gone in zip(count_gems(mage.bag), count_gems(coming), strict=True)]
        if min(rest) < 0:
            _refuse(where, "these gems are not in the bag")
        mixed = self._chance.shuffle(f"bag {mage.seat}", gems_of_counts(rest))
        if said.hand is None:
            mage.hand = count_gems([mixed.pop() for _ in range(min(self._figures.hand, len(mixed)))])
        mage.bag = mixed + coming[::-1]

    def _check(self, mage: Mage, said: DescribedMage) -> None:
        where = f"mage {mage.seat}, "
        if mage.life[DARKNESS]:
            _refuse(f"{where}life", "a life never has darkness gems")
        if sum(mage.life) > self._figures.full_life:
            _refuse(f"{where}life", f"it holds at most {self._figures.full_life} gems")
        if sum(mage.score) >= self._figures.score:
            _refuse(f"{where}score", f"{self._figures.score} gems have won the match")
        mage.alive = any(mage.life)
        mage.known = count_gems(parse_gems(f"{where}known", said.known))
        if any(known > held for known, held in zip(mage.known, mage.hand, strict=True)):
            _refuse(f"{where}known", "only gems of the hand can be known")
        if not mage.bag:
            mage.known = mage.hand[:]

    def _fallen(self) -> list[Seat]:
        out = [mage.seat for mage in self._mages if not mage.alive]
        if self._given.fallen and sorted(self._given.fallen) != out:
            _refuse("fallen", 'it names, in the order of falling, the mages with life = "", each once')
        if len(out) > self._seats - 2 or (out and self._options.ends_at_first_elimination(self._seats)):
            _refuse("mage, life", "the match would be over")
        return list(self._given.fallen) or self._chance.shuffle("fallen", out)

    def _academy(self) -> AcademyState:
        """Returns the Academy with the spells on offer, except the copies in books, and with the gems that have no
        other place."""
        table = self._table
        academy = AcademyState.set_up(self._on_offer(), table, darkness=self._options.darkness)
        for mage in self._mages:
            for copy in (copy for book in mage.books for copy in book):
                spell = self._cards.spells[copy >> 1]
                if spell.kind == "starter":
                    continue
                if not academy.has_copy(spell):
                    _refuse(f"mage {mage.seat}, books", f"there are {table.copies} copies of {spell.name}")
                academy.take_copy(spell)
        for gem, left in enumerate(self._left):
            academy.gems[gem] = min(left, academy.gems[gem])
            self._discard_rest(gem, left - academy.gems[gem])
        return academy

    def _discard_rest(self, gem: int, count: int) -> None:
        """Puts gems that have no other place, not even in the Academy, into discards that are not described."""
        unsaid = [mage for mage, said in zip(self._mages, self._people, strict=True) if said.discard is None]
        if count and not unsaid:
            _refuse("mage, discard", f"{count} {GEMS[gem]} gems lie nowhere: leave a discard unsaid for them")
        for at in range(count):
            unsaid[at % len(unsaid)].discard[gem] += 1

    # Spells

    def _shelve(self, mage: Mage, said: Sequence[str]) -> None:
        """Places the described books. Starter spells that are not described stand at the right end of the book in which
        they began."""
        where = f"mage {mage.seat}, books"
        if len(said) > len(BOOKS):
            _refuse(where, "there are three of them")
        mage.books = [[self._copy(where, word) for word in text.split()] for text in said]
        mage.books += [[] for _ in range(len(BOOKS) - len(said))]
        held = [copy >> 1 for book in mage.books for copy in book]
        for at, starter in enumerate(self._cards.spells_of_kind("starter")):
            if held.count(starter.index) > 1:
                _refuse(where, f"every mage has one {starter.name}")
            if starter.index not in held:
                mage.books[at].append(starter.index * 2)

    def _copy(self, where: str, word: str) -> int:
        spell = self._cards.by_name.get(word.rstrip("*"))
        if spell is None:
            _refuse(where, f"there is no spell {word[:32]!r}")
        if word.endswith("*") and not self._options.mastery:
            _refuse(where, "the option mastery is off, so that nothing is mastered")
        return spell.index * 2 + word.endswith("*")

    def _on_offer(self) -> list[Spell]:
        """Returns the spells on offer in the Academy: the described ones, those in books, and random others."""
        cards, said = self._cards, list[Spell]()
        for name in self._given.academy:
            spell = cards.by_name.get(name)
            if spell is None or spell.kind != "academy" or spell in said:
                _refuse("academy", f"{name[:32]!r} is no academy spell, or is there twice")
            said.append(spell)
        offered = self._figures.offered
        if len(said) > offered:
            _refuse("academy", f"{offered} spells are on offer beside the base spells")
        in_books = {copy >> 1 for mage in self._mages for book in mage.books for copy in book}
        learnt = [spell for spell in cards.spells_of_kind("academy") if spell.index in in_books and spell not in said]
        if len(said) + len(learnt) > offered:
            _refuse("books", f"with {learnt[-1].name} there are more than {offered} spells on offer")
        others = [spell for spell in cards.spells_of_kind("academy") if spell not in said and spell not in learnt]
        missing = offered - len(said) - len(learnt)
        return academy_spells(cards, said + learnt + self._chance.shuffle("academy", others)[:missing])

    # The turn

    def _turn(self, seat: Seat) -> TurnProgress:
        given, turn = self._given, TurnProgress(seat)
        turn.phase = SPELLS
        if bool(given.book) != bool(given.cast):
            _refuse("cast", "a book is open as soon as a spell of it was cast, and not before")
        if given.book:
            if given.book not in BOOKS:
                _refuse("book", "it is 1 to 3")
            copies = self._mages[seat - 1].books[given.book - 1]
            if not 0 < given.cast <= len(copies):
                _refuse("cast", f"book {given.book} holds {len(copies)} spells")
            turn.book, turn.place = given.book, given.cast
        if given.gold:
            turn.gold = self._gold(turn)
            self._take(turn.gold, "gold")
        turn.innate_used = given.innate_used
        return turn

    def _gold(self, turn: TurnProgress) -> int:
        """Returns the described golden gem. The spell that was cast last must be one that can leave this gem."""
        if self._given.gold not in GEMS:
            _refuse("gold", f"{self._given.gold[:32]!r} is none of {', '.join(GEMS)}")
        gem = GEMS.index(self._given.gold)
        last = self._mages[turn.seat - 1].books[turn.book - 1][turn.place - 1] if turn.book else 0
        if not last & 1 or self._cards.spells[last >> 1].cost[0] not in (gem, WILD):
            _refuse("gold", f"the spell that was cast last leaves no golden {GEMS[gem]} gem")
        return gem


def parse_gems(key: str, text: str) -> list[int]:
    """Returns the gems that a text such as `3F 2W` or `FFW` lists, in order."""
    joined = "".join(text.split())
    found = _GEMS.findall(joined)
    if "".join(count + letter for count, letter in found) != joined:
        _refuse(key, f"{text[:32]!r} is no list of gems such as '3F 2W'; the letters are {' '.join(LETTERS)}")
    many = [int(count or 1) for count, _letter in found]
    if sum(many) > MOST_IN_A_ZONE:
        _refuse(key, f"these are more than {MOST_IN_A_ZONE} gems")
    gems = [LETTERS.index(letter.upper()) for _count, letter in found]
    return [gem for gem, count in zip(gems, many, strict=True) for _ in range(count)]


def gems_of_counts(counts: Sequence[int]) -> list[int]:
    """Returns one number for each gem. The counts are in the order of GEMS."""
    return [gem for gem, count in enumerate(counts) for _ in range(count)]


def count_gems(gems: Sequence[int]) -> list[int]:
    """Returns the number of gems of each kind, in the order of GEMS."""
    return [gems.count(kind) for kind in range(KINDS)]


def _refuse(key: str, reason: str) -> NoReturn:
    raise PositionRefused(f"{key}: {reason}.")
