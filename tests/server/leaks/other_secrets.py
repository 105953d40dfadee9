"""Two worlds whose servers draw different secrets: seeds, salts, and whatever else is drawn as bytes.

What is told of a secret by design (its commitment, the deal, the word for the chance in bots) is computed in both
worlds from the first world's. So whatever else depends on a secret differs, and is found where it leaves.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from games import chance
from tests.server.leaks.watched import this_world
from tournaments import schedule

DERIVED = ("server", "matches", "tournaments", "games", "people", "client", "bots")


@dataclass
class OtherSecrets:
    """What was drawn. Both worlds draw the same until `apart`; `number` chooses the deals."""

    number: int = 0
    apart: bool = False
    drawn: list[bytes] = field(default_factory=list)  # since the worlds are apart, in both
    _counts: Counter[tuple[int, int]] = field(default_factory=Counter)  # by world and size
    _first: dict[bytes, bytes] = field(default_factory=dict)  # the first world's, by the second's

    def token_bytes(self, size: int = 32) -> bytes:
        """As secrets.token_bytes."""
        world = this_world()
        place = self._counts[world, size]
        self._counts[world, size] += 1
        value = self._draw(world if self.apart else 0, place, size)
        if self.apart:
            self.drawn.append(value)
            if world:
                self._first[value] = self._draw(0, place, size)
        return value

    def _draw(self, world: int, place: int, size: int) -> bytes:
        return hashlib.sha512(f"{self.number} {world} {place} {size}".encode()).digest()[:size]

    def first(self, value: bytes) -> bytes:
        """What the first world has in the place of that secret."""
        return self._first.get(value, value)

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """From now on servers draw these."""
        monkeypatch.setattr("secrets.token_hex", lambda size=16: "5a" * size)
        monkeypatch.setattr("secrets.token_bytes", self.token_bytes)
        monkeypatch.setattr("secrets.choice", lambda letters: letters[0])
        monkeypatch.setattr("secrets.randbits", lambda _bits: 7)
        commitment, commitment_to, word_of = chance.seed_commitment, schedule.commitment_to, schedule.match_seed_word
        deal_key, deal_seed = chance.deal_key, schedule.deal_seed

        def seed_of(secret: bytes, *more: Any) -> bytes:
            seed = deal_seed(secret, *more)
            if secret in self._first:
                self._first[seed] = deal_seed(self.first(secret), *more)
            if self.apart:
                self.drawn.append(seed)
            return seed

        _everywhere(monkeypatch, commitment, lambda seed, salt: commitment(self.first(seed), self.first(salt)))
        _everywhere(monkeypatch, commitment_to, lambda secret: commitment_to(self.first(secret)))
        _everywhere(monkeypatch, word_of, lambda secret, match: word_of(self.first(secret), match))
        _everywhere(monkeypatch, deal_seed, seed_of)
        # The chance of defaults and house bots stays another one: nobody is to foresee it.
        monkeypatch.setattr("matches.fold.deal_key", lambda seed, *more: deal_key(self.first(seed), *more))


def _everywhere(monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], instead: Callable[..., Any]) -> None:
    """Replaces a function in every module that has it."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in DERIVED:
            for attribute, value in list(vars(module).items()):
                if value is function:
                    monkeypatch.setattr(module, attribute, instead)
