"""The layout of a vector of numbers, and the functions with which a game fills the vector."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from math import prod
from struct import Struct
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

Source = TypeVar("Source")
Part: TypeAlias = "bytes | array[float]"


class LayoutField(msgspec.Struct, frozen=True):
    """A named group of numbers in the vector.

    Attributes:
        name: The name.
        shape: The shape; () for a single number.
        least: The smallest value of each number.
        most: The largest value. All numbers are integers.
    """

    name: str
    shape: tuple[int, ...] = ()
    least: int = 0
    most: int = 1

    @property
    def size(self) -> int:
        """Returns the number of values in the field."""
        return prod(self.shape)


class Layout:
    """The layout of a vector.

    Args:
        fields: The fields in their order.

    Attributes:
        fields: The fields.
        size: The length of the vector.
        slices: The slice of each field by its name.
    """

    def __init__(self, fields: Iterable[LayoutField]) -> None:
        self.fields = tuple(fields)
        self.size = 0
        self.slices: dict[str, slice] = {}
        for field in self.fields:
            self.slices[field.name] = slice(self.size, self.size + field.size)
            self.size += field.size

    def bounds(self) -> tuple[array[float], array[float]]:
        """Returns the smallest and the largest values of the vector.

        Returns:
            Two arrays of 32-bit floats, of the layout's size.
        """
        least = [field.least for field in self.fields for _ in range(field.size)]
        most = [field.most for field in self.fields for _ in range(field.size)]
        return array("f", least), array("f", most)


# The functions below are for the games' own encoders. A part is a piece of the vector as the bytes of 32-bit floats. An
# encoder joins parts to the whole vector, and caches each part while the data behind it stays the same.

WIDTH = 4  # the number of bytes of a 32-bit float
KEPT = 200  # the number of cached parts of a kind; more would overflow the processor's cache


def pack_numbers(*numbers: float) -> bytes:
    """Returns these integers as a part, the bytes of 32-bit floats."""
    return number_packer(len(numbers))(*numbers)


def pack_padded(numbers: Sequence[float], size: int) -> bytes:
    """Returns the numbers as a part of `size` numbers, filled up with zeros."""
    return pack_numbers(*numbers) + bytes(WIDTH * (size - len(numbers)))


def zero_part(size: int) -> bytes:
    """Returns a part of `size` zeros."""
    return bytes(WIDTH * size)


def zero_array(size: int) -> array[float]:
    """Returns an array of `size` zeros, for a caller that fills it."""
    return array("f", bytes(WIDTH * size))


@lru_cache(maxsize=10_000)
def one_hot(place: int, size: int) -> bytes:
    """Returns a part of `size` numbers with a 1 at `place` and zeros elsewhere; only zeros if `place` is negative."""
    return pack_numbers(*[at == place for at in range(size)])


def _no_part() -> tuple[None, Part]:
    return None, b""


class PartCache(Generic[Source]):
    """Caches one part for each place of a list of sources, such as the mages of a table. A part is computed again only
    if its source changed, because a view shares most of its content with the previous one. `make(source, (previous
    source, previous part))` returns a new part."""

    def __init__(self, make: Callable[[Source, tuple[Source | None, Part]], Part]) -> None:
        self._make = make
        # For each place, its last source and part.
        self._last: dict[int, tuple[Source | None, Part]] = defaultdict(_no_part)

    def cached_parts(self, sources: Iterable[Source]) -> list[Part]:
        """Returns the part of each source, in the same order."""
        last, found = self._last, []
        for place, source in enumerate(sources):
            kept = last[place]
            if kept[0] is not source and kept[0] != source:
                kept = last[place] = source, self._make(source, kept)
            found.append(kept[1])
        return found


class CardCounts:
    """Counts cards by kind, in the order of `kinds`."""

    def __init__(self, kinds: Mapping[str, int]) -> None:
        self._kinds = kinds
        self._none = zero_array(len(kinds))
        self._pile: tuple[tuple[str, ...], array[float]] = (), self._none

    def count_cards(self, cards: Iterable[str]) -> array[float]:
        """Returns the number of cards of each kind among these cards."""
        return self._more(cards, self._none)

    def count_pile(self, cards: tuple[str, ...]) -> array[float]:
        """Returns the number of cards of each kind in a pile. If the pile only grew since the last call, only the new
        cards are counted."""
        before, counts = self._pile
        if before is not cards:
            if cards[: len(before)] != before:
                before, counts = (), self._none
            counts = self._more(cards[len(before) :], counts)
            self._pile = cards, counts
        return counts

    def _more(self, cards: Iterable[str], before: array[float]) -> array[float]:
        counts = before[:]
        for kind in map(self._kinds.__getitem__, cards):
            counts[kind] += 1.0
        return counts


def join_parts(parts: Iterable[Part]) -> bytearray:
    """Returns the bytes of all parts in order."""
    return bytearray().join(parts)


def uncached_encoder(encode: Callable[[Any, Any], None], layout: Layout) -> Callable[[Any], bytearray]:
    """Returns a function that encodes a view by a call of `encode`, for a game that caches nothing."""
    return partial(_written, encode, layout.size)


def _written(encode: Callable[[Any, Any], None], size: int, view: Any) -> bytearray:
    out = zero_array(size)
    encode(view, out)
    return bytearray(out)


def write_parts(parts: Iterable[Part | bytearray], out: Any) -> None:
    """Writes the numbers of all parts into a list or an array, from its beginning."""
    numbers = b"".join(parts)
    try:  # copies all bytes at once into an array of floats
        room = memoryview(out)
        if room.format == "f":
            room.cast("B")[: len(numbers)] = numbers
            return
    except TypeError:  # `out` is a list or a non-contiguous array
        pass
    for at, number in enumerate(array("f", numbers)):
        out[at] = int(number)


@lru_cache(maxsize=1_000)
def number_packer(count: int) -> Callable[..., bytes]:
    """Returns a function that turns `count` numbers into a part."""
    return Struct(f"{count}f").pack
