"""Write coalescing: delays unimportant messages, so that each peer is written to, and woken, less often.

Messages that a program only needs with its next turn linger for at most a second. While more peers have unread
requests, other messages are gathered and written at the end of the time slice. Each write wakes another process, which
costs time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import trio

from protocol.messages import Happened, Late, Message, Presence

LINGER_SECONDS = 1.0  # a program that waits for its turn is updated at least once a second
TOGETHER_SECONDS = 0.05  # outboxes due within this time are released together, as each timer costs


def can_linger(messages: Sequence[Message]) -> bool:
    """Returns whether the messages only report what others did at a table, and ask for no decision."""
    return _WHAT_OTHERS_DID.issuperset(map(type, messages))


_WHAT_OTHERS_DID = frozenset((Happened, Late, Presence))


class DelayedWriter(Protocol):
    """Something with bytes to send that may be sent later: an outbox."""

    def release(self) -> None:
        """Sends the bytes."""
        ...


class WriteCoalescer:
    """Holds the outboxes with delayed bytes. `run` is the task that releases them in time."""

    def __init__(self) -> None:
        self.gathers = False  # true while other peers have unread requests, until the slice ends
        self._gathered: dict[DelayedWriter, None] = {}
        self._until: dict[DelayedWriter, float] = {}  # in order of time, as all linger for the same time
        self._somebody = trio.Event()

    def add(self, lingerer: DelayedWriter) -> None:
        """Schedules a release within LINGER_SECONDS. The outbox may have sent everything by then."""
        if lingerer not in self._until:
            self._until[lingerer] = trio.current_time() + LINGER_SECONDS
            self._somebody.set()

    def take(self, lingerer: DelayedWriter, *, lingers: bool) -> None:
        """Schedules a release: within LINGER_SECONDS if the bytes linger, otherwise at the end of the current slice."""
        if lingers:
            self.add(lingerer)
        else:
            self._gathered[lingerer] = None

    def end_slice(self) -> None:
        """Releases all gathered outboxes in FIFO order."""
        self.gathers = False
        while self._gathered:
            lingerer = next(iter(self._gathered))
            del self._gathered[lingerer]
            lingerer.release()

    async def run(self) -> None:
        """Releases each lingering outbox at its time. Runs until cancelled."""
        while True:
            self._somebody = trio.Event()
            if not self._until:
                await self._somebody.wait()
            await trio.sleep_until(next(iter(self._until.values())))
            self._release_until(trio.current_time() + TOGETHER_SECONDS)

    def _release_until(self, time: float) -> None:
        """Releases all that are due. A method of its own, so that `run` keeps no reference to an outbox while
        it waits."""
        while self._until and next(iter(self._until.values())) <= time:
            lingerer = next(iter(self._until))
            del self._until[lingerer]
            lingerer.release()
