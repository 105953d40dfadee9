"""Encodes a view as numbers, and computes an upper bound for the length of a race.

Mages are in seat order for every viewer; the field `seat` names the viewer. Cards are numbered from 0 in the order of
the card file. Where a number stands for a card or for no card, it is 0 for no card, else the card's number plus 1.
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import get_args

from games.layout import (
    KEPT,
    CardCounts,
    Layout,
    LayoutField,
    PartCache,
    join_parts,
    number_packer,
    one_hot,
    pack_numbers,
    pack_padded,
    zero_part,
)
from games.mages_110m.cards import CardKind, Deck
from games.mages_110m.moves import DEEDS
from games.mages_110m.options import RaceOptions
from games.mages_110m.turns import RESERVE_GAIN
from games.mages_110m.views import CurrentSpell, LastingSpell, MageView, Phase, Race, SeatRace

PHASES = get_args(Phase)
MOST_COUNTERS = 9

_figures = attrgetter(*("square", "arms", "legs", "endurance", "power", "reserve", "hand_size", "traded", "dazed"))
_pack_figures, _pack_table = number_packer(9), number_packer(4)

UNSAID = frozenset({"squares"})  # a constant of the card file


def view_layout(deck: Deck, seats: int, options: RaceOptions) -> Layout:
    """Returns the layout of the vector."""
    kinds, cards, lies = len(deck.kinds), deck.max_cards, _most_lasting(deck)
    figures, copies = deck.mages, max(kind.count for kind in deck.kinds)
    found = [
        LayoutField("seat", (seats,)),
        LayoutField("phase", (len(PHASES),)),
        LayoutField("turn_of", (seats,)),
        LayoutField("to_move", (seats,)),
        LayoutField("spell", (kinds,)),
        LayoutField("spell of", (seats,)),
        LayoutField("spell at", (seats,)),
        LayoutField("missing", (1,), 0, 20 * copies),
        LayoutField("deed", (len(DEEDS),)),
        LayoutField("king", (seats,), 0, seats),
        LayoutField("turn", (1,), 0, max_turns(deck, seats)),
        LayoutField("pile", (1,), 0, cards),
        LayoutField("counts", (1,), 0, figures.counts),
        LayoutField("surge_stays", (1,)),
        LayoutField("discard", (kinds,), 0, copies),
        LayoutField("hand", (kinds,), 0, copies),
        LayoutField("answer", (kinds + 1,)),  # no counter-spell, or which one
    ]
    for seat in range(1, seats + 1):
        found += [
            LayoutField(f"mage {seat} square", (1,), 1, deck.track.squares + 1),
            LayoutField(f"mage {seat} arms", (1,), 0, figures.arms),
            LayoutField(f"mage {seat} legs", (1,), 0, figures.legs),
            LayoutField(f"mage {seat} endurance", (1,), 0, figures.endurance),
            LayoutField(f"mage {seat} power", (1,), 0, _most(deck, seats, "power", 0)),
            LayoutField(f"mage {seat} reserve", (1,), 0, options.late_reserve + _most(deck, seats, "reserve", 1)),
            LayoutField(f"mage {seat} hand_size", (1,), 0, cards),
            LayoutField(f"mage {seat} traded", (1,)),
            LayoutField(f"mage {seat} dazed", (1,)),
            LayoutField(f"mage {seat} hurdles", (deck.track.squares,)),
            LayoutField(f"mage {seat} cvs", (len(_cvs(deck)),), 0, copies),
            LayoutField(f"mage {seat} lasting", (lies,), 0, kinds),
            LayoutField(f"mage {seat} counters", (lies,), 0, MOST_COUNTERS),
            LayoutField(f"mage {seat} asleep", (lies,)),
        ]
    return Layout(found)


@lru_cache(maxsize=8)
def _most_lasting(deck: Deck) -> int:
    return sum(kind.count for kind in deck.kinds if kind.counters)


@lru_cache(maxsize=8)
def _cvs(deck: Deck) -> tuple[str, ...]:
    return tuple(kind.name for kind in deck.kinds if kind.is_cv)


class Encoder:
    """Encodes the views of one deck and one number of mages."""

    def __init__(self, deck: Deck, seats: int) -> None:
        self._deck, self._seats, self._lies = deck, seats, _most_lasting(deck)
        self._seat = [zero_part(seats), *(one_hot(place, seats) for place in range(seats))]
        self._phase = {phase: one_hot(at, len(PHASES)) for at, phase in enumerate(PHASES)}
        self._deed = {deed: one_hot(at, len(DEEDS)) for at, deed in enumerate(DEEDS)}
        self._card = [one_hot(kind, len(deck.kinds)) for kind in range(len(deck.kinds))]
        self._no_spell, self._no_deed = zero_part(len(deck.kinds) + 2 * seats + 1), zero_part(len(DEEDS))
        self._nobody, self._no_answer = zero_part(seats), zero_part(len(deck.kinds) + 1)
        self._no_cvs, self._nothing_lasts = zero_part(len(_cvs(deck))), zero_part(3 * self._lies)
        self._counts, self._mages = CardCounts(deck.index), PartCache(self._mage)

    def encode_view(self, view: Race) -> bytearray:
        """Returns the numbers of a view, as 32-bit floats."""
        seats = self._seats
        if isinstance(view, SeatRace):
            seat, hand, answer = view.seat, view.hand, self._answer(view.answer[0]) if view.answer else self._no_answer
        else:
            seat, hand, answer = 0, (), self._no_answer
        return join_parts(
            (
                self._seat[seat],
                self._phase[view.phase],
                self._seat[view.turn_of],
                _each(view.to_move, seats),
                self._spell(view.spell[0]) if view.spell else self._no_spell,
                self._deed[view.deed[0]] if view.deed else self._no_deed,
                _order(view.king, seats) if view.king else self._nobody,
                _pack_table(view.turn, view.pile, view.counts, view.surge == "stays"),
                self._counts.count_pile(view.discard),
                self._counts.count_cards(hand),
                answer,
                *self._mages.cached_parts(view.mages),
            )
        )

    def _answer(self, card: str) -> bytes:
        """Returns the numbers of an answer: no counter-spell, or which one."""
        return one_hot(self._deck.index.get(card, -1) + 1, len(self._deck.kinds) + 1)

    def _spell(self, spell: CurrentSpell) -> bytes:
        whose = self._seat[spell.seat] + self._seat[spell.at]
        return self._card[self._deck.index[spell.card]] + whose + pack_numbers(spell.missing)

    def _mage(self, mage: MageView, _last: object) -> bytes:
        deck = self._deck
        return b"".join(
            (
                _pack_figures(*_figures(mage)),
                _each(mage.hurdles, deck.track.squares),
                _counts_of_cvs(deck, mage.cvs) if mage.cvs else self._no_cvs,
                self._lasting(mage.lasting) if mage.lasting else self._nothing_lasts,
            )
        )

    def _lasting(self, lasting: tuple[LastingSpell, ...]) -> bytes:
        index, lies = self._deck.index, self._lies
        cards = pack_padded([index[one.card] + 1 for one in lasting], lies)
        return (
            cards
            + pack_padded([one.counters for one in lasting], lies)
            + pack_padded([one.asleep for one in lasting], lies)
        )


@lru_cache(maxsize=16)
def get_encoder(deck: Deck, seats: int) -> Encoder:
    """Returns a shared encoder, which keeps its cache between calls."""
    return Encoder(deck, seats)


@lru_cache(maxsize=KEPT)
def _each(some: tuple[int, ...], most: int) -> bytes:
    return pack_numbers(*[one in some for one in range(1, most + 1)])


@lru_cache(maxsize=1_000)
def _order(some: tuple[int, ...], seats: int) -> bytes:
    return pack_numbers(*[some.index(seat) + 1 if seat in some else 0 for seat in range(1, seats + 1)])


@lru_cache(maxsize=KEPT)
def _counts_of_cvs(deck: Deck, cvs: tuple[str, ...]) -> bytes:
    return pack_numbers(*[cvs.count(name) for name in _cvs(deck)])


# Upper bounds for a race. Each turn takes a card from the pile, unless the pile and the discard pile are empty. In that
# case cards come back: lasting spells end after their counters, and mages with too many cards discard some.


def max_turns(deck: Deck, seats: int) -> int:
    """Returns an upper bound for the number of turns of all mages together."""
    return deck.mages.counts * (deck.max_cards + seats * (MOST_COUNTERS + 3))


def _most(deck: Deck, seats: int, figure: str, failed: int) -> int:
    """Returns an upper bound for a figure of one mage: the gain from each card ever drawn and from each discard action,
    and `failed` for each spell that fails."""
    taken = deck.mages.counts * deck.max_cards
    from_card = max(_gain(kind, figure) for kind in deck.kinds)
    return taken * (from_card + failed) + max_turns(deck, seats) * RESERVE_GAIN


def _gain(kind: CardKind, figure: str) -> int:
    at_once = sum(max(effect.amount, 0) for effect in kind.effects if effect.verb == figure)
    each = sum(max(effect.amount, 0) for effect in kind.each if effect.verb == figure)
    cast = max(kind.power, 0) if figure == "power" else 0
    return cast + at_once + each * kind.counters


def max_game_length(deck: Deck, seats: int) -> int:
    """Returns an upper bound for the number of decisions of a race.

    Each turn has one action. Each card ever drawn is cast or dropped, paid for, and answered by each opponent.
    """
    return max_turns(deck, seats) + deck.mages.counts * deck.max_cards * (seats + 1)
