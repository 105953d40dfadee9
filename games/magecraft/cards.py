"""The spells and characters as typed and checked data from a card file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from games.api import Card
from games.card_files import CardFileReader
from games.magecraft.figures import MOST_SPELLS, MageFigures
from games.magecraft.language import N_, _
from games.magecraft.moves import BOOKS, COLOURS, GEMS, Learn
from games.magecraft.options import MagecraftOptions
from games.magecraft.views import Copy
from languages import ENGLISH, current_language

OWN_FILE = Path(__file__).with_name("cards.toml")
WILD = 4  # a cost symbol after the four colours
SYMBOLS = (*GEMS[:COLOURS], "wild")
ICONS = ("draw", "attack", "heal", "shield", "vanish", "darkness")
SEATS = (2, 3, 4)

MOST_SYMBOLS = 8  # the longest cost or effect, so that a line of the board stays readable
LONGEST_TITLE = 40
NAME = re.compile(r"[a-z][a-z0-9_]{0,30}")


class Spell(msgspec.Struct, frozen=True):
    """One spell. `cost` contains colour numbers or WILD. `icons` has a count for each of ICONS."""

    index: int
    name: str
    title: str
    kind: str  # starter, base, academy or innate
    cost: tuple[int, ...]
    needs: tuple[int, int, int, int]
    wilds: int
    key: int  # the cost, packed by `pack_hand`
    icons: tuple[int, ...]
    learns: tuple[Learn, ...]

    @property
    def cost_text(self) -> str:
        return " ".join(SYMBOLS[symbol] for symbol in self.cost)

    @property
    def effect_text(self) -> str:
        return ", ".join(f"{times} {icon}" for icon, times in zip(ICONS, self.icons, strict=True) if times)


class Character(msgspec.Struct, frozen=True):
    name: str
    title: str
    innate: Spell


class TableSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The setup for one number of seats, as the card file has it."""

    seats: Annotated[int, msgspec.Meta(ge=2, le=4)]
    copies: int
    gems: int
    darkness: int
    drawn: tuple[int, ...] = ()  # for the option hands = "house": gems drawn, by turn order
    kept: tuple[int, ...] = ()  # the number of these gems that each mage keeps


class CardSet(msgspec.Struct, frozen=True):
    """The typed contents of a card file. Card sets that were read from equal texts are equal."""

    spells: tuple[Spell, ...]
    characters: tuple[Character, ...]
    tables: dict[int, TableSetup]
    mages: MageFigures  # the section [mages] of the card file
    rounds: int
    by_name: dict[str, Spell]
    faces: tuple[Copy, ...]  # the plain and the mastered side of each spell in turn

    def __hash__(self) -> int:
        """Returns a fast hash; only a few card sets are used as keys."""
        return len(self.spells)

    def starting_hands(self, seats: int, options: MagecraftOptions) -> list[tuple[int, int]]:
        """Returns, for each mage in turn order, how many gems it draws for its starting hand and how many of them it
        keeps."""
        table = self.tables[seats]
        own = options.hands == "house" and table.drawn
        drawn, kept = (table.drawn, table.kept) if own else (self.mages.drawn, self.mages.kept)
        return [*zip(drawn, kept, strict=True)][:seats]

    def max_discards(self, seats: int) -> list[int]:
        """Returns, for each mage in turn order, the largest number of gems that it discards from its starting hand
        under any options."""
        both = [self.starting_hands(seats, MagecraftOptions(hands=hands)) for hands in ("house", "printed")]
        return [max(drawn - kept for drawn, kept in hands) for hands in zip(*both, strict=True)]

    def spells_of_kind(self, kind: str) -> list[Spell]:
        return [spell for spell in self.spells if spell.kind == kind]

    def card_list(self) -> list[Card]:
        """Returns all cards as `magehall cards` shows them. `count` is for a match of two mages; the heading has the
        numbers for all."""
        return [_card(spell, self.tables) for spell in self.spells] + [
            _card(character.innate, {}, character) for character in self.characters
        ]


KINDS = (N_("starter"), N_("base"), N_("academy"), N_("innate"))
WORDS = (
    N_("fire"),
    N_("water"),
    N_("earth"),
    N_("light"),
    N_("wild"),
    N_("draw"),
    N_("attack"),
    N_("heal"),
    N_("shield"),
)
MORE_WORDS = (N_("vanish"), N_("darkness"), N_("cost"))


def cost_words(spell: Spell) -> str:
    """Returns the cost of a spell in the current language, such as `earth water wild`."""
    return " ".join(_(SYMBOLS[symbol]) for symbol in spell.cost)


