"""A disk in memory for tests in virtual time: slow, full or broken as the test wants it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import trio

from server.store.rows import EVERYTHING, DurabilityUnknown, StoreFailed, Write


def write(rows: dict[str, dict[int, bytes]], subject: str, part: int, data: bytes | None) -> None:
    """Does one write of server.store.rows to these rows."""
    if data is not None:
        rows.setdefault(subject, {})[part] = data
    elif part == EVERYTHING:
        rows.pop(subject, None)
    else:
        rows.get(subject, {}).pop(part, None)


class Disk:
    """Implements server.store.rows.Store. What is committed stays in `rows`, whatever becomes of the server."""

    def __init__(self, *, delay: float = 0.0) -> None:
        self.rows: dict[str, dict[int, bytes]] = {}
        self.delay = delay  # seconds that a commit takes
        self.full = False  # every commit fails
        self.unsure = False  # every commit fails, and nobody knows what is there now
        self.dead = False  # the server was killed: nothing it still does is written
        self.commits = 0
        self.attempts = 0
        self.lost = False

    async def commit(self, writes: Sequence[Write], done: Callable[[], object] | None = None) -> None:
        self.attempts += 1
        await trio.sleep(self.delay)
        if self.dead:
            await trio.sleep_forever()
        if self.unsure:
            raise DurabilityUnknown("disk I/O error")
        if self.full:
            raise StoreFailed("database or disk is full")
        self.commits += 1
        self.write(writes)
        if done is not None:
            done()

    def write(self, writes: Sequence[Write]) -> None:
        """All of these are on the disk."""
        for one in writes:
            write(self.rows, *one)

    def read(self, subject: str) -> Mapping[int, bytes]:
        return dict(sorted(self.rows.get(subject, {}).items()))

    async def read_in_thread(self, subject: str) -> Mapping[int, bytes]:
        await trio.sleep(self.delay)
        return self.read(subject)

    def current_subjects(self) -> Sequence[str]:
        return sorted(subject for subject, parts in self.rows.items() if 0 in parts)  # as the file does

    def all_subjects(self) -> Sequence[str]:
        return list(self.rows)

    async def used_bytes(self) -> int:
        return sum(len(data) for parts in self.rows.values() for data in parts.values())

    async def oldest_matches(self, most: int) -> Sequence[str]:
        matches = [subject for subject, parts in self.rows.items() if subject[1:].isdigit() and 1 in parts]
        return [subject for subject in matches if 0 not in self.rows[subject]][:most]

    def close(self) -> None:
        pass
