"""The types of actions, and all actions of a deck, each created once. Actions name their cards."""

from __future__ import annotations

from typing import Literal, TypeAlias

from games.api import Action, Seat
from games.mages_110m.cards import LACKS, Deck

Deed: TypeAlias = Literal["arm", "leg", "step", "clear", "rest", "reserve"]
DEEDS: tuple[Deed, ...] = ("arm", "leg", "step", "clear", "rest", "reserve")


class Cast(Action, frozen=True, tag="cast"):
    """Casts a spell from the hand. `at` is the target seat; 0 for a spell without a target."""

    card: str
    at: Seat = 0


class Trade(Action, frozen=True, tag="trade"):
    """Discards two cards, which are chosen next, for one deed."""

    deed: Deed


class Gamble(Action, frozen=True, tag="gamble"):
    """Discards the whole hand and casts the top spell of the pile without a roll."""


class Aim(Action, frozen=True, tag="aim"):
    """Chooses the target of a gambled spell."""

    at: Seat


class Pass(Action, frozen=True, tag="pass"):
    """Takes no action in this turn."""


class Drop(Action, frozen=True, tag="drop"):
    """Discards a card: to pay for a deed, above the hand limit, or before the king if the card cannot be cast."""

    card: str


class Pay(Action, frozen=True, tag="pay"):
    """Pays the missing points of a roll from the reserve."""


class Fizzle(Action, frozen=True, tag="fizzle"):
    """Does not pay for a roll: the spell is discarded, and the reserve grows by one token."""


class LetBe(Action, frozen=True, tag="let_be"):
    """Answers a spell without a counter-spell."""


class Counter(Action, frozen=True, tag="counter"):
    """Answers a spell with a counter-spell from the hand."""

    card: str


RaceAction: TypeAlias = Cast | Trade | Gamble | Aim | Pass | Drop | Pay | Fizzle | LetBe | Counter

RaceActions: TypeAlias = tuple[RaceAction, ...]

PASS, GAMBLE, LET, PAY, FIZZLE = Pass(), Gamble(), LetBe(), Pay(), Fizzle()
# for each set of possible deeds (one bit for each, in the order of DEEDS), the trades for them
TRADES: list[RaceActions] = [()]
for _deed in DEEDS:
    TRADES += [(*trades, Trade(_deed)) for trades in TRADES]
PAY_OR_NOT: RaceActions = (PAY, FIZZLE)


class ActionTable:
    """All actions of a deck for one number of seats, in lists by card index. `alone` has, for each seat, a set of only
    this seat."""

    def __init__(self, deck: Deck, seats: int) -> None:
        everybody = range(1, seats + 1)
        self.alone = {seat: frozenset((seat,)) for seat in everybody}
        self.aims = {seat: tuple(Aim(at) for at in everybody if at != seat) for seat in everybody}
        self.drops = [Drop(name) for name in deck.names]
        self.counters = [Counter(name) for name in deck.names]
        # every action, by kind, and within a kind by card and seat
        self.every: RaceActions = (
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
        # casts[seat][limbs that the mage lacks][card]: () if the card needs such a limb, or is not a spell
        self.casts = {seat: [self._casts(deck, seat, seats, lacks) for lacks in LACKS] for seat in everybody}
        # answers[whether the spell is aimed at a mage][limbs that the answering mage lacks][card]
        self.answers = [[self._answers(deck, lacks, attack) for lacks in LACKS] for attack in (False, True)]
        # like `casts`, but for a mage that plays before the king and drops the cards that it cannot cast
        self.before_king = {
            seat: [[casts or (self.drops[card],) for card, casts in enumerate(row)] for row in rows]
            for seat, rows in self.casts.items()
        }

    def _answers(self, deck: Deck, lacks: int, attack: bool) -> list[RaceActions]:
        fits = deck.answering[attack][lacks]
        return [(counter,) if fits[card] else () for card, counter in enumerate(self.counters)]

    def _casts(self, deck: Deck, seat: Seat, seats: int, lacks: int) -> list[RaceActions]:
        found: list[RaceActions] = []
        for kind in deck.kinds:
            if not kind.is_spell or kind.needs & lacks:
                found.append(())
            elif kind.is_attack:
                found.append(tuple(Cast(kind.name, at) for at in range(1, seats + 1) if at != seat))
            else:
                found.append((Cast(kind.name),))
        return found