def effect_words(spell: Spell) -> str:
    """Returns the effect of a spell in the current language, such as `1 draw, 2 attack`."""
    return ", ".join(f"{times} {_(icon)}" for icon, times in zip(ICONS, spell.icons, strict=True) if times)


def _card(spell: Spell, tables: dict[int, TableSetup], character: Character | None = None) -> Card:
    text = _("Pay {cost}: {effect}.", cost=cost_words(spell), effect=effect_words(spell))
    facts: dict[str, int | str] = {"cost": spell.cost_text}
    facts |= {icon: times for icon, times in zip(ICONS, spell.icons, strict=True) if times}
    if character is None:
        said = (f"{_(name)} {cost_words(spell) if name == 'cost' else value}" for name, value in facts.items())
        heading = ", ".join([_(spell.kind), *said, _copies(spell, tables)])
        return Card(spell.name, _(spell.title), spell.kind, tables[2].copies, text, facts, heading)
    facts["innate"] = spell.title
    text = _("Innate spell {title}. {text}", title=_(spell.title), text=text)
    heading = ""  # English builds it from the facts
    if current_language() != ENGLISH:
        heading = ", ".join([_("character"), f"{_('cost')} {cost_words(spell)}", effect_words(spell)])
    return Card(character.name, _(character.title), "character", 1, text, facts, heading)


def _copies(spell: Spell, tables: dict[int, TableSetup]) -> str:
    """Returns the number of copies of a spell for each number of mages, as text."""
    if spell.kind == "starter":
        return _("one for each mage")
    each = [
        _("{copies} with {seats} mages", copies=table.copies, seats=seats) for seats, table in sorted(tables.items())
    ]
    return _("copies: {each}", each=", ".join(each))


def pack_hand(fire: int, water: int, earth: int, light: int, total: int) -> int:
    """Returns the counts packed into 8 bits each, so that a hand and a cost are compared by one subtraction."""
    return fire | water << 8 | earth << 16 | light << 24 | total << 32


EACH_HIGH = pack_hand(128, 128, 128, 128, 1024)  # the top bit of each count; the total may be larger, as the last count


def is_affordable(hand: int, cost: int) -> bool:
    """Returns whether a packed hand covers each count of a packed cost."""
    return ((hand | EACH_HIGH) - cost) & EACH_HIGH == EACH_HIGH


def read_cards(text: str) -> CardSet:
    """Returns the cards from the text of a card file. Raises CardsRefused with the line, the card and the reason."""
    return _Reader(text).read_cards()


class _SpellEntry(msgspec.Struct, forbid_unknown_fields=True):
    """One `[[spell]]` of the card file. The `innate` spell of a character has the same fields except `set`."""

    name: str
    title: str
    cost: str
    effect: str
    set: Literal["starter", "base", "academy", "innate"] = "innate"


