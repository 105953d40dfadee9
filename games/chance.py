"""The random numbers of a deal: a secret seed, a commitment to it, and a stream of draws that anyone can recompute.

A label, and the number of its earlier uses, identify each draw, so each shuffle and each die roll of a match can be
checked alone. docs/protocol-verification.md has the same algorithms as pseudo-code, with test vectors.
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
_UNPACK = struct.Struct(">8I").unpack  # unpacks a digest as eight 32-bit words
_WORDS = 96  # the number of 64-bit words that FastChance computes at a time
_UNPACK_LONG = struct.Struct(f">{_WORDS}Q").unpack


def seed_commitment(seed: bytes, salt: bytes) -> str:
    """Returns the commitment that a server publishes before the deal.

    Args:
        seed: The secret seed, 32 bytes.
        salt: A secret key.

    Returns:
        HMAC-SHA256 of the seed with the salt as key, in hex.
    """
    return hmac.new(salt, seed, hashlib.sha256).hexdigest()


def deal_key(seed: bytes, nonces: Sequence[str] = ()) -> bytes:
    """Returns the key of all draws of a match.

    Args:
        seed: The secret seed, 32 bytes.
        nonces: The nonce of each seat in seat order, ASCII; "" for a seat without one.

    Returns:
        HMAC-SHA256 with the seed as key, over "deal" and the nonces, joined by line feeds.
    """
    return hmac.new(seed, "\n".join(("deal", *nonces)).encode("ascii"), hashlib.sha256).digest()


def numbered_seed(number: int, *path: int | str) -> bytes:
    """Returns a seed for tests, benchmarks and seeded tournaments.

    Args:
        number: A number that a person can type.
        path: Words that distinguish seeds of the same number.

    Returns:
        32 bytes.
    """
    text = " ".join(("magehall seed", str(number), *map(str, path)))
    return hashlib.sha256(text.encode("ascii")).digest()


class Chance:
    """The random numbers of one match, a pure function of a key. It is mutable, because it counts the uses of each
    label.

    Args:
        key: The key, 32 bytes; see `deal_key`.
    """

    __slots__ = ("_halves", "_key", "_uses")

    def __init__(self, key: bytes) -> None:
        self._key = key
        # The inner and the outer hash of HMAC-SHA256 after the key, computed at the first draw.
        self._halves: tuple[hashlib._Hash, hashlib._Hash] | None = None
        self._uses: dict[str, int] = {}

    @classmethod
    def of_number(cls, number: int) -> Chance:
        """Returns the random numbers for a small number, for tests.

        Args:
            number: The number.

        Returns:
            A new stream. The same number gives the same stream.
        """
        return cls(deal_key(numbered_seed(number)))

    def clone(self) -> Chance:
        """Returns a copy that continues with the same draws."""
        copy = Chance.__new__(Chance)
        copy._key, copy._halves = self._key, self._halves
        copy._uses = self._uses.copy()
        return copy

    def save(self) -> tuple[bytes, dict[str, int]]:
        """Returns the key and the number of uses of each label, for `load`. The result must be kept secret."""
        return self._key, self._uses

    @classmethod
    def load(cls, key: bytes, uses: dict[str, int]) -> Chance:
        """Returns the stream that `save` saved.

        Args:
            key: The key.
            uses: The number of uses of each label. The stream takes ownership of the map.

        Returns:
            The stream, which continues after the last draw.
        """
        chance = cls(key)
        chance._uses = uses
        return chance

    def fork(self, label: str) -> Chance:
        """Returns an independent stream.

        Args:
            label: The name of the stream. A second use of the label gives another stream.

        Returns:
            The new stream.
        """
        return Chance(self._block(label, self._use(label), 0))

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        """Returns a shuffled copy of a sequence.

        It uses Fisher-Yates from the last place down, with one draw below i + 1 for each place i.

        Args:
            label: The name of the draw.
            items: The items.

        Returns:
            A new list.
        """
        mixed = list(items)
        use, block, bound = self._use(label), 0, len(mixed)
        # This is at most the limit in `below`. Nearly every word is smaller, so the limit is rarely computed.
        surely_fair = _WORD - bound
        while bound > 1:
            for word in _UNPACK(self._block(label, use, block)):
                if word < surely_fair or word < _WORD - _WORD % bound:
                    place, bound = word % bound, bound - 1
                    mixed[bound], mixed[place] = mixed[place], mixed[bound]
                    if bound == 1:
                        break
            block += 1
        return mixed

    def quick(self, label: str) -> FastChance:
        """Returns a much faster stream, for draws that players need not be able to check.

        Args:
            label: The name of the stream.

        Returns:
            The stream.
        """
        return FastChance(self._block(label, self._use(label), 0))

    def below(self, label: str, bound: int) -> int:
        """Returns a random number.

        Args:
            label: The name of the draw.
            bound: The upper bound, 1 to 2^32.

        Returns:
            A number from 0 to bound - 1, all equally likely.

        Raises:
            ValueError: The bound is out of range.
        """
        if not 1 <= bound <= _WORD:
            raise ValueError(f"bound {bound} is outside 1..2^32")
        use, block, limit = self._use(label), 0, _WORD - _WORD % bound
        while True:
            for word in _UNPACK(self._block(label, use, block)):
                if word < limit:
                    return int(word % bound)
            block += 1

    def roll(self, label: str, sides: int = 6) -> int:
        """Returns the roll of a die.

        Args:
            label: The name of the draw.
            sides: The number of sides.

        Returns:
            A number from 1 to sides.
        """
        return self.below(label, sides) + 1

    def choice(self, label: str, items: Sequence[T]) -> T:
        """Returns a random item.

        Args:
            label: The name of the draw.
            items: The items, all equally likely.

        Returns:
            One of the items.

        Raises:
            ValueError: There are no items.
        """
        return items[self.below(label, len(items))]

    def _use(self, label: str) -> int:
        use = self._uses.get(label, 0)
        self._uses[label] = use + 1
        return use

    def _block(self, label: str, use: int, block: int) -> bytes:
        if self._halves is None:  # RFC 2104: copying these two hashes is twice as fast as `hmac`
            key = self._key.ljust(64, b"\0")
            self._halves = hashlib.sha256(key.translate(_INNER)), hashlib.sha256(key.translate(_OUTER))
        begun, ended = self._halves
        inner, outer = begun.copy(), ended.copy()
        inner.update(f"{label} {use} {block}".encode("ascii"))
        outer.update(inner.digest())
        return outer.digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chance) and self._key == other._key and self._uses == other._uses

    def __repr__(self) -> str:  # without the key, because a state may be printed
        return f"Chance(uses={self._uses})"


class FastChance:
    """Fast random numbers for states that `Game.determinize` imagines: SHAKE-256 of a key, in words of 64 bits. The
    results are biased by less than one in 2^50."""

    __slots__ = ("_key", "_parts", "_words")

    def __init__(self, key: bytes) -> None:
        self._key, self._parts = key, 0
        self._words: list[int] = []

    def choice(self, items: Sequence[T]) -> T:
        """Returns a random item. Raises ZeroDivisionError if there are none."""
        if not self._words:
            self._more()
        return items[self._words.pop() % len(items)]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Returns a new list of the items in random order."""
        count = len(items)
        if not count:
            return []
        while len(self._words) < count:
            self._more()
        words = self._words[-count:]
        del self._words[-count:]
        return [items[place] for place in sorted(range(count), key=words.__getitem__)]

    def take_random(self, items: list[T], count: int) -> list[T]:
        """Removes `count` random items from the list and returns them in random order. The order of the remaining items
        may change."""
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

    def derive_chance(self) -> Chance:
        """Returns a `Chance` whose key is derived from the key of this stream."""
        return Chance(hashlib.sha256(self._key).digest())

    def _more(self) -> None:
        self._parts += 1
        bits = hashlib.shake_256(self._key + bytes([self._parts])).digest(8 * _WORDS)
        self._words += _UNPACK_LONG(bits)
