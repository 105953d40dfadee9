"""A vector of numbers: what stands where in it, and how a game fills it."""

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


class Field(msgspec.Struct, frozen=True):
    """A part of the vector: as many numbers as its shape has, all of them whole and from `least` to `most`."""

    name: str
    shape: tuple[int, ...] = ()
    least: int = 0
    most: int = 1

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


class Layout:
    """All fields of a vector in their order, and in which slice each is found by its name."""

    def __init__(self, fields: Iterable[Field]) -> None:
        self.fields = tuple(fields)
        self.size = 0
        self.slices: dict[str, slice] = {}
        for field in self.fields:
            self.slices[field.name] = slice(self.size, self.size + field.size)
            self.size += field.size

    def bounds(self) -> tuple[array[float], array[float]]:
        """The least and the largest value of every number."""
        least = [field.least for field in self.fields for _ in range(field.size)]
        most = [field.most for field in self.fields for _ in range(field.size)]
        return array("f", least), array("f", most)


# For the games' own encoders: a vector is put together from parts, which are kept as long as they stay the same. Parts
# are packed as the floats of an array, so that joining them is all that is left to do.

WIDTH = 4
KEPT = 200  # parts of a kind: those of the matches of now, since more would crowd out the processor's own memory


def part(*numbers: float) -> bytes:
    """These numbers, all of them whole."""
    return packer(len(numbers))(*numbers)


def row(numbers: Sequence[float], size: int) -> bytes:
    """The numbers, and as many zeros as are missing to that size."""
    return part(*numbers) + bytes(WIDTH * (size - len(numbers)))


def zeros(size: int) -> bytes:
    """So many."""
    return bytes(WIDTH * size)


def blank(size: int) -> array[float]:
    """So many zeros, to be written into."""
    return array("f", bytes(WIDTH * size))


@lru_cache(maxsize=10_000)
def one_of(place: int, size: int) -> bytes:
    """Zeros with a one in that place from 0 on; zeros alone for a place below 0."""
    return part(*[at == place for at in range(size)])


def _no_part() -> tuple[None, Part]:
    return None, b""


class Latest(Generic[Source]):
    """Parts that are made again only when they have to be: a view shares with the one before whatever has not changed.
    `make` gets what the part is made from, and the last one in its place with what that was made from."""

    def __init__(self, make: Callable[[Source, tuple[Source | None, Part]], Part]) -> None:
        self._make = make
        self._last: dict[int, tuple[Source | None, Part]] = defaultdict(_no_part)  # by place

    def parts(self, sources: Iterable[Source]) -> list[Part]:
        """Those made from these, one for each place."""
        last, found = self._last, []
        for place, source in enumerate(sources):
            kept = last[place]
            if kept[0] is not source and kept[0] != source:
                kept = last[place] = source, self._make(source, kept)
            found.append(kept[1])
        return found


class Counts:
    """How many cards there are of each kind, in the order of `kinds`."""

    def __init__(self, kinds: Mapping[str, int]) -> None:
        self._kinds = kinds
        self._none = blank(len(kinds))
        self._pile: tuple[tuple[str, ...], array[float]] = (), self._none

    def of(self, cards: Iterable[str]) -> array[float]:
        """In any cards."""
        return self._more(cards, self._none)

    def of_pile(self, cards: tuple[str, ...]) -> array[float]:
        """In a pile, which mostly grows: it is counted on from where it was."""
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


def joined(parts: Iterable[Part]) -> bytearray:
    """All parts, one behind the other."""
    return bytearray().join(parts)


def encoder_of(encode: Callable[[Any, Any], None], layout: Layout) -> Callable[[Any], bytearray]:
    """The encoder of a game that keeps nothing."""
    return partial(_written, encode, layout.size)


def _written(encode: Callable[[Any, Any], None], size: int, view: Any) -> bytearray:
    out = blank(size)
    encode(view, out)
    return bytearray(out)


def write(parts: Iterable[Part | bytearray], out: Any) -> None:
    """Writes all parts into what takes item assignment, from its beginning on."""
    numbers = b"".join(parts)
    try:  # at once, into an array of floats
        room = memoryview(out)
        if room.format == "f":
            room.cast("B")[: len(numbers)] = numbers
            return
    except TypeError:  # a list, or an array with gaps
        pass
    for at, number in enumerate(array("f", numbers)):
        out[at] = int(number)


@lru_cache(maxsize=1_000)
def packer(count: int) -> Callable[..., bytes]:
    """What makes a part of so many numbers."""
    return Struct(f"{count}f").pack