class _CharacterEntry(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    title: str
    innate: _SpellEntry


class _Reader(CardFileReader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._names: set[str] = set()

    def read_cards(self) -> CardSet:
        data = self.parse_file()
        if unknown := sorted(set(data) - {"spell", "character", "table", "house", "mages"}):
            self.set_location(unknown[0])
            self.raise_refused("this section does not exist")
        entries = [self._entry(at, raw) for at, raw in enumerate(self.section_entries(data, "spell"))]
        people = [self._person(at, raw) for at, raw in enumerate(self.section_entries(data, "character"))]
        tables = [self._table(at, raw) for at, raw in enumerate(self.section_entries(data, "table"))]
        rounds = self._rounds(data.get("house", {}))
        self._seats(tables, people)
        mages = self._mages(data.get("mages", {}), len(tables))
        self._count(entries, mages)
        order = sorted(entries, key=lambda entry: ("starter", "base", "academy").index(entry.kind))
        spells = tuple(msgspec.structs.replace(entry, index=at) for at, entry in enumerate(order))
        faces = tuple(Copy(spell.name, mastered) for spell in spells for mastered in (False, True))
        by_name = {spell.name: spell for spell in spells}
        by_seats = {table.seats: table for table in tables}
        self._hands(tables, mages)
        return CardSet(spells, tuple(people), by_seats, mages, rounds, by_name, faces)

    def _entry(self, at: int, raw: Any) -> Spell:
        self.set_location("spell", at, raw.get("name"))
        entry = self.convert_entry(raw, _SpellEntry)
        if entry.set == "innate":
            self.raise_refused('set is "starter", "base" or "academy"')
        return self._spell(entry)

    def _person(self, at: int, raw: Any) -> Character:
        self.set_location("character", at, raw.get("name"))
        person = self.convert_entry(raw, _CharacterEntry)
        if person.innate.set != "innate":
            self.raise_refused("an innate spell has no set")
        self._name(person.name, person.title)
        innate = self._spell(person.innate)
        if len(innate.cost) != 1:
            self.raise_refused("an innate spell costs exactly one gem")
        return Character(person.name, person.title, innate)

    def _table(self, at: int, raw: Any) -> TableSetup:
        self.set_location("table", at)
        table = self.convert_entry(raw, TableSetup)
        if not (1 <= table.copies <= 12 and 0 <= table.gems <= 20 and 0 <= table.darkness <= 40):
            self.raise_refused("copies are 1 to 12, gems 0 to 20, darkness 0 to 40")
        return table

    def _rounds(self, raw: Any) -> int:
        self.set_location("house")
        if not isinstance(raw, dict) or set(raw) != {"rounds"}:
            self.raise_refused("the section [house] holds rounds and nothing else")
        rounds = raw["rounds"]
        if not isinstance(rounds, int) or isinstance(rounds, bool) or not 1 <= rounds <= 200:
            self.raise_refused("rounds are 1 to 200")
        return int(rounds)

    def _spell(self, entry: _SpellEntry) -> Spell:
        self._name(entry.name, entry.title)
        cost = tuple(self._word(word, SYMBOLS, "cost") for word in entry.cost.split())
        icons = [self._word(word, ICONS, "effect") for word in entry.effect.split()]
        if not 1 <= len(cost) <= MOST_SYMBOLS or not 1 <= len(icons) <= MOST_SYMBOLS:
            self.raise_refused(f"a cost and an effect have 1 to {MOST_SYMBOLS} words each")
        fire, water, earth, light = (cost.count(colour) for colour in range(COLOURS))
        return Spell(
            index=0,
            name=entry.name,
            title=entry.title,
            kind=entry.set,
            cost=cost,
            needs=(fire, water, earth, light),
            wilds=cost.count(WILD),
            key=pack_hand(fire, water, earth, light, len(cost)),
            icons=tuple(icons.count(icon) for icon in range(len(ICONS))),
            learns=tuple(Learn(entry.name, book) for book in BOOKS),
        )

    def _mages(self, raw: Any, kinds_of_tables: int) -> MageFigures:
        self.set_location("mages")
        mages = self.convert_entry(self.require_table(raw, "mages"), MageFigures)
        if fault := mages.find_fault(SEATS[kinds_of_tables - 1]):
            self.raise_refused(fault)
        return mages

    def _hands(self, tables: list[TableSetup], mages: MageFigures) -> None:
        for at, table in enumerate(tables):
            self.set_location("table", at)
            if not table.drawn and not table.kept:
                continue
            own = msgspec.structs.replace(mages, drawn=table.drawn, kept=table.kept)
            if fault := own.find_fault(table.seats):
                self.raise_refused(fault)

    def _seats(self, tables: list[TableSetup], people: list[Character]) -> None:
        self.set_whole_file()
        if not tables or sorted(table.seats for table in tables) != [*SEATS[: len(tables)]]:
            self.raise_refused("there is one [[table]] for each of 2, 3 and 4 seats, or only for 2, or for 2 and 3")
        if len(people) < SEATS[len(tables) - 1]:
            self.raise_refused(f"there are at least {SEATS[len(tables) - 1]} characters, one for each seat")

    def _count(self, spells: list[Spell], mages: MageFigures) -> None:
        self.set_whole_file()
        kinds = [spell.kind for spell in spells]
        if kinds.count("starter") != mages.starters or kinds.count("base") != mages.base:
            self.raise_refused(
                f"there are {mages.starters} starters and {mages.base} base spells; [mages] may say otherwise"
            )
        if not mages.offered <= kinds.count("academy") <= MOST_SPELLS:
            self.raise_refused(f"there are {mages.offered} to {MOST_SPELLS} academy spells; [mages] may say otherwise")

    def _word(self, word: str, known: tuple[str, ...], field: str) -> int:
        if word not in known:
            self.raise_refused(f"{field}: {word!r} is none of {', '.join(known)}")
        return known.index(word)

    def _name(self, name: str, title: str) -> None:
        if not NAME.fullmatch(name):
            self.raise_refused(f"the name {name!r} is not lower-case letters, digits and _, a letter first")
        if not (title.isprintable() and title.strip() and len(title) <= LONGEST_TITLE):
            self.raise_refused(f"a title is one line of 1 to {LONGEST_TITLE} characters")
        if name in self._names:
            self.raise_refused(f"the name {name!r} is there twice")
        self._names.add(name)
