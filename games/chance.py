"""The deal: a secret seed, a commitment to it, and a documented stream of draws that anyone can compute again.

A draw is named by a label and by how often that label was used before, so each shuffle and each roll of a match can
be checked on its own. PROTOCOL.md holds the same text as pseudo-code with test vectors.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32
_WORD = 1 << 32
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
_UNPACK = struct.Struct(">8I").unpack  # a digest as eight 32-bit words
_WORDS = 96  # of a part of Quick's
_UNPACK_LONG = struct.Struct(f">{_WORDS}Q").unpack


def commitment(seed: bytes, salt: bytes) -> str:
    """What is told before the first card: HMAC-SHA256 with the salt as key over the seed, in hex."""
    return hmac.new(salt, seed, hashlib.sha256).hexdigest()


def deal_key(seed: bytes, nonces: Sequence[str] = ()) -> bytes:
    """The key of all draws: HMAC-SHA256 with the seed as key over "deal" and each seat's nonce, a line each.

    A seat that gave no nonce has the empty one. Nonces are ASCII.
    """
    return hmac.new(seed, "\n".join(("deal", *nonces)).encode("ascii"), hashlib.sha256).digest()


def numbered_seed(number: int, *path: int | str) -> bytes:
    """A seed of 32 bytes from a number that a person can type: for tests, benchmarks and seeded tournaments."""
    text = " ".join(("magehall seed", str(number), *map(str, path)))
    return hashlib.sha256(text.encode("ascii")).digest()


class Chance:
    """The draws of one match, a pure function of a 32-byte key. Mutable: it counts the uses of each label."""

    __slots__ = ("_halves", "_key", "_uses")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._halves: tuple[hashlib._Hash, hashlib._Hash] | None = None  # of HMAC-SHA256, once there was a draw
        self._uses: dict[str, int] = {}

    @classmethod
    def of_number(cls, number: int) -> Chance:
        """The draws of a small number, for tests."""
        return cls(deal_key(numbered_seed(number)))

    def clone(self) -> Chance:
        """A copy that goes on with the same draws."""
        copy = Chance.__new__(Chance)
        copy._key, copy._halves = self._key, self._halves
        copy._uses = self._uses.copy()
        return copy

    def save(self) -> tuple[bytes, dict[str, int]]:
        """The key, and how often each label was used: `load` goes on from there. As secret as the key."""
        return self._key, self._uses

    @classmethod
    def load(cls, key: bytes, uses: dict[str, int]) -> Chance:
        """The draws that were saved; takes over the map."""
        chance = cls(key)
        chance._uses = uses
        return chance

    def fork(self, label: str) -> Chance:
        """An independent stream named by the label; the same label used again gives another one."""
        return Chance(self._block(label, self._use(label), 0))

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        """A new list in random order: Fisher-Yates from the last place down, one draw below i + 1 for each place i."""
        mixed = list(items)
        use, block, bound = self._use(label), 0, len(mixed)
        surely_fair = _WORD - bound  # as nearly every word is: no need to work out the limit of `below`
        while bound > 1:
            for word in _UNPACK(self._block(label, use, block)):
                if word < surely_fair or word < _WORD - _WORD % bound:
                    place, bound = word % bound, bound - 1
                    mixed[bound], mixed[place] = mixed[place], mixed[bound]
                    if bound == 1:
                        break
            block += 1
        return mixed

    def quick(self, label: str) -> Quick:
        """Many draws, named by the label, in a fraction of the time; not for what players should be able to check."""
        return Quick(self._block(label, self._use(label), 0))

    def below(self, label: str, bound: int) -> int:
        """A number from 0 to bound - 1. Raises ValueError for a bound outside 1..2^32."""
        if not 1 <= bound <= _WORD:
            raise ValueError(f"bound {bound} is outside 1..2^32")
        use, block, limit = self._use(label), 0, _WORD - _WORD % bound
        while True:
            for word in _UNPACK(self._block(label, use, block)):
                if word < limit:
                    return int(word % bound)
            block += 1

    def roll(self, label: str, sides: int = 6) -> int:
        """A die: 1 to sides."""
        return self.below(label, sides) + 1

    def choice(self, label: str, items: Sequence[T]) -> T:
        """One of the items, all equally likely. Raises ValueError if there are none."""
        return items[self.below(label, len(items))]

    def _use(self, label: str) -> int:
        use = self._uses.get(label, 0)
        self._uses[label] = use + 1
        return use

    def _block(self, label: str, use: int, block: int) -> bytes:
        if self._halves is None:  # RFC 2104: a copy of each half is twice as fast as `hmac`
            key = self._key.ljust(64, b"\0")
            self._halves = hashlib.sha256(key.translate(_INNER)), hashlib.sha256(key.translate(_OUTER))
        begun, ended = self._halves
        inner, outer = begun.copy(), ended.copy()
        inner.update(f"{label} {use} {block}".encode("ascii"))
        outer.update(inner.digest())
        return outer.digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chance) and self._key == other._key and self._uses == other._uses

    def __repr__(self) -> str:  # never the key: a state may be printed
        return f"Chance(uses={self._uses})"


class Quick:
    """Draws for worlds that are imagined: SHAKE-256 of a key, in words of 64 bits. A remainder of a word, or words that
    are sorted, favour nothing by more than one in 2^50."""

    __slots__ = ("_key", "_parts", "_words")

    def __init__(self, key: bytes) -> None:
        self._key, self._parts = key, 0
        self._words: list[int] = []

    def choice(self, items: Sequence[T]) -> T:
        """One of the items. Raises ZeroDivisionError if there are none."""
        if not self._words:
            self._more()
        return items[self._words.pop() % len(items)]

    def mix(self, items: Sequence[T]) -> list[T]:
        """A new list in random order."""
        count = len(items)
        if not count:
            return []
        while len(self._words) < count:
            self._more()
        words = self._words[-count:]
        del self._words[-count:]
        return [items[place] for place in sorted(range(count), key=words.__getitem__)]

    def take(self, items: list[T], count: int) -> list[T]:
        """Takes so many of the items out of the list, in random order; leaves the others in any order."""
        if len(self._words) < count:
            self._more()
        taken = []
        for word in self._words[len(self._words) - count :]:
            place = word % len(items)
            taken.append(items[place])
            items[place] = items[-1]
            items.pop()
        del self._words[len(self._words) - count :]
        return taken

    def chance(self) -> Chance:
        """Draws as those of a match."""
        return Chance(hashlib.sha256(self._key).digest())

    def _more(self) -> None:
        self._parts += 1
        bits = hashlib.shake_256(self._key + bytes([self._parts])).digest(8 * _WORDS)
        self._words += _UNPACK_LONG(bits)
