"""Reads an edition from a card file, the game's own or a custom one, and checks it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from math import prod
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from games.card_files import CardFileReader, parse_toml
from games.cheaty_mages.cards import EVERY, Edition, EnduringHost, Fighter, HandSizes, Judge, RuleFigures, Spell, Target

OWN_FILE = Path(__file__).with_name("cards.toml")

Card = TypeVar("Card", Spell, Fighter, Judge)

# of spells; with 50 kinds, a set of kinds fits an integer in every programming language
MOST_CARDS, MOST_KINDS = 100, 50
MOST_OTHERS = 20  # the largest number of fighters, and of judges
MOST_COPIES = 20  # of one kind of spell
MOST_ROUNDS, MOST_FIGHTERS, MOST_BETS, MOST_IN_HAND = 9, 5, 3, 12
MOST_CHANGE, MOST_MANA, MOST_TIMES = 20, 20, 4  # of a spell: change of power, mana, factor for the prize
MOST_POWER, MOST_PRIZE, MOST_LIMIT = 50, 50, 99  # power and prize of a fighter, limit of a judge
MOST_MONEY = 999  # the largest amount that a player can win in a match
LEAST_SEATS, MOST_SEATS = 2, 6
LONGEST_TITLE, LONGEST_TEXT = 40, 200
FEWEST_FOR_NOBODY = 10  # if fewer cards can eject all fighters, a match could last forever
NAME = re.compile(r"[a-z][a-z0-9_]{0,30}")
# words of typed actions, which are not allowed as card names
WORDS = ("bet", "cast", "discard", "done", "draw", "look", "pass", "down", "pay")
SECTIONS = ("spell", "fighter", "judge", "hands", "house", "edition")
FIGURES: dict[str, type] = {"starting_money": int, "looks_by_discarding": bool, "draws_after_no_winner": bool}
EDITIONS = ("ikasamage", "cheaty-mages")

# The Support spells that the rules implement: the target of each, and where its card stays.
SUPPORTS: dict[str, tuple[Target, EnduringHost]] = {
    "detect_magic": ("fighter", ""),
    "dispel_magic": ("spell", ""),
    "recall": ("none", ""),
    "amnesia": ("player", ""),
    "imitation": ("bet", ""),
    "dimension_door": ("none", ""),
    "confusion": ("none", "judge"),
    "invisibility": ("none", "player"),
    "prismatic_ray": ("none", "player"),
    "metamorphosis": ("fighter", ""),
    "alteration": ("move", ""),
    "anti_magic_field": ("fighter", ""),
    "duplicate": ("spell", "spell"),
}
REFLECTION = "reflection"


@cache
def _own() -> str:
    return OWN_FILE.read_text(encoding="utf-8")


@lru_cache(maxsize=16)
def get_edition(edition_id: str, text: str = "") -> Edition:
    """Returns an edition with the edition's own cards or those of a card file. Raises CardsRefused."""
    return read_edition(text or _own(), edition_id)


def read_edition(text: str, edition_id: str) -> Edition:
    """Returns an edition from the text of a card file. Raises CardsRefused with the line, the card and the reason."""
    return _Reader(text).read_edition(edition_id)


def max_money(found: Edition) -> int:
    """Returns the largest amount of gold that a player can have.

    A single bet pays twice the prize, and each Cause Unpopularity on the fighter multiplies the prize.
    """
    times: int = prod(spell.prize_times**spell.count for spell in found.spells)
    return found.starting_money + found.house.rounds * 2 * times * max(fighter.prize for fighter in found.fighters)


