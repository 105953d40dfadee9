"""The actions. Each one is created once and cached, because lists of legal actions contain the same few hundred again
and again.

Cards are given by name, fighters by number 1 to 5, and a spell on a fighter by the fighter and its place, counted from
1 in order of arrival.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TypeAlias

from games.api import Action

FIGHTERS = (1, 2, 3, 4, 5)  # the largest number of fighters


class Bet(Action, frozen=True, tag="bet"):
    """Places one, two or three betting cards, in ascending order."""

    on: tuple[int, ...]


class Cast(Action, frozen=True, tag="cast", omit_defaults=True):
    """Casts a spell at a fighter. `face_down` is set only for a spell that normally lies face up."""

    card: str
    fighter: int
    face_down: bool = False
    paying: bool = False  # foul play: pays 2 gold for a refused spell


class CastAlone(Action, frozen=True, tag="cast_alone", omit_defaults=True):
    """Casts a spell that needs no target."""

    card: str
    paying: bool = False


class CastAtSpell(Action, frozen=True, tag="cast_at_spell", omit_defaults=True):
    """Casts a spell at another spell that lies on a fighter."""

    card: str
    fighter: int
    place: int
    paying: bool = False


class CastAtEnduring(Action, frozen=True, tag="cast_at_enduring", omit_defaults=True):
    """Casts a spell at an Enduring spell on the judge or before a player. `spell` is the name of that Enduring
    spell."""

    card: str
    spell: str
    paying: bool = False


class CastAtPlayer(Action, frozen=True, tag="cast_at_player", omit_defaults=True):
    """Casts a spell at a player."""

    card: str
    seat: int
    paying: bool = False


class CastMoving(Action, frozen=True, tag="cast_moving", omit_defaults=True):
    """Casts a spell that moves another spell to the fighter `to`."""

    card: str
    fighter: int
    place: int
    to: int
    paying: bool = False


class CastSwapping(Action, frozen=True, tag="cast_swapping", omit_defaults=True):
    """Casts a spell that takes back a placed betting card and places one that was set aside."""

    card: str
    placed: int
    aside: int
    paying: bool = False


class Look(Action, frozen=True, tag="look"):
    """Discards a card to look at the face-down spells on a fighter."""

    card: str
    fighter: int


class Discard(Action, frozen=True, tag="discard"):
    """Discards a card from the hand."""

    card: str


class Done(Action, frozen=True, tag="done"):
    """Ends the discards after a round, and draws cards."""


class Pass(Action, frozen=True, tag="pass"):
    """Casts no more spells in this round."""


class Keep(Action, frozen=True, tag="keep"):
    """Votes that the refused spell stays."""


class Strike(Action, frozen=True, tag="strike"):
    """Votes that the refused spell is discarded."""


CastAction: TypeAlias = Cast | CastAlone | CastAtSpell | CastAtEnduring | CastAtPlayer | CastMoving | CastSwapping
ArenaAction: TypeAlias = Bet | CastAction | Look | Discard | Done | Pass | Keep | Strike

DONE = Done()
PASS = Pass()
VOTES = (Keep(), Strike())


@cache
def all_bets(fighters: int, most: int) -> tuple[Bet, ...]:
    """Returns every bet on one to `most` of the fighters."""
    return tuple(Bet(on) for size in range(1, most + 1) for on in combinations(FIGHTERS[:fighters], size))


@cache
def fighters_in_set(mask: int) -> tuple[int, ...]:
    """Returns the fighters in a set, in which bit n stands for fighter n."""
    return tuple(fighter for fighter in FIGHTERS if mask >> fighter & 1)


@cache
def casts_at_fighters(card: str, mask: int, face_down: bool, paying: bool) -> tuple[Cast, ...]:
    """Returns one cast of a spell for each fighter in the set `mask`."""
    return tuple(Cast(card, fighter, face_down, paying) for fighter in fighters_in_set(mask))


@cache
def untargeted_casts(card: str, paying: bool) -> tuple[CastAlone]:
    """Returns a tuple that contains only the cast of a spell without a target."""
    return (CastAlone(card, paying),)


@cache
def cast_at_place(card: str, fighter: int, place: int, paying: bool) -> CastAtSpell:
    """Returns the cast of a spell at the spell in a place on a fighter."""
    return CastAtSpell(card, fighter, place, paying)


@cache
def cast_at_player(card: str, seat: int, paying: bool) -> CastAtPlayer:
    """Returns the cast of a spell at a player."""
    return CastAtPlayer(card, seat, paying)


@cache
def moving_casts(card: str, fighter: int, place: int, mask: int, paying: bool) -> tuple[CastMoving, ...]:
    """Returns one cast for each fighter in the set `mask` to which the spell at `place` can move."""
    return tuple(CastMoving(card, fighter, place, to, paying) for to in fighters_in_set(mask) if to != fighter)


@cache
def swapping_casts(card: str, bet: tuple[int, ...], fighters: int, paying: bool) -> tuple[CastSwapping, ...]:
    """Returns one cast for every exchange of a placed betting card for one that was set aside."""
    asides = [fighter for fighter in FIGHTERS[:fighters] if fighter not in bet]
    return tuple(CastSwapping(card, placed, aside, paying) for placed in bet for aside in asides)


@cache
def looks_at_fighters(card: str, mask: int) -> tuple[Look, ...]:
    """Returns one look for each fighter in the set `mask`."""
    return tuple(Look(card, fighter) for fighter in fighters_in_set(mask))


@cache
def discard_action(card: str) -> Discard:
    """Returns the discard of a card."""
    return Discard(card)
