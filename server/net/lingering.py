"""What is sent a little later: what programs would rather hear with their next turn lingers for a second at most, and
what is told while more peers wait to be read leaves when the slice ends, as each waking of another program costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import trio

from protocol.messages import Happened, Late, Message, Presence

LINGER_SECONDS = 1.0  # a program that waits for its turn hears at least once a second what others do
TOGETHER_SECONDS = 0.05  # whose time comes so soon after another's is released with it: each wait for a time costs


def can_linger(messages: Sequence[Message]) -> bool:
    """Whether they only tell what others did at a table, and ask nothing."""
    return _WHAT_OTHERS_DID.issuperset(map(type, messages))


_WHAT_OTHERS_DID = frozenset((Happened, Late, Presence))


class Lingerer(Protocol):
    """Has something to send that need not be sent at once: an outbox."""

    def release(self) -> None:
        """Sends it."""
        ...


class Lingering:
    """Those who have something. `run` is the task that has it sent in time."""

    def __init__(self) -> None:
        self.gathers = False  # while somebody else waits to be read, until the slice ends
        self._gathered: dict[Lingerer, None] = {}
        self._until: dict[Lingerer, float] = {}  # in order of time, as all linger equally long
        self._somebody = trio.Event()

    def add(self, lingerer: Lingerer) -> None:
        """It is released within a second. It may have sent all by then."""
        if lingerer not in self._until:
            self._until[lingerer] = trio.current_time() + LINGER_SECONDS
            self._somebody.set()

    def take(self, lingerer: Lingerer, *, lingers: bool) -> None:
        """It is released later: what lingers within a second, all else at the end of a slice that gathers."""
        if lingers:
            self.add(lingerer)
        else:
            self._gathered[lingerer] = None

    def end_slice(self) -> None:
        """Releases all that were gathered, in that order."""
        self.gathers = False
        while self._gathered:
            lingerer = next(iter(self._gathered))
            del self._gathered[lingerer]
            lingerer.release()

    async def run(self) -> None:
        """Releases each when its time has come."""
        while True:
            self._somebody = trio.Event()
            if not self._until:
                await self._somebody.wait()
            await trio.sleep_until(next(iter(self._until.values())))
            self._release_until(trio.current_time() + TOGETHER_SECONDS)

    def _release_until(self, time: float) -> None:
        """A method of its own: `run` holds on to nobody while it waits for the next."""
        while self._until and next(iter(self._until.values())) <= time:
            lingerer = next(iter(self._until))
            del self._until[lingerer]
            lingerer.release()
