"""Tells many players something, a few at a time, so that a full house does not keep anybody waiting."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import trio

from protocol.messages import Message
from server.player import Player

AT_ONCE = 50  # hearers; then others get their turn


class Crier:
    """One a lobby. What is cried first is heard first."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self._nursery = nursery
        self._waiting: deque[tuple[Message, Player]] = deque()

    def cry(self, message: Message, hearers: Iterable[Player]) -> None:
        """Tells these players, those at once whose turn it is."""
        idle = not self._waiting
        self._waiting.extend((message, player) for player in hearers)
        if idle:
            self._tell_some()
            if self._waiting:
                self._nursery.start_soon(self._tell_all)

    def _tell_some(self) -> None:
        for _ in range(min(AT_ONCE, len(self._waiting))):
            message, player = self._waiting.popleft()
            if player.listener is not None:
                player.listener.push((message,))

    async def _tell_all(self) -> None:
        while self._waiting:
            await trio.lowlevel.checkpoint()
            self._tell_some()
