"""Assigns entrants to seats and deals. Pure: the same arguments give the same schedule.

A round is one deal, played once for each entrant. In match i of a round, seat j has entrant (i + step j) mod entrants.
So for any steps each entrant sits in every seat exactly once with every deal, which evens out the luck of deal and
seat.

The steps differ as much as possible. With as many entrants as seats, all sit at every table. With more, they sit in
groups, and with fewer, each has two or more seats at a table, spread evenly. For each round several lists of steps are
drawn. The schedule takes the list after which all pairs have met, and sat next to each other, most evenly.
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
DRAWS = 64  # lists of steps to choose from in each round
KNOWN = 1_024  # most lists of steps whose distances are cached; with few entrants, these are all possible lists

Steps: TypeAlias = tuple[int, ...]
"""For each seat, its step: its offset around the circle of entrants."""
Distances: TypeAlias = tuple[int, ...]
"""The number of occurrences of each distance around the circle of entrants, from 0 to the number of entrants
minus 1."""


class Pairing(msgspec.Struct, frozen=True):
    """A match to play. `entrants` are numbers from 0, seat 1 first. `deal` counts from 1."""

    number: int
    deal: int
    entrants: tuple[int, ...]


def iter_rotation_rounds(entrants: int, seats: int, seed: int) -> Iterator[list[tuple[int, ...]]]:
    """Yields rounds without end. Each round is a list of tables, and each table the entrants of its seats."""
    chance = Chance(deal_key(numbered_seed(seed, "schedule")))
    met, beside = (0,) * entrants, (0,) * entrants  # meetings and neighbours so far, by distance
    while True:
        steps = min(
            (tuple(_draw(chance, entrants, seats)) for _ in range(DRAWS)),
            key=lambda drawn: _cost(drawn, met, beside),
        )
        met, beside = _sum(met, _meetings(steps, entrants)), _sum(beside, _neighbours(steps, entrants))
        yield [tuple((start + step) % entrants for step in steps) for start in range(entrants)]


def commitment_to(secret: bytes) -> str:
    """Returns the commitment that is published before the first match: the SHA-256 of the secret, in hex."""
    return hashlib.sha256(secret).hexdigest()


def deal_seed(secret: bytes, deal: int, nonces: Sequence[str] = ()) -> bytes:
    """Returns the seed of a deal, which is the same in all matches of its round.

    It is the HMAC-SHA256 with the secret as key, over the deal's number and the nonce of each entrant, one per line.
    The nonces are left out if no entrant gave one.
    """
    lines = (f"deal {deal}", *(nonces if any(nonces) else ()))
    return hmac.new(secret, "\n".join(lines).encode("ascii"), hashlib.sha256).digest()


def match_seed_word(secret: bytes, match: int) -> str:
    """Returns a word that seeds the randomness of bots. It differs for each match and does not reveal the deal."""
    return hmac.new(secret, b"match %d" % match, hashlib.sha256).hexdigest()[:16]


def max_seats_per_entrant(entrants: int, seats: int) -> int:
    """Returns the greatest number of seats that one entrant has at the same table."""
    return -(-seats // entrants)


def _draw(chance: Chance, entrants: int, seats: int) -> list[int]:
    """Returns a step for each seat. The numbers of uses of any two steps differ by at most one."""
    steps: list[int] = []
    while len(steps) < seats:
        steps += chance.shuffle("steps", range(entrants))[: seats - len(steps)]
    return chance.shuffle("seats", steps) if entrants < seats else steps


def _cost(steps: Steps, met: Distances, beside: Distances) -> tuple[int, int]:
    """Returns how uneven the meetings, then the neighbours, would be with these steps. Smaller is better."""
    entrants = len(met)
    return _unevenness(met, _meetings(steps, entrants)), _unevenness(beside, _neighbours(steps, entrants))


def _unevenness(before: Distances, more: Distances) -> int:
    return sum([(one + other) ** 2 for one, other in zip(before, more, strict=True)])


def _sum(before: Distances, more: Distances) -> Distances:
    return tuple(map(add, before, more))


@lru_cache(KNOWN)
def _meetings(steps: Steps, entrants: int) -> Distances:
    """Returns how often two entrants at each distance meet in a round, counted in both directions."""
    return _counted(((one - other) % entrants for one in steps for other in steps if one != other), entrants)


@lru_cache(KNOWN)
def _neighbours(steps: Steps, entrants: int) -> Distances:
    """Returns how often each distance occurs between a seat and the next one."""
    return _counted(((steps[place] - steps[place - 1]) % entrants for place in range(len(steps))), entrants)


def _counted(distances: Iterable[int], entrants: int) -> Distances:
    counts = Counter(distances)
    return tuple([counts[distance] for distance in range(entrants)])
