"""A disk drawn from a seed: slow, full for a while, or unsure; a killed server may lose what was on its way."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from server.store.rows import StoreFailed, Write
from tests.helpers.disk import Disk

DELAYS = (0.0, 0.0, 0.001, 0.005, 0.05, 0.6)  # seconds a commit
FAILS = 0.003  # of all commits: the fsync fails, and nobody knows what is there


class FaultyDisk(Disk):
    """One for all servers of a run, one after the other."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self.stormy = False
        self.failed = 0
        self._rng = rng
        self._under_way: Sequence[Write] = ()
        self._maybe: Sequence[Write] = ()

    async def commit(self, writes: Sequence[Write], done: Callable[[], object] | None = None) -> None:
        self.delay = self._rng.choice(DELAYS if self.stormy else DELAYS[:4])
        errs = self.stormy and self._rng.random() < FAILS
        self._under_way = writes
        try:
            if errs:
                self.unsure, self._maybe = True, writes
            await super().commit(writes, done)
        except StoreFailed:
            self.failed += 1
            raise
        finally:
            self._under_way = ()

    def lose_server(self) -> None:
        """The server is killed: what was not acknowledged is there as a whole or not at all."""
        maybe = self._maybe if self.unsure else () if self.full else self._under_way
        if maybe and self._rng.random() < 0.5:
            self.write(maybe)
        self.dead, self.unsure = True, False