class _Reader(CardFileReader):
    def read_edition(self, edition_id: str) -> Edition:
        data = self.parse_file()
        for section in sorted(set(data) - set(SECTIONS)):
            self.set_location(section)
            self.raise_refused("this section does not exist")
        house, figures = self._figures(data, edition_id)
        changes = self._changes(data, edition_id)
        spells = self._cards(data, "spell", Spell, changes)
        fighters = self._cards(data, "fighter", Fighter, {})
        judges = self._cards(data, "judge", Judge, {})
        self.set_location("hands")
        hands = self.convert_entry(self.require_table(data.get("hands"), "hands"), HandSizes)
        found = Edition(
            edition_id, **figures, spells=spells, fighters=fighters, judges=judges, hands=hands, house=house
        )
        self.set_location("house")
        _check_house(self.require, house)
        if not 0 <= found.starting_money <= 99:
            self.raise_refused("starting_money is 0 to 99")
        self.set_location("hands")
        _check_hands(self.require, hands)
        self.set_whole_file()
        _check_whole(self.require, found)
        return found

    def _figures(self, data: dict[str, Any], edition_id: str) -> tuple[RuleFigures, dict[str, Any]]:
        """Returns the figures of the rules and of the edition. Each comes from [house], else from the section of the
        edition, else from the printed game."""
        figures = {name: parse_toml(_own())["edition"][edition_id][name] for name in FIGURES}
        self.set_location("edition")
        editions = self.require_table(data.get("edition", {}), "edition")
        if strange := sorted(set(editions) - set(EDITIONS)):
            self.set_location(f"edition.{strange[0]}")
            self.raise_refused(f"the editions are {' and '.join(EDITIONS)}")
        for name, given in editions.items():
            self.set_location(f"edition.{name}")
            own = {key: value for key, value in self.require_table(given, name).items() if key != "spells"}
            self._check_figures(own, FIGURES)
            if name == edition_id:
                figures |= own
        self.set_location("house")
        house = self.require_table(data.get("house", {}), "house")
        self._check_figures(house, FIGURES | dict.fromkeys(RuleFigures.__struct_fields__, int))
        figures |= {name: value for name, value in house.items() if name in FIGURES}
        return RuleFigures(**{name: value for name, value in house.items() if name not in FIGURES}), figures

    def _check_figures(self, given: dict[str, Any], known: dict[str, type]) -> None:
        for name, value in given.items():
            if name not in known:
                self.raise_refused(f"there is no figure {name!r}; there are {', '.join(known)}")
            if type(value) is not known[name]:
                self.raise_refused(f"{name} is {'true or false' if known[name] is bool else 'a whole number'}")

    def _changes(self, data: dict[str, Any], edition_id: str) -> dict[str, dict[str, Any]]:
        """Returns the changes that this edition makes to spells, by spell name. It also checks the spell names that the
        other edition changes."""
        names = [row.get("name") for row in self.section_entries(data, "spell")]
        changes: dict[str, dict[str, Any]] = {}
        for edition_name, given in data.get("edition", {}).items():
            self.set_location(f"edition.{edition_name}")
            for name, change in self.require_table(given.get("spells", {}), "spells").items():
                self.set_location(f"edition.{edition_name}.spells.{name}")
                if name not in names:
                    self.raise_refused(f"it changes a spell {name!r}, which does not exist")
                if edition_name == edition_id:
                    changes[name] = self.require_table(change, name)
        return changes

    def _cards(
        self, data: dict[str, Any], section: str, kind: type[Card], changes: Mapping[str, dict[str, Any]]
    ) -> tuple[Card, ...]:
        """Returns the cards of one kind in this edition."""
        found: list[Card] = []
        for at, row in enumerate(self.section_entries(data, section)):
            self.set_location(section, at, row.get("name"))
            name = row.get("name")
            card = self.convert_entry(row | changes.get(name, {}) if isinstance(name, str) else row, kind)
            if name != card.name:
                self.raise_refused("an edition cannot change names")
            _check_name(self.require, card.name, card.title)
            if isinstance(card, Spell):
                _check_spell(self.require, card)
            elif isinstance(card, Fighter):
                _check_fighter(self.require, card)
            else:
                _check_judge(self.require, card)
            if not isinstance(card, Spell) or card.count:
                found.append(card)
        return tuple(found)


# The checks of single cards and figures. `demand` raises CardsRefused with the reason if its first argument is False.

