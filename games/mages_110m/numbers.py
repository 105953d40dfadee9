"""A view of a race as numbers, and how many turns and decisions a race can have.

Mages stand in the order of their seats, whoever looks; `seat` says who does. Cards are numbered as in the card file,
from 0 on; where a number stands for a card or nothing, 0 is nothing and the rest is one more.
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import Any, get_args

from games.layout import KEPT, Field, Layout, one_of, part, row, write, zeros
from games.mages_110m.cards import Deck, Kind
from games.mages_110m.moves import DEEDS
from games.mages_110m.options import RaceOptions
from games.mages_110m.turns import RESERVE_GAIN
from games.mages_110m.views import Lasting, Mage, Phase, Race, SeatRace, Spell

PHASES = get_args(Phase)
MOST_COUNTERS = 9

_figures = attrgetter(*("square", "arms", "legs", "endurance", "power", "reserve", "hand_size", "traded", "dazed"))

UNSAID = frozenset({"squares"})  # they are those of the card file


def layout(deck: Deck, seats: int, options: RaceOptions) -> Layout:
    """What stands where."""
    kinds, cards, lies = len(deck.kinds), len(deck.all_cards), _most_lasting(deck)
    figures, copies = deck.mages, max(kind.count for kind in deck.kinds)
    found = [
        Field("seat", (seats,)),
        Field("phase", (len(PHASES),)),
        Field("turn_of", (seats,)),
        Field("to_move", (seats,)),
        Field("spell", (kinds,)),
        Field("spell of", (seats,)),
        Field("spell at", (seats,)),
        Field("missing", (1,), 0, 20 * copies),
        Field("deed", (len(DEEDS),)),
        Field("king", (seats,), 0, seats),
        Field("turn", (1,), 0, most_turns(deck, seats)),
        Field("pile", (1,), 0, cards),
        Field("counts", (1,), 0, figures.counts),
        Field("surge_stays", (1,)),
        Field("discard", (kinds,), 0, copies),
        Field("hand", (kinds,), 0, copies),
        Field("answer", (kinds + 1,)),  # letting it be, or that card
    ]
    for seat in range(1, seats + 1):
        found += [
            Field(f"mage {seat} square", (1,), 1, deck.track.squares + 1),
            Field(f"mage {seat} arms", (1,), 0, figures.arms),
            Field(f"mage {seat} legs", (1,), 0, figures.legs),
            Field(f"mage {seat} endurance", (1,), 0, figures.endurance),
            Field(f"mage {seat} power", (1,), 0, _most(deck, seats, "power", 0)),
            Field(f"mage {seat} reserve", (1,), 0, options.late_reserve + _most(deck, seats, "reserve", 1)),
            Field(f"mage {seat} hand_size", (1,), 0, cards),
            Field(f"mage {seat} traded", (1,)),
            Field(f"mage {seat} dazed", (1,)),
            Field(f"mage {seat} hurdles", (deck.track.squares,)),
            Field(f"mage {seat} cvs", (len(_cvs(deck)),), 0, copies),
            Field(f"mage {seat} lasting", (lies,), 0, kinds),
            Field(f"mage {seat} counters", (lies,), 0, MOST_COUNTERS),
            Field(f"mage {seat} asleep", (lies,)),
        ]
    return Layout(found)


@lru_cache(maxsize=8)
def _most_lasting(deck: Deck) -> int:
    return sum(kind.count for kind in deck.kinds if kind.counters)


@lru_cache(maxsize=8)
def _cvs(deck: Deck) -> tuple[str, ...]:
    return tuple(kind.name for kind in deck.kinds if kind.is_cv)


def encode(deck: Deck, view: Race, out: Any) -> None:
    """Writes the numbers of the view."""
    seats, kinds = len(view.mages), len(deck.kinds)
    if isinstance(view, SeatRace):
        seat, hand = view.seat, view.hand
        answer = deck.index.get(view.answer[0], -1) + 1 if view.answer else -1
    else:
        seat, hand, answer = 0, (), -1
    write(
        (
            _where(seat, view.phase, view.turn_of, view.to_move, seats),
            _spell(deck, view.spell[0], seats) if view.spell else zeros(kinds + 2 * seats + 1),
            one_of(DEEDS.index(view.deed[0]) if view.deed else -1, len(DEEDS)),
            _order(view.king, seats),
            part(view.turn, view.pile, view.counts, view.surge == "stays"),
            _counts(deck, view.discard),
            _counts(deck, hand),
            one_of(answer, kinds + 1),
            *[_mage(deck, mage) for mage in view.mages],
        ),
        out,
    )


@lru_cache(maxsize=KEPT)
def _where(seat: int, phase: str, turn_of: int, to_move: tuple[int, ...], seats: int) -> bytes:
    hot = one_of(PHASES.index(phase), len(PHASES))
    return one_of(seat - 1, seats) + hot + one_of(turn_of - 1, seats) + _each(to_move, seats)


@lru_cache(maxsize=KEPT)
def _each(some: tuple[int, ...], most: int) -> bytes:
    return part(*[one in some for one in range(1, most + 1)])


@lru_cache(maxsize=1_000)
def _order(some: tuple[int, ...], seats: int) -> bytes:
    return part(*[some.index(seat) + 1 if seat in some else 0 for seat in range(1, seats + 1)])


@lru_cache(maxsize=KEPT)
def _spell(deck: Deck, spell: Spell, seats: int) -> bytes:
    card = one_of(deck.index[spell.card], len(deck.kinds))
    return card + one_of(spell.seat - 1, seats) + one_of(spell.at - 1, seats) + part(spell.missing)


@lru_cache(maxsize=KEPT)
def _counts(deck: Deck, cards: tuple[str, ...]) -> bytes:
    counts, index = [0] * len(deck.kinds), deck.index
    for card in cards:
        counts[index[card]] += 1
    return part(*counts)


@lru_cache(maxsize=KEPT)
def _mage(deck: Deck, mage: Mage) -> bytes:
    hurdles = _each(mage.hurdles, deck.track.squares)
    return part(*_figures(mage)) + hurdles + _counts_of_cvs(deck, mage.cvs) + _lasting(deck, mage.lasting)


@lru_cache(maxsize=KEPT)
def _counts_of_cvs(deck: Deck, cvs: tuple[str, ...]) -> bytes:
    return part(*[cvs.count(name) for name in _cvs(deck)])


@lru_cache(maxsize=KEPT)
def _lasting(deck: Deck, lasting: tuple[Lasting, ...]) -> bytes:
    lies = _most_lasting(deck)
    cards = row([deck.index[one.card] + 1 for one in lasting], lies)
    return cards + row([one.counters for one in lasting], lies) + row([one.asleep for one in lasting], lies)


# What a race can come to at most. Every turn takes a card from the pile, unless no card is left in any pile; then the
# lasting spells run out within their counters, and who holds too many cards discards some.


def most_turns(deck: Deck, seats: int) -> int:
    """So many turns of all mages."""
    return deck.mages.counts * (len(deck.all_cards) + seats * (MOST_COUNTERS + 3))


def _most(deck: Deck, seats: int, figure: str, failed: int) -> int:
    """What one mage can gather of a figure: from each card that is ever taken, from each discard action, and `failed`
    from each spell that fails."""
    taken = deck.mages.counts * len(deck.all_cards)
    from_card = max(_gain(kind, figure) for kind in deck.kinds)
    return taken * (from_card + failed) + most_turns(deck, seats) * RESERVE_GAIN


def _gain(kind: Kind, figure: str) -> int:
    at_once = sum(effect.amount for effect in kind.effects if effect.verb == figure and effect.amount > 0)
    each = sum(effect.amount for effect in kind.each if effect.verb == figure and effect.amount > 0)
    cast = max(kind.power, 0) if figure == "power" else 0
    return cast + at_once + each * kind.counters


def longest(deck: Deck, seats: int) -> int:
    """More decisions than these a race cannot have: an action each turn; and for each card that is ever taken its
    casting or dropping, paying for it, and an answer of every opponent."""
    return most_turns(deck, seats) + deck.mages.counts * len(deck.all_cards) * (seats + 1)
