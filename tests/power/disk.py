"""A disk as it may be after a power cut, out of the record of what it was asked to do."""

from __future__ import annotations

import random
import struct
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SECTOR = 512  # bytes, the least that a disk writes as a whole
ACKS = "acks"  # what is written to this file is no data, but what was acknowledged at that moment
FORGOTTEN = ("-shm", ACKS)  # memory that two processes share is on no disk


@dataclass(frozen=True)
class Asked:
    """One call: C created, W written, T cut to a length (the offset), S synchronised, U removed. `name` is a file's in
    the folder, "" the folder itself."""

    what: str
    name: str
    offset: int
    data: bytes


def read_trace(trace: Path, folder: Path) -> Iterator[Asked]:
    """What tests/power/trace.c wrote down."""
    raw, at = trace.read_bytes(), 0
    while at < len(raw):
        what, offset, path, size, _ = struct.unpack_from("=5Q", raw, at)
        at += 40
        name = raw[at : at + path].decode().removeprefix(str(folder)).removeprefix("/")
        yield Asked(chr(what), name, offset, raw[at + path : at + path + size])
        at += path + size


class Disk:
    """What surely is on the disk, and what was asked since. Calls are taken in order by `take`."""

    def __init__(self) -> None:
        self._sure: dict[str, bytearray] = {}
        self._named: set[str] = set()  # files whose names surely are in the folder
        self._unsure: dict[str, list[Asked]] = defaultdict(list)
        self.acks: list[bytes] = []

    def take(self, asked: Asked) -> None:
        """The next call."""
        if asked.name == ACKS and asked.what == "W":
            self.acks += asked.data.splitlines()
        elif asked.name.endswith(FORGOTTEN):
            pass
        elif asked.what == "S" and not asked.name:
            self._sync_names()
        elif asked.what == "S":
            image = self._sure.setdefault(asked.name, bytearray())
            for one in self._unsure[asked.name]:
                _apply(image, one)
            self._unsure[asked.name].clear()
        else:
            self._unsure[asked.name].append(asked)

    def _sync_names(self) -> None:
        """Which files there are is sure from now on."""
        self._named |= self._unsure.keys()
        for name, unsure in list(self._unsure.items()):
            if any(one.what == "U" for one in unsure):
                self._named.discard(name)
                self._sure.pop(name, None)
                del self._unsure[name]

    def cut(self, folder: Path, rng: random.Random) -> None:
        """Writes what is left after a power cut now: of each call that was not synchronised any of its sectors."""
        folder.mkdir()
        kept = rng.choice((0.0, 0.2, 0.5, 0.9, 1.0))
        for name, unsure in self._unsure.items():
            if name not in self._named and rng.random() >= kept:
                continue
            image = bytearray(self._sure.get(name, b""))
            for one in unsure:
                if one.what == "W":
                    for part in _sectors(one):
                        if rng.random() < kept:
                            _apply(image, part)
                elif rng.random() < kept:
                    _apply(image, one)
            (folder / name).write_bytes(image)


def _sectors(asked: Asked) -> Iterator[Asked]:
    start, end = asked.offset, asked.offset + len(asked.data)
    while start < end:
        stop = min(end, (start // SECTOR + 1) * SECTOR)
        yield Asked("W", asked.name, start, asked.data[start - asked.offset : stop - asked.offset])
        start = stop


def _apply(image: bytearray, asked: Asked) -> None:
    if asked.what == "W":
        if len(image) < asked.offset:
            image.extend(bytes(asked.offset - len(image)))
        image[asked.offset : asked.offset + len(asked.data)] = asked.data
    elif asked.what == "T":
        image.extend(bytes(max(0, asked.offset - len(image))))
        del image[asked.offset :]
    elif asked.what == "U":
        image.clear()
