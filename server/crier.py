"""Tells many hearers something, a few at a time, so that a full house does not keep anybody waiting."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

import trio

AT_ONCE = 16  # hearers, which take half a millisecond; then others get their turn

Hearer = TypeVar("Hearer")


class Crier:
    """One a server. What is cried first is heard first. Without a nursery all hear at once."""

    def __init__(self, nursery: trio.Nursery | None = None) -> None:
        self._nursery = nursery
        self._waiting: deque[Callable[[], None]] = deque()

    def cry(self, tell: Callable[[Hearer], None], hearers: Iterable[Hearer]) -> None:
        """Has each of them told, those at once whose turn it is. `tell` does not raise."""
        idle = not self._waiting
        self._waiting.extend(partial(tell, hearer) for hearer in hearers)
        if idle:
            self._tell_some()
            if self._waiting and self._nursery is not None:
                self._nursery.start_soon(self._tell_all)

    def _tell_some(self) -> None:
        for _ in range(len(self._waiting) if self._nursery is None else min(AT_ONCE, len(self._waiting))):
            self._waiting.popleft()()

    async def _tell_all(self) -> None:
        while self._waiting:
            await trio.lowlevel.checkpoint()
            self._tell_some()
