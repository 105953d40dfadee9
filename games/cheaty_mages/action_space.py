"""Lists every action of an edition in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import assert_never

from games.api import Action
from games.cheaty_mages import moves
from games.cheaty_mages.cards import Spell
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.options import ArenaOptions


@lru_cache(maxsize=64)
def all_actions(deck: Deck, seats: int, options: ArenaOptions) -> Sequence[Action]:
    """Returns every action that can ever be legal.

    First come bets, pass, done and votes. Then follow the casts of each kind of spell in card order (without, then with
    payment for foul play), the looks, and the discards. Casts at a spell on a fighter include all places up to the
    number of cards that can lie on fighters.
    """
    refused = _refused(deck)
    cheats = options.allows_cheating
    places = max_spell_places(deck, cheats=cheats)
    found: list[Action] = [*deck.bets, moves.PASS, moves.DONE, *(moves.VOTES if options.has_votes else ())]
    for spell, illegal in zip(deck.spells, refused, strict=True):
        for paying in (False, True) if illegal and options.foul_play else (False,):
            found += _casts(deck, spell, seats, places, paying)
        if cheats and illegal and spell.kind != "direct" and not spell.is_face_down:
            found += moves.casts_at_fighters(spell.name, deck.all_open, True, False)
    if deck.edition.looks_by_discarding:
        found += [look for spell in deck.spells for look in moves.looks_at_fighters(spell.name, deck.all_open)]
    return tuple(found + [moves.discard_action(spell.name) for spell in deck.spells])


@lru_cache(maxsize=8)
def max_spell_places(deck: Deck, *, cheats: bool) -> int:
    """Returns the number of spell cards that can lie on fighters. With `cheats` these include spells that a judge
    refuses."""
    return sum(
        spell.count
        for spell, illegal in zip(deck.spells, _refused(deck), strict=True)
        if spell.kind != "support" or spell.enduring == "spell" or (cheats and illegal)
    )


def _refused(deck: Deck) -> list[bool]:
    """Returns, for each kind of spell in card order, whether any judge refuses it."""
    return [any(mask >> kind & 1 for mask in deck.refuses) for kind in range(len(deck.spells))]


def _casts(deck: Deck, spell: Spell, seats: int, places: int, paying: bool) -> Iterator[Action]:
    name, everywhere = spell.name, deck.all_open
    on_fighters = [(fighter, place + 1) for fighter in deck.places for place in range(places)]
    if spell.kind != "support":
        yield from moves.casts_at_fighters(name, everywhere, False, paying)
        if spell.kind == "direct":
            yield from moves.casts_at_fighters(name, everywhere, True, paying)
        return
    match spell.target:
        case "fighter":
            yield from moves.casts_at_fighters(name, everywhere, False, paying)
        case "none":
            yield from moves.untargeted_casts(name, paying)
        case "player":
            yield from (moves.cast_at_player(name, seat, paying) for seat in range(1, seats + 1))
        case "bet":
            for placed in deck.places:
                yield from moves.swapping_casts(name, (placed,), deck.in_the_arena, paying)
        case "move":
            for fighter, place in on_fighters:
                yield from moves.moving_casts(name, fighter, place, everywhere, paying)
        case "spell":
            yield from (moves.cast_at_place(name, fighter, place, paying) for fighter, place in on_fighters)
            if not spell.enduring:
                ending = [other.name for other in deck.spells if other.enduring in ("judge", "player")]
                yield from (moves.CastAtEnduring(name, other, paying) for other in ending)
        case _:
            assert_never(spell.target)