Demand: TypeAlias = Callable[[bool, str], object]


def _is_line(text: str, longest: int) -> bool:
    return bool(text.strip()) and text.isprintable() and len(text) <= longest


def _check_name(demand: Demand, name: str, title: str) -> None:
    demand(NAME.fullmatch(name) is not None, "a name is up to 31 lower-case letters, digits and _, a letter first")
    demand(name not in WORDS, "this word is an action, so it cannot be a name")
    demand(_is_line(title, LONGEST_TITLE), f"a title is one line of 1 to {LONGEST_TITLE} characters")


def _check_spell(demand: Demand, spell: Spell) -> None:
    demand(0 <= spell.count <= MOST_COPIES, f"count is 0 to {MOST_COPIES}")
    demand(_is_line(spell.text, LONGEST_TEXT), f"a text is one line of 1 to {LONGEST_TEXT} characters")
    demand(abs(spell.mana) <= MOST_MANA, f"mana is -{MOST_MANA} to {MOST_MANA}")
    demand(abs(spell.power) <= MOST_CHANGE, f"power is -{MOST_CHANGE} to {MOST_CHANGE}")
    demand(1 <= spell.prize_times <= MOST_TIMES, f"prize_times is 1 to {MOST_TIMES}")
    demand(spell.face_up == (spell.name == REFLECTION), f"{REFLECTION} alone lies face up, and always does")
    if spell.kind == "support":
        _check_support(demand, spell)
        return
    demand(spell.name not in SUPPORTS, "this is the name of a Support spell, and the rules know it by its name")
    demand(spell.name != REFLECTION or spell.kind == "enchant", f"{REFLECTION} is an Enchant spell")
    demand(spell.target == "fighter", "only a Support spell has such a target")
    demand(not spell.enduring, "only a Support spell endures")
    demand(not spell.through_reflection, "through_reflection is for Support spells")


def _check_support(demand: Demand, spell: Spell) -> None:
    known = ", ".join(SUPPORTS)
    demand(spell.name in SUPPORTS, f"the rules know Support spells by their names, which are {known}")
    target, host = SUPPORTS[spell.name]
    demand(spell.target == target, f"its target is {target!r}")
    demand(target == "fighter" or not spell.through_reflection, "through_reflection is for spells at a fighter")
    hosts = (host,) if host == "spell" else ("", host)
    demand(spell.enduring in hosts, f"enduring is {' or '.join(repr(one) for one in dict.fromkeys(hosts))}")
    demand(not (spell.mana or spell.power or spell.prize_times > 1), "a Support spell has no numbers")
    single = spell.enduring in ("", "spell") or spell.count <= 1
    demand(single, "lying on a judge or player it is called by its name, so there can be one only")


def _check_fighter(demand: Demand, fighter: Fighter) -> None:
    demand(0 <= fighter.power <= MOST_POWER, f"power is 0 to {MOST_POWER}")
    demand(0 <= fighter.prize <= MOST_PRIZE, f"prize is 0 to {MOST_PRIZE}")


def _check_judge(demand: Demand, judge: Judge) -> None:
    demand(set(judge.refuses) <= set(EVERY), f"refuses names {', '.join(EVERY)} and nothing else")
    demand(len(set(judge.refuses)) == len(judge.refuses), "refuses names one kind twice")
    demand(len(judge.reveals) in (0, 3), "a revealed spell needs three rows")
    demand(not (judge.reveals and judge.judgement), "it has either a judgement or what a revealed spell decides")
    limits = [one.limit for one in (judge.judgement, *judge.reveals.values()) if one]
    demand(all(0 <= limit <= MOST_LIMIT for limit in limits), f"a limit is 0 to {MOST_LIMIT}")
    low = judge.dispels_up_to
    demand(low is None or abs(low) <= MOST_LIMIT, f"dispels_up_to is -{MOST_LIMIT} to {MOST_LIMIT}")


