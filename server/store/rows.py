"""What a store keeps, and what it promises: rows of bytes, each with its subject and its part of that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

Write: TypeAlias = tuple[str, int, bytes | None]
"""A subject ("t12", "name:ann"), the number of one of its parts, and what is to stand there; None: nothing."""
EVERYTHING = -1
"""In a write that takes away: all parts of the subject."""


class StoreFailed(Exception):
    """The disk is full, read-only or broken; its text is the system's own."""


class Damaged(StoreFailed):
    """What was read is not what was written."""


class Unsure(StoreFailed):
    """The system could not say that what it took is on the disk; asking again would prove nothing."""


class Store(Protocol):
    """Rows on a disk. A subject is current while it has a part 0."""

    lost: bool
    """Whether some of what was kept is not there any more, as the file was damaged, and nobody can tell what."""

    async def commit(self, writes: Sequence[Write], done: Callable[[], object] | None = None) -> None:
        """All of these, in order, or none. Calls `done` once they survive a power cut, and returns. Raises StoreFailed;
        after Unsure nothing is committed any more."""
        ...

    def read(self, subject: str) -> Mapping[int, bytes]:
        """Every part of the subject, by number, in order; of an unknown one none. Raises StoreFailed, Damaged."""
        ...

    async def fetch(self, subject: str) -> Mapping[int, bytes]:
        """As `read`, and nobody waits but who asks."""
        ...

    def current(self) -> Sequence[str]:
        """Every current subject. Raises StoreFailed."""
        ...

    def subjects(self) -> Sequence[str]:
        """Everything of which rows are kept, current or not. Raises StoreFailed."""
        ...

    async def used(self) -> int:
        """Bytes that the rows take on the disk."""
        ...

    async def oldest_matches(self, most: int) -> Sequence[str]:
        """Subjects of matches that are not current, those that began first, so many at most."""
        ...

    def close(self) -> None:
        """Lets go of the disk."""
        ...
