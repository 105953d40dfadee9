"""The typed and checked contents of a card file: cards, track and figures."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Literal

import msgspec

from games.api import CardsRefused
from games.card_files import parse_toml
from games.mages_110m.options import RaceOptions

OWN_FILE = Path(__file__).with_name("cards.toml")
# A race needs spells for four full hands and 16 more: the pile must run out repeatedly, which can end the race.
FULL_TABLE, LEFT_OVER = 4, 16
TABLES, PRINTED = ("2", "3", "4"), "printed"  # the keys of numbers of copies: numbers of mages, and the printed game
ARM, LEG = 1, 2  # bits for limbs that a spell needs or that a mage lacks
LACKS = (0, ARM, LEG, ARM | LEG)  # all sets of limbs that a mage can lack; each is its own index

WHO = ("you", "them", "others", "all")
NUMBERED = ("advance", "charge", "back", "smash", "raise", "draw", "mislay")  # effects with a number
SIGNED = ("endurance", "power", "reserve", "arm", "leg")  # effects with a number and its sign
BARE = ("limb", "daze", "dispel")  # effects without a number: losing a random limb, an action, or all lasting spells
NOT_EACH = ("draw", "mislay", "dispel")  # effects that a lasting spell cannot have at upkeep
ABILITIES = ("shield", "float", "fresh", "sure")


class Effect(msgspec.Struct, frozen=True):
    """One effect of a spell. `them endurance -2` in a card file has the parts who, verb and amount."""

    who: str
    verb: str
    amount: int


class CardEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One [[card]] of the card file."""

    name: str
    kind: Literal["spell", "counter", "cv", "king"]
    count: int | dict[str, int]  # the number of copies, or one number for each number of mages
    title: dict[str, str]
    joke: dict[str, str] = {}
    printed: int | None = None  # the number of copies in the printed game, if it differs
    endurance: int = 0
    power: int = 0
    roll: int = 0
    needs: tuple[Literal["arm", "leg"], ...] = ()
    effects: tuple[str, ...] = ()
    counters: int = 0
    lies: Literal["you", "them"] = "you"
    lasting: tuple[str, ...] = ()
    each: tuple[str, ...] = ()
    against: Literal["any", "attack"] = "any"


