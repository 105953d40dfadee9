"""The typed cards of an edition (spells, fighters and judges), and their texts for people."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from games.api import Card
from games.cheaty_mages.language import N_, _, ngettext
from languages import ENGLISH, current_language

SpellKind: TypeAlias = Literal["direct", "enchant", "support"]
Target: TypeAlias = Literal["fighter", "spell", "player", "bet", "move", "none"]
EnduringHost: TypeAlias = Literal["", "judge", "player", "spell"]
Verdict: TypeAlias = Literal["dispel", "eject"]

KIND_WORDS = (N_("direct"), N_("enchant"), N_("support"), N_("Direct"), N_("Enchant"), N_("Support"), N_("Forbidden"))
EVERY = ("direct", "enchant", "support", "forbidden")  # the kinds that a judge may refuse


class Spell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of spell card. `enduring` names the place where the card stays after it was cast; "" if it does not stay
    in play."""

    name: str
    title: str
    kind: SpellKind
    count: int
    text: str
    mana: int = 0
    power: int = 0
    forbidden: bool = False
    target: Target = "fighter"
    enduring: EnduringHost = ""
    prize_times: int = 1
    face_up: bool = False  # an Enchant spell that is placed face up
    through_reflection: bool = False

    @property
    def is_face_down(self) -> bool:
        """Returns whether the spell is normally placed face down."""
        return self.kind == "enchant" and not self.face_up


class Fighter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fighter card. On an undead fighter, spells that add power take it away, and the other way round."""

    name: str
    title: str
    power: int
    prize: int
    undead: bool = False


class Judgement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A limit of mana, and the verdict on each fighter with more mana."""

    limit: int
    verdict: Verdict


class Judge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One judge card. It has one judgement, or in `reveals` a judgement for each kind of spell that may be revealed, or
    none."""

    name: str
    title: str
    judgement: Judgement | None = None  # None: the judge has no limit of its own
    reveals: dict[SpellKind, Judgement] = {}
    refuses: tuple[str, ...] = ()
    dispels_up_to: int | None = None  # dispels at this total mana or less; None: the judge ignores low totals


class HandSizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of cards, each by the number of players: dealt at the start, drawn between rounds, and the largest hand
    after drawing."""

    dealt: dict[int, int]
    drawn: dict[int, int]
    limit: dict[int, int]


class RuleFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of the rules that are the same in both editions, with their printed values as defaults."""

    rounds: int = 3
    fighters: int = 5  # the number of fighters in the arena
    bets: int = 3  # the largest number of betting cards that a player places


class Edition(msgspec.Struct, frozen=True):
    """One edition of the game: its cards, and the rules in which the editions differ."""

    id: str
    starting_money: int
    looks_by_discarding: bool  # any card may be discarded to look at face-down spells
    draws_after_no_winner: bool  # players also draw cards after a round without a winner
    spells: tuple[Spell, ...]
    fighters: tuple[Fighter, ...]
    judges: tuple[Judge, ...]
    hands: HandSizes
    house: RuleFigures = RuleFigures()


def edition_cards(found: Edition) -> list[Card]:
    """Returns all cards of an edition as `magehall cards` shows them."""
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
    text = _("Undead: spells that add power take it away, and the other way round.") if fighter.undead else ""
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
VALUES = (N_("player"), N_("spell"), N_("dispel"), N_("eject"))  # the value "judge" is marked in KINDS


def _heading(kind: str, facts: dict[str, int | str], count: int = 1) -> str:
    """Returns kind, facts and copies of a card as text; "" in English, where the heading is built from the card
    itself."""
    if current_language() == ENGLISH:
        return ""
    said = [
        _(KINDS[kind]),
        *(_(name) if value == "yes" else f"{_(name)} {_(str(value))}" for name, value in facts.items()),
    ]
    return ", ".join([*said, _("{count} copies", count=count)] if count > 1 else said)


def typed_spell_name(spell: Spell) -> str:
    """Returns a card's name as people type it: the name that actions use in English, the title in other languages."""
    return spell.name if current_language() == ENGLISH else _(spell.title)


def gold_text(amount: int) -> str:
    """Returns an amount of money with its unit."""
    return ngettext("{n} gold", "{n} gold", amount)


def judge_text(judge: Judge, *, short: bool = False) -> str:
    """Returns one or two sentences that say what a judge does; a few words with `short`."""
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
