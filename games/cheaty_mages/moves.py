"""What can be done: the actions, each made once and kept, since the same few hundred are offered again and again.

Cards go by name. A fighter is its number 1..5, a spell in play is its fighter and its place 1.. in order of arrival.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TypeAlias

from games.api import Action

FIGHTERS = (1, 2, 3, 4, 5)  # as many as there are at most


class Bet(Action, frozen=True, tag="bet"):
    """Places one, two or three betting cards, in ascending order."""

    on: tuple[int, ...]


class Cast(Action, frozen=True, tag="cast", omit_defaults=True):
    """Casts a spell at a fighter. `face_down` is said only where the spell does not lie so as a rule."""

    card: str
    fighter: int
    face_down: bool = False
    paying: bool = False  # foul play: 2 gold for a refused spell


class CastAlone(Action, frozen=True, tag="cast_alone", omit_defaults=True):
    """Casts a spell that needs no target."""

    card: str
    paying: bool = False


class CastAtSpell(Action, frozen=True, tag="cast_at_spell", omit_defaults=True):
    """Casts at a spell that lies on a fighter."""

    card: str
    fighter: int
    place: int
    paying: bool = False


class CastAtEnduring(Action, frozen=True, tag="cast_at_enduring", omit_defaults=True):
    """Casts at an Enduring spell that lies on the judge or before a player; its name is enough."""

    card: str
    spell: str
    paying: bool = False


class CastAtPlayer(Action, frozen=True, tag="cast_at_player", omit_defaults=True):
    """Casts at a player."""

    card: str
    seat: int
    paying: bool = False


class CastMoving(Action, frozen=True, tag="cast_moving", omit_defaults=True):
    """Casts a spell that moves another one to the fighter `to`."""

    card: str
    fighter: int
    place: int
    to: int
    paying: bool = False


class CastSwapping(Action, frozen=True, tag="cast_swapping", omit_defaults=True):
    """Casts a spell that takes back the placed betting card and places the one set aside."""

    card: str
    placed: int
    aside: int
    paying: bool = False


class Look(Action, frozen=True, tag="look"):
    """Discards any card to look at what lies face down on a fighter."""

    card: str
    fighter: int


class Discard(Action, frozen=True, tag="discard"):
    """Discards a card from the hand."""

    card: str


class Done(Action, frozen=True, tag="done"):
    """Discards no more, and draws."""


class Pass(Action, frozen=True, tag="pass"):
    """Casts nothing more this round."""


class Keep(Action, frozen=True, tag="keep"):
    """Votes that the refused spell stays."""


class Strike(Action, frozen=True, tag="strike"):
    """Votes that the refused spell is discarded."""


Casting: TypeAlias = Cast | CastAlone | CastAtSpell | CastAtEnduring | CastAtPlayer | CastMoving | CastSwapping
Act: TypeAlias = Bet | Casting | Look | Discard | Done | Pass | Keep | Strike

DONE = Done()
PASS = Pass()
VOTES = (Keep(), Strike())


@cache
def bets(fighters: int, most: int) -> tuple[Bet, ...]:
    """Every bet on one to `most` of so many fighters."""
    return tuple(Bet(on) for size in range(1, most + 1) for on in combinations(FIGHTERS[:fighters], size))


@cache
def among(mask: int) -> tuple[int, ...]:
    """The fighters whose bits are set: bit n for fighter n."""
    return tuple(fighter for fighter in FIGHTERS if mask >> fighter & 1)


@cache
def at_fighters(card: str, mask: int, face_down: bool, paying: bool) -> tuple[Cast, ...]:
    """One action for each fighter in the mask."""
    return tuple(Cast(card, fighter, face_down, paying) for fighter in among(mask))


@cache
def alone(card: str, paying: bool) -> tuple[CastAlone]:
    """The one action, as a tuple."""
    return (CastAlone(card, paying),)


@cache
def at_place(card: str, fighter: int, place: int, paying: bool) -> CastAtSpell:
    """One action."""
    return CastAtSpell(card, fighter, place, paying)


@cache
def at_player(card: str, seat: int, paying: bool) -> CastAtPlayer:
    """One action."""
    return CastAtPlayer(card, seat, paying)


@cache
def moving(card: str, fighter: int, place: int, mask: int, paying: bool) -> tuple[CastMoving, ...]:
    """One action for each other fighter in the mask."""
    return tuple(CastMoving(card, fighter, place, to, paying) for to in among(mask) if to != fighter)


@cache
def swapping(card: str, bet: tuple[int, ...], fighters: int, paying: bool) -> tuple[CastSwapping, ...]:
    """Every swap of a placed card for one set aside."""
    asides = [fighter for fighter in FIGHTERS[:fighters] if fighter not in bet]
    return tuple(CastSwapping(card, placed, aside, paying) for placed in bet for aside in asides)


@cache
def looks_at(card: str, mask: int) -> tuple[Look, ...]:
    """One look for each fighter in the mask."""
    return tuple(Look(card, fighter) for fighter in among(mask))


@cache
def discard(card: str) -> Discard:
    """One action."""
    return Discard(card)