class Track(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The track: its number of squares, and the squares behind which a hurdle stands."""

    squares: int
    hurdles: tuple[int, ...]


class MageFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of the rules: what a mage has at the start, and limits."""

    arms: int
    legs: int
    endurance: int
    tired: int  # at this endurance or less, the mage's dice get -1
    surge: int  # at this power a mage surges through a hurdle
    hand: int  # the largest hand at the end of a turn
    gamble: int  # the smallest hand that can be discarded for a gamble
    counts: int  # the race is called off when the pile has run out this many times
    turns: int = 0  # the race is called off after this many turns of all mages; 0 for no limit


class CardFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The typed contents of a card file."""

    track: Track
    mages: MageFigures
    card: tuple[CardEntry, ...]


class CardKind:
    """One kind of card. Piles and hands contain the `index` of a card's kind, which is its place in the card file."""

    def __init__(self, index: int, line: CardEntry) -> None:
        self.index, self.name, self.line = index, line.name, line
        self.is_cv, self.is_king = line.kind == "cv", line.kind == "king"
        self.is_counter = line.kind == "counter"
        self.is_spell = line.kind == "spell"
        self.in_hand = self.is_spell or self.is_counter
        by_table = line.count if isinstance(line.count, dict) else dict.fromkeys(TABLES, line.count)
        self.copies = by_table | {PRINTED: by_table["2"] if line.printed is None else line.printed}
        self.count = max(self.copies.values())
        self.endurance, self.power, self.roll = line.endurance, line.power, line.roll
        self.needs = (ARM if "arm" in line.needs else 0) | (LEG if "leg" in line.needs else 0)
        self.effects = tuple(_effect(text) for text in line.effects)
        self.each = tuple(_effect(text) for text in line.each)
        self.counters = line.counters
        self.on_target = line.lies == "them"
        self.is_attack = self.is_spell and (self.on_target or any(effect.who == "them" for effect in self.effects))
        self.only_attacks = line.against == "attack"
        abilities = {word: number for word, _, number in (text.partition(" ") for text in line.lasting)}
        self.shield, self.float, self.fresh = "shield" in abilities, "float" in abilities, "fresh" in abilities
        self.sure = int(abilities.get("sure", 0))


class Deck:
    """All kinds of cards by index, with the track and the figures. A deck is built once for each card file and shared
    by all matches."""

    def __init__(self, text: str) -> None:
        """Reads a card file. Raises CardsRefused with the line, the card and the reason."""
        self.file = _decoded(text)
        self.text = text
        self.digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        self.track, self.mages = self.file.track, self.file.mages
        _check_figures(self.file)
        for index, line in enumerate(self.file.card):
            reason = _fault(line, {other.name for other in self.file.card[:index]})
            if reason:
                raise CardsRefused(f"line {_line_of_card(text, index)}, card {line.name!r}: {reason}")
        self.kinds = tuple(CardKind(index, line) for index, line in enumerate(self.file.card))
        self.index = {kind.name: kind.index for kind in self.kinds}
        self.names = tuple(kind.name for kind in self.kinds)
        self.in_hand = tuple(kind.in_hand for kind in self.kinds)
        self.is_spell = tuple(kind.is_spell for kind in self.kinds)
        # Whether a card can answer a spell: answering[is the spell aimed at a mage][the limbs that the answering mage
        # lacks][the card].
        self.answering = tuple(
            tuple(
                tuple(
                    kind.is_counter and not kind.needs & lacks and (attack or not kind.only_attacks)
                    for kind in self.kinds
                )
                for lacks in LACKS
            )
            for attack in (False, True)
        )
        self.piles = {
            table: tuple(kind.index for kind in self.kinds for _ in range(kind.copies[table]))
            for table in (*TABLES, PRINTED)
        }
        self._check_whole()

    @property
    def max_cards(self) -> int:
        """Returns the largest number of cards that a race has with any number of mages."""
        return max(map(len, self.piles.values()))

    def cards_for(self, seats: int, options: RaceOptions) -> tuple[int, ...]:
        """Returns all cards of a race with this number of mages, in the order of the card file."""
        return self.piles[copies_key(seats, options)]

    def _check_whole(self) -> None:
        if sum(kind.count for kind in self.kinds if kind.is_king) > 1:
            raise CardsRefused("line 1, the whole file: there is one bored king at most")
        if not any(kind.is_spell for kind in self.kinds):
            raise CardsRefused("line 1, the whole file: there is no spell")
        fewest = FULL_TABLE * self.mages.hand + LEFT_OVER
        spells = min(sum(self.in_hand[card] for card in pile) for pile in self.piles.values())
        if not spells:
            raise CardsRefused("line 1, the whole file: there is a number of mages without a spell")
        if not self.mages.turns and spells < fewest:
            raise CardsRefused(f"line 1, the whole file: fewer than {fewest} spells are too few for four full hands")


def copies_key(seats: int, options: RaceOptions) -> str:
    """Returns the key in `CardKind.copies` for this number of mages and these options."""
    return PRINTED if options.printed else str(max(2, seats))


def _decoded(text: str) -> CardFile:
    try:
        given = parse_toml(text)
    except ValueError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = int(found[1]) if found else len(text.splitlines())
        raise CardsRefused(f"line {line}, no card: this is not TOML: {error}") from None
    try:
        return msgspec.convert(given, CardFile)
    except msgspec.ValidationError as error:
        found = re.search(r"\$\.card\[(\d+)\]", str(error))
        if found is None:
            raise CardsRefused(f"line 1, no card: {error}") from None
        index = int(found[1])
        name = given["card"][index].get("name", f"number {index + 1}")
        raise CardsRefused(f"line {_line_of_card(text, index)}, card {name!r}: {error}") from None


def _check_figures(file: CardFile) -> None:
    track, mages = file.track, file.mages
    reason = ""
    if not 2 <= track.squares <= 15:
        reason = "[track] squares must be 2 to 15"
    elif list(track.hurdles) != sorted(set(track.hurdles)) or not set(track.hurdles) <= set(range(1, track.squares)):
        reason = "[track] hurdles must be rising numbers of squares before the last one"
    elif not (0 <= mages.arms <= 9 and 0 <= mages.legs <= 9):
        reason = "[mages] arms and legs must be 0 to 9"
    elif not all(1 <= figure <= 999 for figure in (mages.endurance, mages.surge, mages.gamble)):
        reason = "[mages] endurance, surge and gamble must be 1 to 999"
    elif not 0 <= mages.tired <= 999 or not 1 <= mages.counts <= 99:
        reason = "[mages] tired must be 0 to 999, counts 1 to 99"
    elif not 0 <= mages.turns <= 999:
        reason = "[mages] turns must be 1 to 999, or 0 for no limit"
    elif not 1 <= mages.hand <= 12:
        reason = "[mages] hand must be 1 to 12"
    if reason:
        raise CardsRefused(f"line 1, no card: {reason}")


def _fault(line: CardEntry, before: set[str]) -> str | None:
    """Returns the reason why a card cannot be used; None if it can."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", line.name):
        return "a name has lower-case letters, digits and _ only"
    if line.name in before:
        return "the name is taken by a card above"
    if reason := _count_fault(line.count):
        return reason
    if line.printed is not None and not 0 <= line.printed <= 20:
        return "printed must be 0 to 20"
    if "en" not in line.title:
        return "an English title is missing (title.en)"
    if any("\n" in text for text in (*line.title.values(), *line.joke.values())):
        return "titles and jokes are one line each"
    if not -20 <= line.endurance <= 20 or not -20 <= line.power <= 20:
        return "endurance and power must be -20 to 20"
    if line.roll not in (0, 2, 3, 4, 5, 6):
        return "roll must be 2 to 6, or left out"
    if not 0 <= line.counters <= 9:
        return "counters must be 0 to 9"
    plain = CardEntry(line.name, line.kind, line.count, line.title, line.joke, line.printed)
    if line.kind in ("cv", "king"):
        return None if line == plain else f"a {line.kind} has a title and a joke, and does nothing else"
    if line.kind == "counter" and (line.roll or line.counters):
        return "a counter-spell is not rolled for and does not last"
    if line.kind == "spell" and line.against != "any":
        return "only a counter-spell has `against`"
    if (line.lasting or line.each or line.lies == "them") and not line.counters:
        return "`lasting`, `each` and `lies` are for spells with counters"
    return _effects_fault(line)


def _count_fault(count: int | dict[str, int]) -> str:
    if isinstance(count, int):
        return "" if 1 <= count <= 20 else "count must be 1 to 20"
    if {*count} != {*TABLES}:
        return "count by number of mages has 2, 3 and 4"
    if not all(0 <= copies <= 20 for copies in count.values()) or not any(count.values()):
        return "each count must be 0 to 20, and one at least 1"
    return ""


def _effects_fault(line: CardEntry) -> str | None:
    for text in (*line.effects, *line.each):
        try:
            effect = _effect(text)
        except ValueError as error:
            return str(error)
        if text in line.each and (effect.who != "you" or effect.verb in NOT_EACH):
            return f"{text!r}: what a lasting spell does each turn is about `you`, and moves no card"
    return next(filter(None, map(_ability_fault, line.lasting)), None)


def _effect(text: str) -> Effect:
    who, _, rest = text.partition(" ")
    verb, _, number = rest.partition(" ")
    if who not in WHO:
        raise ValueError(f"{text!r}: an effect starts with {', '.join(WHO)}")
    if verb in BARE and not number:
        return Effect(who, verb, 1)
    if verb not in NUMBERED + SIGNED:
        raise ValueError(f"{text!r}: effects are {', '.join(NUMBERED + SIGNED)} with a number, and {', '.join(BARE)}")
    signed = verb in SIGNED
    if not re.fullmatch(r"[+-]\d\d?" if signed else r"[1-9]", number):
        raise ValueError(f"{text!r}: {verb} takes a number " + ("with its sign" if signed else "from 1 to 9"))
    return Effect(who, verb, int(number))


def _ability_fault(text: str) -> str | None:
    word, _, number = text.partition(" ")
    if word not in ABILITIES or bool(number) != (word == "sure"):
        return f"{text!r}: a lasting spell gives shield, float, fresh, or `sure` with a number"
    if number and not re.fullmatch(r"[+-]\d", number):
        return f"{text!r}: sure takes a number with its sign"
    return None


def _line_of_card(text: str, index: int) -> int:
    heads = [number for number, line in enumerate(text.splitlines(), 1) if re.match(r"\s*\[\[\s*card\s*\]\]", line)]
    return heads[index] if index < len(heads) else 1
