"""The cards of an edition as the rules need them: cards and kinds as numbers, and sets of kinds as the bits of an
integer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from weakref import WeakValueDictionary

from games.cheaty_mages.cards import Edition, Judge, Spell
from games.cheaty_mages.editions import get_edition
from games.cheaty_mages.moves import (
    FIGHTERS,
    Cast,
    CastAlone,
    Look,
    all_bets,
    casts_at_fighters,
    discard_action,
    looks_at_fighters,
    untargeted_casts,
)
from games.cheaty_mages.views import JudgeView, LimitKnown, LimitToCome, NoLimit


class Deck:
    """The cards of an edition. It is built once and shared by all matches."""

    def __init__(self, found: Edition) -> None:
        self.edition = found
        self.spells = found.spells
        self.fighters, self.judges, self.hands = found.fighters, found.judges, found.hands
        self.rounds = found.house.rounds
        self.in_the_arena = found.house.fighters
        self.places = FIGHTERS[: self.in_the_arena]  # fighter 1 first
        self.all_open = sum(1 << fighter for fighter in self.places)  # the set of all fighters; bit n for fighter n
        self.bets = all_bets(self.in_the_arena, found.house.bets)
        self.lawful_bets = frozenset(self.bets)
        self.bets_of = {size: tuple(bet.on for bet in self.bets if len(bet.on) == size) for size in (1, 2, 3)}
        self.kind_of = tuple(kind for kind, spell in enumerate(found.spells) for _ in range(spell.count))
        self.first_of = tuple(self.kind_of.index(kind) for kind in range(len(found.spells)))
        self.spell_of: tuple[Spell, ...] = tuple(found.spells[kind] for kind in self.kind_of)
        self.name_of = tuple(spell.name for spell in self.spell_of)
        self.mana_of = tuple(spell.mana for spell in self.spell_of)
        self.power_of = tuple(spell.power for spell in self.spell_of)
        self.number = {spell.name: kind for kind, spell in enumerate(found.spells)}
        self.judge_at = {judge.name: place for place, judge in enumerate(found.judges)}
        self.fighter_at = {fighter.name: place for place, fighter in enumerate(found.fighters)}
        self.hiding = _mask(spell.is_face_down for spell in found.spells)
        self.directs = _mask(spell.kind == "direct" for spell in found.spells)
        self.refuses = tuple(
            _mask(
                spell.kind in judge.refuses or (spell.forbidden and "forbidden" in judge.refuses)
                for spell in found.spells
            )
            for judge in found.judges
        )
        masks = (*range(self.all_open), self.all_open)
        # For each kind of spell and each set of fighters that may be targets: the casts that need at most a fighter, or
        # None for kinds that need more. Then, in the same way, the looks for which a card of the kind may be discarded.
        self.casts = tuple(self._plain_casts(spell, masks) for spell in found.spells)
        self.looks: tuple[tuple[tuple[Look, ...], ...], ...] = ()
        if found.looks_by_discarding:
            self.looks = tuple(tuple(looks_at_fighters(spell.name, mask) for mask in masks) for spell in found.spells)
        self.discards = tuple(discard_action(spell.name) for spell in found.spells)
        self.judge_views: tuple[JudgeView, ...] = tuple(_judge_view(judge) for judge in found.judges)

    def _plain_casts(self, spell: Spell, masks: Sequence[int]) -> tuple[tuple[CastAlone | Cast, ...], ...] | None:
        if spell.target == "none":
            return (untargeted_casts(spell.name, False),) * len(masks)
        # Metamorphosis also needs a fighter in the fighter pile.
        if spell.target == "fighter" and spell.name != "metamorphosis":
            goes_at = (self.all_open if spell.through_reflection else mask for mask in masks)
            return tuple(casts_at_fighters(spell.name, mask, False, False) for mask in goes_at)
        return None


def _mask(bits: Iterable[bool]) -> int:
    return sum(1 << place for place, bit in enumerate(bits) if bit)


_in_use: WeakValueDictionary[tuple[str, str], Deck] = WeakValueDictionary()


@lru_cache(maxsize=16)
def get_deck(edition_id: str, cards: str = "") -> Deck:
    """Returns the deck of an edition, with the edition's own cards or those of a card file.

    All copies of a match share one deck, even after the deck left the cache. Raises CardsRefused.
    """
    found = _in_use.get((edition_id, cards)) or Deck(get_edition(edition_id, cards))
    _in_use[edition_id, cards] = found
    return found


def _judge_view(judge: Judge) -> JudgeView:
    limit: NoLimit | LimitKnown | LimitToCome = NoLimit()
    if judge.judgement:
        limit = LimitKnown(judge.judgement.limit, judge.judgement.verdict)
    elif judge.reveals:
        limit = LimitToCome()
    low = () if judge.dispels_up_to is None else (judge.dispels_up_to,)
    return JudgeView(judge.name, limit, judge.refuses, low)
