"""Delays messages that are not urgent, so that each peer is written to, and its process woken, less often.

A program needs some messages only with its next turn; these linger for at most a second. While other peers have unread
requests, all other messages are gathered, and written at the end of the time slice. Each write wakes the process of the
peer, which costs time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import trio

from protocol.messages import Happened, Late, Message, Presence

# longest time that bytes linger, so that a program that waits for its turn gets its messages once per second
LINGER_SECONDS = 1.0
# outboxes whose time ends within this time are released together, because each timer costs time
TOGETHER_SECONDS = 0.05


def can_be_delayed(messages: Sequence[Message]) -> bool:
    """Returns whether the messages only report what others did at a table, and ask the receiver for no decision."""
    return _WHAT_OTHERS_DID.issuperset(map(type, messages))


_WHAT_OTHERS_DID = frozenset((Happened, Late, Presence))


class DelayedWriter(Protocol):
    """The owner of bytes whose sending may be delayed: an outbox."""

    def release(self) -> None:
        """Sends the delayed bytes."""
        ...


class WriteCoalescer:
    """The outboxes of a server that have delayed bytes. `run` is the task that releases them."""

    def __init__(self) -> None:
        # whether other peers have unread requests in this time slice, so that writes are gathered until its end
        self.gathers = False
        self._gathered: dict[DelayedWriter, None] = {}
        # by outbox: when it is released; in order of time, because all linger for the same time
        self._until: dict[DelayedWriter, float] = {}
        self._somebody = trio.Event()

    def release_later(self, lingerer: DelayedWriter) -> None:
        """Schedules a release of the outbox in LINGER_SECONDS. The outbox may have sent all its bytes by then."""
        if lingerer not in self._until:
            self._until[lingerer] = trio.current_time() + LINGER_SECONDS
            self._somebody.set()

    def schedule_release(self, lingerer: DelayedWriter, *, lingers: bool) -> None:
        """Schedules a release of the outbox: in LINGER_SECONDS if its bytes linger, otherwise at the end of the time
        slice."""
        if lingers:
            self.release_later(lingerer)
        else:
            self._gathered[lingerer] = None

    def release_gathered(self) -> None:
        """Releases the outboxes that were gathered in this time slice, in order."""
        self.gathers = False
        while self._gathered:
            lingerer = next(iter(self._gathered))
            del self._gathered[lingerer]
            lingerer.release()

    async def run(self) -> None:
        """Releases each outbox whose bytes linger when its time has come. Runs until cancelled."""
        while True:
            self._somebody = trio.Event()
            if not self._until:
                await self._somebody.wait()
            await trio.sleep_until(next(iter(self._until.values())))
            self._release_until(trio.current_time() + TOGETHER_SECONDS)

    def _release_until(self, time: float) -> None:
        """Releases all outboxes whose time is at most `time`. It is a method of its own so that `run` keeps no
        reference to an outbox while it waits."""
        while self._until and next(iter(self._until.values())) <= time:
            lingerer = next(iter(self._until))
            del self._until[lingerer]
            lingerer.release()
