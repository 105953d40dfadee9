"""The interface of a store, and its rows: bytes, identified by a subject and a part number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

Write: TypeAlias = tuple[str, int, bytes | None]
"""A subject ("t12", "name:ann"), a part number, and the data to write; None deletes the part."""
EVERYTHING = -1
"""The part number of a deletion that removes all parts of the subject."""


class StoreFailed(Exception):
    """The disk is full, read-only or broken. The text comes from the operating system."""


class Damaged(StoreFailed):
    """The data that were read differ from those that were written."""


class Unsure(StoreFailed):
    """An fsync failed, so it is unknown whether accepted data are on disk. Repeating the fsync would prove nothing."""


class Store(Protocol):
    """Rows on a disk. A subject is current while it has a part 0."""

    lost: bool
    """Whether rows are missing because the file was damaged or its log was lost. It is unknown which ones."""

    async def commit(self, writes: Sequence[Write], done: Callable[[], object] | None = None) -> None:
        """Writes all of these rows in order, or none. Calls `done` once they survive a power cut, then returns.

        Raises StoreFailed. After Unsure all further commits fail.
        """
        ...

    def read(self, subject: str) -> Mapping[int, bytes]:
        """Returns all parts of the subject by number, in order; empty for an unknown subject. Raises StoreFailed,
        Damaged."""
        ...

    async def fetch(self, subject: str) -> Mapping[int, bytes]:
        """Like `read`, but in a worker thread."""
        ...

    def current(self) -> Sequence[str]:
        """Returns all current subjects. Raises StoreFailed."""
        ...

    def subjects(self) -> Sequence[str]:
        """Returns all subjects that have rows, current or not. Raises StoreFailed."""
        ...

    async def used(self) -> int:
        """Returns the number of bytes that the rows take on disk."""
        ...

    async def oldest_matches(self, most: int) -> Sequence[str]:
        """Returns subjects of matches that are not current, oldest first, at most `most`."""
        ...

    def close(self) -> None:
        """Closes the store and releases its folder."""
        ...
