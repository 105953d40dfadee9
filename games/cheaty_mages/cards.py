"""What exists in an edition: its spells, fighters and judges, typed, and as people look them up."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from games.api import Card
from games.cheaty_mages.language import N_, _, ngettext
from languages import ENGLISH, language

SpellKind: TypeAlias = Literal["direct", "enchant", "support"]
Target: TypeAlias = Literal["fighter", "spell", "player", "bet", "move", "none"]
Host: TypeAlias = Literal["", "judge", "player", "spell"]
Verdict: TypeAlias = Literal["dispel", "eject"]

KIND_WORDS = (N_("direct"), N_("enchant"), N_("support"), N_("Direct"), N_("Enchant"), N_("Support"), N_("Forbidden"))
EVERY = ("direct", "enchant", "support", "forbidden")  # what a judge may refuse


class Spell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of spell card. `enduring` names what it stays on after it was cast; "" if it does not stay."""

    name: str
    title: str
    kind: SpellKind
    count: int
    text: str
    mana: int = 0
    power: int = 0
    forbidden: bool = False
    target: Target = "fighter"
    enduring: Host = ""
    prize_times: int = 1
    face_up: bool = False  # an Enchant that lies face up
    through_reflection: bool = False

    @property
    def lies_hidden(self) -> bool:
        """Whether it is placed face down as a rule."""
        return self.kind == "enchant" and not self.face_up


class Fighter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fighter card. An undead one turns the sign of what spells do to its power."""

    name: str
    title: str
    power: int
    prize: int
    undead: bool = False


class Judgement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happens to a fighter with more mana than the limit."""

    limit: int
    verdict: Verdict


class Judge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One judge card: a judgement, or a table by the kind of a revealed spell, or neither."""

    name: str
    title: str
    judgement: Judgement | None = None  # None: this judge has none of its own
    reveals: dict[SpellKind, Judgement] = {}
    refuses: tuple[str, ...] = ()
    dispels_up_to: int | None = None  # None: low totals are left alone


class Hands(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cards by number of players: dealt at the start, drawn between rounds, and the limit for drawing."""

    dealt: dict[int, int]
    drawn: dict[int, int]
    limit: dict[int, int]


class House(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of the rules in which the editions do not differ, as printed."""

    rounds: int = 3
    fighters: int = 5  # in the arena
    bets: int = 3  # the most betting cards that a player places


class Edition(msgspec.Struct, frozen=True):
    """One printing of the game: everything in which two of them differ, and the cards."""

    id: str
    starting_money: int
    looks_by_discarding: bool  # Detect Magic is something everybody can do with any card
    draws_after_no_winner: bool
    spells: tuple[Spell, ...]
    fighters: tuple[Fighter, ...]
    judges: tuple[Judge, ...]
    hands: Hands
    house: House = House()


def cards_of(found: Edition) -> list[Card]:
    """The cards as people look them up."""
    return [*map(_spell_card, found.spells), *map(_fighter_card, found.fighters), *map(_judge_card, found.judges)]


def _spell_card(spell: Spell) -> Card:
    facts: dict[str, int | str] = {}
    if spell.kind != "support":
        facts["mana"] = spell.mana
    if spell.power:
        facts["power"] = spell.power
    if spell.forbidden:
        facts["forbidden"] = "yes"
    if spell.enduring:
        facts["enduring"] = spell.enduring
    return Card(
        spell.name,
        _(spell.title),
        f"{spell.kind} spell",
        spell.count,
        _(spell.text),
        facts,
        _heading(spell.kind, facts, spell.count),
    )


def _fighter_card(fighter: Fighter) -> Card:
    text = _("Undead: what spells add to its power is taken off, and the other way round.") if fighter.undead else ""
    facts: dict[str, int | str] = {"power": fighter.power, "prize": fighter.prize}
    return Card(fighter.name, _(fighter.title), "fighter", 1, text, facts, _heading("fighter", facts))


def _judge_card(judge: Judge) -> Card:
    facts: dict[str, int | str] = {}
    if judge.judgement:
        facts = {"limit": judge.judgement.limit, "judgement": judge.judgement.verdict}
    return Card(judge.name, _(judge.title), "judge", 1, judge_text(judge), facts, _heading("judge", facts))


KINDS = {
    "direct": N_("direct spell"),
    "enchant": N_("enchant spell"),
    "support": N_("support spell"),
    "fighter": N_("fighter"),
    "judge": N_("judge"),
}
FACTS = (N_("mana"), N_("power"), N_("forbidden"), N_("enduring"), N_("prize"), N_("limit"), N_("judgement"))
VALUES = (N_("player"), N_("spell"), N_("dispel"), N_("eject"))  # besides, a judge


def _heading(kind: str, facts: dict[str, int | str], count: int = 1) -> str:
    """Kind, facts and copies in a language other than English, which needs no heading of its own."""
    if language() == ENGLISH:
        return ""
    said = [
        _(KINDS[kind]),
        *(_(name) if value == "yes" else f"{_(name)} {_(str(value))}" for name, value in facts.items()),
    ]
    return ", ".join([*said, _("{count} copies", count=count)] if count > 1 else said)


def called(spell: Spell) -> str:
    """A card as it is typed: in English by the name that programs use, else by its title."""
    return spell.name if language() == ENGLISH else _(spell.title)


def gold(amount: int) -> str:
    """So much money."""
    return ngettext("{n} gold", "{n} gold", amount)


def judge_text(judge: Judge, *, short: bool = False) -> str:
    """What the judge does, in a sentence or two, or in as few words as can be."""
    parts = []
    if judge.judgement:
        limit, verdict = judge.judgement.limit, _(judge.judgement.verdict)
        above = _("Above {limit}: {verdict}.", limit=limit, verdict=verdict)
        parts.append(above if short else _("Above {limit} mana: {verdict}.", limit=limit, verdict=verdict))
    elif judge.reveals:
        rows = ", ".join(f"{_(kind)} {one.limit} {_(one.verdict)}" for kind, one in judge.reveals.items())
        reveal = _("Reveal decides: {rows}.", rows=rows)
        parts.append(reveal if short else _("A spell revealed at the judgement decides: {rows}.", rows=rows))
    else:
        parts.append(_("No limit, no judgement."))
    if judge.dispels_up_to is not None:
        parts.append(_("Also dispels at {mana} mana or less.", mana=judge.dispels_up_to))
    if judge.refuses:
        kinds = _(" and ").join(_(word.capitalize()) for word in judge.refuses)
        parts.append(_("Refuses {kinds}.", kinds=kinds) if short else _("Refuses {kinds} spells.", kinds=kinds))
    return " ".join(parts)
