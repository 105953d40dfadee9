"""The interface of a store. A store has rows of bytes, each identified by a subject and a part number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

Write: TypeAlias = tuple[str, int, bytes | None]
"""A write to a store: the subject, such as "t12" or "name:ann"; the part number; and the data, or None to delete the
part."""
EVERYTHING = -1
"""The part number of a write that deletes all parts of its subject."""


class StoreFailed(Exception):
    """The disk is full, read-only or broken. The text comes from the operating system."""


class DamagedData(StoreFailed):
    """Data that were read differ from those that had been written."""


class DurabilityUnknown(StoreFailed):
    """An fsync failed, so it is not known whether data that were accepted are on disk. A second fsync could succeed
    without having written them."""


class Store(Protocol):
    """A store of rows on a disk. A subject is called current as long as it has a part 0."""

    lost: bool
    """Whether rows may be missing, because the file was damaged or its log was lost. It is not known which rows."""

    async def commit(self, writes: Sequence[Write], done: Callable[[], object] | None = None) -> None:
        """Writes all of these rows in this order, or none. Calls `done` once they would survive a power cut, and then
        returns.

        Raises StoreFailed. After it has raised Unsure, all further commits fail.
        """
        ...

    def read(self, subject: str) -> Mapping[int, bytes]:
        """Returns the data of all parts of the subject, by part number in ascending order; nothing for an unknown
        subject. Raises StoreFailed, Damaged."""
        ...

    async def read_in_thread(self, subject: str) -> Mapping[int, bytes]:
        """Like `read`, but in a worker thread."""
        ...

    def current_subjects(self) -> Sequence[str]:
        """Returns all current subjects. Raises StoreFailed."""
        ...

    def all_subjects(self) -> Sequence[str]:
        """Returns all subjects that have rows, current or not. Raises StoreFailed."""
        ...

    async def used_bytes(self) -> int:
        """Returns the number of bytes that all rows take on disk."""
        ...

    async def oldest_matches(self, most: int) -> Sequence[str]:
        """Returns the subjects of at most `most` matches that are not current, oldest first."""
        ...

    def close(self) -> None:
        """Closes the store, so that another process may open its folder."""
        ...
