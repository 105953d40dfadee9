"""Tells many hearers something, a few at a time, so that a full house does not keep anybody waiting."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import trio

from server.slices import Slice

AT_ONCE = 16  # hearers, which take half a millisecond; then others get their turn

Hearer = TypeVar("Hearer")


class Crier:
    """One a server. What is cried first is heard first. Without a nursery all hear at once."""

    def __init__(self, nursery: trio.Nursery | None = None) -> None:
        self._nursery = nursery
        self._waiting: deque[Iterator[None]] = deque()
        self._turn = Slice(-1.0)  # over
        self._left: int  # hearers in this turn

    def cry(self, telling: Iterator[None]) -> None:
        """Has all of it told, and as much at once as its turn has room for. Whoever is told is one step of it, which
        does not raise."""
        idle = not self._waiting
        self._waiting.append(telling)
        if idle:
            if self._turn.is_over:  # many who are cried one after the other share a turn
                self._begin_turn()
            self._tell_some()
            if self._waiting:
                assert self._nursery is not None
                self._nursery.start_soon(self._tell_all)

    def _begin_turn(self) -> None:
        self._turn, self._left = Slice(), AT_ONCE

    def _tell_some(self) -> None:
        while self._waiting and (self._left > 0 or self._nursery is None):
            try:
                next(self._waiting[0])
                self._left -= 1
            except StopIteration:
                self._waiting.popleft()

    async def _tell_all(self) -> None:
        while self._waiting:
            await trio.lowlevel.checkpoint()
            self._begin_turn()
            self._tell_some()


def each(tell: Callable[[Hearer], None], hearers: Iterable[Hearer]) -> Iterator[None]:
    """To cry: each of them is told the same."""
    for hearer in hearers:
        tell(hearer)
        yield
