"""What can be done in a race: the actions, and those of a whole deck, made once. Cards are written by name."""

from __future__ import annotations

from typing import Literal, TypeAlias

from games.api import Action, Seat
from games.mages_110m.cards import LACKS, Deck

Deed: TypeAlias = Literal["arm", "leg", "step", "clear", "rest", "reserve"]
DEEDS: tuple[Deed, ...] = ("arm", "leg", "step", "clear", "rest", "reserve")


class Cast(Action, frozen=True, tag="cast"):
    """Play a spell from the hand; `at` is the seat it is aimed at, 0 for a spell that is aimed at nobody."""

    card: str
    at: Seat = 0


class Trade(Action, frozen=True, tag="trade"):
    """The discard action: two cards, chosen next, for one deed."""

    deed: Deed


class Gamble(Action, frozen=True, tag="gamble"):
    """Discard the whole hand and cast the top spell of the pile without a roll."""


class Aim(Action, frozen=True, tag="aim"):
    """At whom the gambled spell goes."""

    at: Seat


class Pass(Action, frozen=True, tag="pass"):
    """No action this turn."""


class Drop(Action, frozen=True, tag="drop"):
    """Discard one card: as a price, above the hand limit, or before the king when it cannot be cast."""

    card: str


class Pay(Action, frozen=True, tag="pay"):
    """Pay what the die lacks from the reserve."""


class Fizzle(Action, frozen=True, tag="fizzle"):
    """Do not pay: the spell is discarded and the reserve grows by one."""


class LetBe(Action, frozen=True, tag="let_be"):
    """Answer a spell with nothing."""


class Counter(Action, frozen=True, tag="counter"):
    """Answer a spell with a counter-spell from the hand."""

    card: str


Move: TypeAlias = Cast | Trade | Gamble | Aim | Pass | Drop | Pay | Fizzle | LetBe | Counter

Moves: TypeAlias = tuple[Move, ...]

PASS, GAMBLE, LET, PAY, FIZZLE = Pass(), Gamble(), LetBe(), Pay(), Fizzle()
# by the bits of the deeds that are possible
TRADES: list[Moves] = [()]
for _deed in DEEDS:
    TRADES += [(*trades, Trade(_deed)) for trades in TRADES]
PAY_OR_NOT: Moves = (PAY, FIZZLE)


class Table:
    """Every action that a deck allows with that many seats, by card index; and each seat as the only one to decide."""

    def __init__(self, deck: Deck, seats: int) -> None:
        everybody = range(1, seats + 1)
        self.alone = {seat: frozenset((seat,)) for seat in everybody}
        self.aims = {seat: tuple(Aim(at) for at in everybody if at != seat) for seat in everybody}
        self.drops = [Drop(name) for name in deck.names]
        self.counters = [Counter(name) for name in deck.names]
        # all that the deck allows: kind by kind, and within a kind by card and seat
        self.every: Moves = (
            *(
                Cast(kind.name, at)
                for kind in deck.kinds
                if kind.is_spell
                for at in (everybody if kind.is_attack else (0,))
            ),
            *(Trade(deed) for deed in DEEDS),
            GAMBLE,
            *(Aim(at) for at in everybody),
            PASS,
            *(self.drops[kind.index] for kind in deck.kinds if kind.in_hand),
            *PAY_OR_NOT,
            LET,
            *(self.counters[kind.index] for kind in deck.kinds if kind.is_counter),
        )
        # casts[seat][lacks][card]: () where the mage lacks a limb for it, or it is no spell
        self.casts = {seat: [self._casts(deck, seat, seats, lacks) for lacks in LACKS] for seat in everybody}
        # answers[whether the spell is aimed at a mage][lacks][card]
        self.answers = [[self._answers(deck, lacks, attack) for lacks in LACKS] for attack in (False, True)]
        # casts before the king, where what cannot be cast is dropped
        self.before_king = {
            seat: [[casts or (self.drops[card],) for card, casts in enumerate(row)] for row in rows]
            for seat, rows in self.casts.items()
        }

    def _answers(self, deck: Deck, lacks: int, attack: bool) -> list[Moves]:
        fits = deck.answering[attack][lacks]
        return [(counter,) if fits[card] else () for card, counter in enumerate(self.counters)]

    def _casts(self, deck: Deck, seat: Seat, seats: int, lacks: int) -> list[Moves]:
        found: list[Moves] = []
        for kind in deck.kinds:
            if not kind.is_spell or kind.needs & lacks:
                found.append(())
            elif kind.is_attack:
                found.append(tuple(Cast(kind.name, at) for at in range(1, seats + 1) if at != seat))
            else:
                found.append((Cast(kind.name),))
        return found
