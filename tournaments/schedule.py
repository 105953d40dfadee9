"""Who sits where, with which deal. Pure: the same numbers give the same schedule.

A round is one deal, played once for each entrant. In match i of a round, seat j has entrant (i + step j) mod entrants,
so whatever the steps are, every entrant sits in every seat exactly once with every deal: the luck of deal and seat
evens out. The steps differ as far as they can: with as many entrants as seats all sit at every table, with more they
come in groups, and with fewer each has two seats or more at a table, spread evenly. Several lists of
steps are drawn for each round; the one is taken after which all have met, and sat next to, each other most evenly.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import add
from typing import TypeAlias

import msgspec

from games.chance import Chance, deal_key, numbered_seed

SECRET_BYTES = 32
DRAWS = 64  # step lists to choose from in each round
KNOWN = 1_024  # step lists of which the distances are kept: few entrants can be drawn in few ways

Steps: TypeAlias = tuple[int, ...]
"""A step for each seat."""
Distances: TypeAlias = tuple[int, ...]
"""How often each distance round the circle comes, from 0 to one less than there are entrants."""


class Pairing(msgspec.Struct, frozen=True):
    """One match to play. `entrants` are numbers from 0, seat 1 first; `deal` counts from 1."""

    number: int
    deal: int
    entrants: tuple[int, ...]


def rotations(entrants: int, seats: int, seed: int) -> Iterator[list[tuple[int, ...]]]:
    """Rounds without end, each a list of tables."""
    chance = Chance(deal_key(numbered_seed(seed, "schedule")))
    met, beside = (0,) * entrants, (0,) * entrants  # so far, by distance
    while True:
        steps = min(
            (tuple(_draw(chance, entrants, seats)) for _ in range(DRAWS)),
            key=lambda drawn: _cost(drawn, met, beside),
        )
        met, beside = _sum(met, _meetings(steps, entrants)), _sum(beside, _neighbours(steps, entrants))
        yield [tuple((start + step) % entrants for step in steps) for start in range(entrants)]


def commitment_to(secret: bytes) -> str:
    """What is told before the first match: SHA-256 of the secret, in hex."""
    return hashlib.sha256(secret).hexdigest()


def deal_seed(secret: bytes, deal: int, nonces: Sequence[str] = ()) -> bytes:
    """The seed of a deal: the same in all matches of its round. HMAC-SHA256 with the secret as key, over the deal's
    number and the nonce of each entrant, a line each; without these where nobody gave one."""
    lines = (f"deal {deal}", *(nonces if any(nonces) else ()))
    return hmac.new(secret, "\n".join(lines).encode("ascii"), hashlib.sha256).digest()


def word_of(secret: bytes, match: int) -> str:
    """A word for the chance in bots: another one for each match, which does not say what deal it is."""
    return hmac.new(secret, b"match %d" % match, hashlib.sha256).hexdigest()[:16]


def copies(entrants: int, seats: int) -> int:
    """The most seats that one entrant has at a table."""
    return -(-seats // entrants)


def _draw(chance: Chance, entrants: int, seats: int) -> list[int]:
    """A step for each seat, each step used as often as the others, or once more."""
    steps: list[int] = []
    while len(steps) < seats:
        steps += chance.shuffle("steps", range(entrants))[: seats - len(steps)]
    return chance.shuffle("seats", steps) if entrants < seats else steps


def _cost(steps: Steps, met: Distances, beside: Distances) -> tuple[int, int]:
    """How uneven the meetings, then the neighbours, would be with these steps: smaller is better."""
    entrants = len(met)
    return _unevenness(met, _meetings(steps, entrants)), _unevenness(beside, _neighbours(steps, entrants))


def _unevenness(before: Distances, more: Distances) -> int:
    return sum([(one + other) ** 2 for one, other in zip(before, more, strict=True)])


def _sum(before: Distances, more: Distances) -> Distances:
    return tuple(map(add, before, more))


@lru_cache(KNOWN)
def _meetings(steps: Steps, entrants: int) -> Distances:
    """How often two entrants at each distance round the circle meet in a round, either way round."""
    return _counted(((one - other) % entrants for one in steps for other in steps if one != other), entrants)


@lru_cache(KNOWN)
def _neighbours(steps: Steps, entrants: int) -> Distances:
    """How often each distance stands between a seat and the next one."""
    return _counted(((steps[place] - steps[place - 1]) % entrants for place in range(len(steps))), entrants)


def _counted(distances: Iterable[int], entrants: int) -> Distances:
    counts = Counter(distances)
    return tuple([counts[distance] for distance in range(entrants)])
