"""A vector of numbers: what stands where in it, and how a game fills it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import prod
from struct import Struct
from typing import Any

import msgspec


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


# For the games' own encoders: a vector is put together from parts, which are kept as long as they stay the same. All
# numbers are from 0 to 65,535; they are packed in two bytes each, which is quicker than as floats.

WIDTH = 2
KEPT = 200  # parts of a kind: those of the matches of now, since more would crowd out the processor's own memory


def part(*numbers: int) -> bytes:
    """These numbers."""
    return _packer(len(numbers))(*numbers)


def row(numbers: Sequence[int], size: int) -> bytes:
    """The numbers, and as many zeros as are missing to that size."""
    return part(*numbers) + bytes(WIDTH * (size - len(numbers)))


def zeros(size: int) -> bytes:
    """So many."""
    return bytes(WIDTH * size)


@lru_cache(maxsize=10_000)
def one_of(place: int, size: int) -> bytes:
    """Zeros with a one in that place from 0 on; zeros alone for a place below 0."""
    return part(*[at == place for at in range(size)])


def write(parts: Iterable[bytes], out: Any) -> None:
    """Writes all parts into what takes item assignment, from its beginning on."""
    numbers = array("H", b"".join(parts))
    try:  # at once, where that is known
        if not isinstance(out, bytearray):  # which would take the two bytes of each
            out[: len(numbers)] = array(out.typecode, numbers) if isinstance(out, array) else numbers
            return
    except (TypeError, ValueError):  # a memoryview takes what has its own format alone
        pass
    for at, number in enumerate(numbers):
        out[at] = number


@lru_cache(maxsize=1_000)
def _packer(count: int) -> Callable[..., bytes]:
    return Struct(f"{count}H").pack