def _check_house(demand: Demand, house: RuleFigures) -> None:
    demand(1 <= house.rounds <= MOST_ROUNDS, f"rounds are 1 to {MOST_ROUNDS}")
    demand(2 <= house.fighters <= MOST_FIGHTERS, f"fighters are 2 to {MOST_FIGHTERS}")
    most = min(MOST_BETS, house.fighters)
    demand(1 <= house.bets <= most, f"bets are 1 to {most}")


def _check_hands(demand: Demand, hands: HandSizes) -> None:
    seats = sorted(hands.dealt)
    named = all(sorted(one) == seats for one in (hands.drawn, hands.limit))
    demand(named and bool(seats), "dealt, drawn and limit are for the same numbers of seats")
    right = LEAST_SEATS <= seats[0] <= seats[-1] <= MOST_SEATS and len(seats) == seats[-1] - seats[0] + 1
    demand(right, f"the numbers of seats go one by one, from {LEAST_SEATS} or more to {MOST_SEATS} or fewer")
    demand(all(1 <= count <= MOST_IN_HAND for count in hands.dealt.values()), f"dealt is 1 to {MOST_IN_HAND}")
    others = (*hands.drawn.values(), *hands.limit.values())
    demand(all(0 <= count <= MOST_IN_HAND for count in others), f"drawn and limit are 0 to {MOST_IN_HAND}")


def _check_whole(demand: Demand, found: Edition) -> None:
    spells, fighters, judges, hands = found.spells, found.fighters, found.judges, found.hands
    cards = [spell.name for spell in spells for _ in range(spell.count)]
    demand(1 <= len(spells) <= MOST_KINDS, f"there are 1 to {MOST_KINDS} kinds of spells")
    demand(len(cards) <= MOST_CARDS, f"there are at most {MOST_CARDS} spell cards")
    arena = found.house.fighters
    demand(arena <= len(fighters) <= MOST_OTHERS, f"there are {arena} to {MOST_OTHERS} fighters")
    demand(1 <= len(judges) <= MOST_OTHERS, f"there are 1 to {MOST_OTHERS} judges")
    every: tuple[Spell | Fighter | Judge, ...] = (*spells, *fighters, *judges)
    demand(_differ(card.name for card in every), "two cards have one name")
    demand(_differ(card.title.casefold() for card in every), "two cards have one title")
    powers = _differ(fighter.power for fighter in fighters)
    demand(powers, "two fighters of one power: their tie could not be broken")
    seats, dealt = max((seats * count, seats) for seats, count in hands.dealt.items())[1], hands.dealt
    demand(seats * dealt[seats] <= len(cards), f"{seats} seats are dealt more spell cards than there are")
    held = max(seats * max(dealt[seats], hands.limit[seats]) for seats in dealt)
    endless = cards.count("recall") > 1 and len(cards) - cards.count("recall") <= held
    demand(not endless, f"several recall could be drawn for ever, unless there are more than {held} other cards")
    if found.draws_after_no_winner:
        fewest = _fewest_for_nobody(found)
        reason = f"{fewest} cards eject every fighter; with fewer than {FEWEST_FOR_NOBODY} a match might never end"
        demand(fewest >= FEWEST_FOR_NOBODY, f"{reason}, so write draws_after_no_winner = false in [house]")
    demand(max_money(found) <= MOST_MONEY, f"a player could get more than {MOST_MONEY} gold")


def _differ(values: Iterable[object]) -> bool:
    found = list(values)
    return len(set(found)) == len(found)


def _fewest_for_nobody(found: Edition) -> int:
    """Returns the smallest number of spell cards with which a judge ejects all fighters; a large number if no judge
    can."""
    mana = max(spell.mana for spell in found.spells)
    verdicts = [one for judge in found.judges for one in (judge.judgement, *judge.reveals.values()) if one]
    limits = [one.limit for one in verdicts if one.verdict == "eject"]
    return found.house.fighters * (min(limits) // mana + 1) if limits and mana > 0 else MOST_CARDS
