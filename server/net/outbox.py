"""Sends bytes to one peer: at once, or later if they are held back, with a limit on the bytes that are unsent.

Sending never waits: bytes that the kernel does not take at once are sent by a separate task. A peer that reads too
slowly is disconnected. Bytes that may linger are written together with the next bytes that may not, or after a time.
While other peers have unread requests, bytes are written at the end of the time slice.
"""

from __future__ import annotations

import logging
from typing import NamedTuple, Protocol

import trio

from server.config import Config
from server.net.wire import Wire
from server.net.write_coalescing import WriteCoalescer
from server.store.journal import Journal

log = logging.getLogger("magehall.outbox")

CHUNK_BYTES = 65_536
LINGER_BYTES = 16_384  # number of bytes above which bytes do not linger any more
NOBODY: frozenset[str] = frozenset()  # an empty set that all outboxes share, because each set takes 216 bytes
CLOSING_SECONDS = 2.0  # time limit for sending the remaining bytes before the connection is closed


class OutboxSession(Protocol):
    """The part of a session that its outbox uses."""

    def end_slow_connection(self) -> None:
        """Ends the connection, because the peer reads too slowly. The outbox has already dropped its bytes."""
        ...

    def refuse_lost_requests(self, requests: list[int]) -> None:
        """Handles requests whose changes could not be stored and were undone. `requests` has their ids."""
        ...


class PendingWrite(NamedTuple):
    """Bytes that are sent once batch `position` of the journal is on disk. The other fields are arguments of
    `Outbox.send_bytes`."""

    position: int
    data: bytes
    re: int
    lingers: bool
    kept: bool


class Outbox:
    """The outbox of one session."""

    def __init__(
        self,
        wire: Wire,
        config: Config,
        nursery: trio.Nursery,
        owner: OutboxSession,
        journal: Journal | None = None,
        lingering: WriteCoalescer | None = None,
    ) -> None:
        self._journal, self._owner = journal or Journal(), owner
        self.waits_for = 0  # the journal batch that must be on disk before later bytes are sent; 0: none
        self._lingering = lingering or WriteCoalescer()
        self._waiting: list[PendingWrite] = []
        self._waiting_bytes = 0
        self._wire, self._config, self._nursery = wire, config, nursery
        self._unsent = bytearray()
        self._holding = False
        self._urgent: bool  # whether some of the bytes that are held must not linger
        self._draining = False
        self._moved: trio.Event | None = None  # set when bytes were sent or dropped; `finish` waits for it
        self._owed = 0  # number of bytes that are allowed beyond the limit, for one catch-up of each table
        self._owed_for = NOBODY

    def __len__(self) -> int:
        return len(self._unsent) + self._waiting_bytes

    def send_bytes(self, data: bytes, re: int = 0, *, lingers: bool = False, kept: bool = False) -> None:
        """Sends data, now or as soon as it can be sent.

        Args:
            data: The bytes to send.
            re: The id of the request that the bytes answer; 0 if they answer none.
            lingers: Whether the bytes may be sent later, together with other bytes.
            kept: Whether the bytes are about something that is already on disk, so that they are sent even if the
                current journal batch is lost.
        """
        if self.waits_for:
            self._waiting.append(PendingWrite(self.waits_for, data, re, lingers, kept))
            self._waiting_bytes += len(data)
            if not self._holding:
                self._check_waiting()
            return
        unsent = self._unsent
        if self._holding:
            unsent += data
            self._urgent = self._urgent or not lingers
            return
        if (lingers or self._lingering.gathers) and self._leaves_later(lingers=lingers):
            unsent += data
            return
        if unsent:
            unsent += data
            self._send_unsent()
            return
        taken = self._wire.try_send(data)
        if taken < len(data):
            unsent += data[taken:]
            self._drain_later()

    def hold_until_committed(self, position: int) -> None:
        """Holds back everything that is put from now on, until batch `position` of the journal is on disk."""
        if position > self.waits_for and position > self._journal.durable:
            self.waits_for = position
            self._journal.add_waiter(self, position)

    def on_batch_committed(self, durable: int) -> None:
        """Sends the bytes that waited for journal batches up to number `durable`, which are on disk now."""
        ready = [one for one in self._waiting if one.position <= durable]
        waits_for, self.waits_for = self.waits_for, 0
        if ready:
            del self._waiting[: len(ready)]
            data = ready[0].data if len(ready) == 1 else b"".join([one.data for one in ready])
            self._waiting_bytes -= len(data)
            self.send_bytes(data, lingers=ready[0].lingers and all(one.lingers for one in ready))
        self.hold_until_committed(waits_for)
        self._has_moved()

    def on_batch_lost(self, durable: int, *, surely: bool) -> None:
        """Drops the bytes that waited for journal batches after number `durable`, except those put as `kept`.

        If the batches were `surely` not written, the session gets the ids of the requests whose answers were dropped.
        Otherwise these requests get no answer; a client that repeats them after a restart gets the state that was
        stored.
        """
        lost = [one.re for one in self._waiting if one.re]
        kept = b"".join([one.data for one in self._waiting if one.kept])
        self._waiting.clear()
        self.waits_for = self._waiting_bytes = 0
        if kept:
            self.send_bytes(kept)
        self._owner.refuse_lost_requests(lost if surely else [])
        self._has_moved()

    def discard_bytes(self) -> None:
        """Drops all bytes of a connection that is closed, because its file descriptor may soon belong to another
        connection."""
        self._unsent.clear()
        self._waiting.clear()
        self.waits_for = self._waiting_bytes = 0

    def start_batching(self) -> None:
        """Collects the bytes that are put from now on, so that `release` sends them in one write."""
        self._holding, self._urgent = True, False

    def release(self) -> None:
        """Sends the bytes that were held back by `hold` and those that linger. If all held bytes may linger, they now
        linger instead."""
        may_linger, self._holding = self._holding and not (self._urgent or self._draining), False
        later = may_linger or self._lingering.gathers
        if self._unsent and not (later and self._leaves_later(lingers=may_linger)):
            self._send_unsent()
        if self._owed and not self._unsent and not self._waiting:
            self._settle()
        self._check_waiting()

    def _leaves_later(self, *, lingers: bool) -> bool:
        """Schedules a later `release`. Returns False if there are too many bytes, so that they must be sent now."""
        if len(self._unsent) >= LINGER_BYTES:
            return False
        self._lingering.schedule_release(self, lingers=lingers)
        return True

    def raise_limit(self, table: str, length: int) -> None:
        """Raises the limit on unsent bytes by `length`, for messages that repeat what a player missed at a table.

        So a player who returns over a slow connection is not disconnected. A second catch-up for the same table counts
        against the limit, until all catch-ups are sent.
        """
        if table not in self._owed_for:
            self._owed_for |= {table}
            self._owed += max(0, length)

    def must_delay_catch_up(self, table: str) -> bool:
        """Returns whether the catch-up of this table has to wait, because too many bytes of other tables' catch-ups are
        unsent."""
        return len(self) > self._config.behind_bytes and bool(self._owed_for) and table not in self._owed_for

    async def send_remaining(self) -> None:
        """Sends the remaining bytes. Returns once the kernel has taken them, the peer is gone, or CLOSING_SECONDS have
        passed."""
        with trio.move_on_after(CLOSING_SECONDS):
            while (self._unsent or self._waiting) and not self._wire.broken:
                if self._draining or not self._unsent:  # `_drain` is still sending, or all bytes wait for the disk
                    self._moved = trio.Event()
                    await self._moved.wait()
                    continue
                taken = await self._wire.send_some(bytes(self._unsent[:CHUNK_BYTES]))
                del self._unsent[:taken]

    def _has_moved(self) -> None:
        if self._moved is not None:
            self._moved.set()

    def _settle(self) -> None:
        """Resets the limit on unsent bytes once all catch-ups are sent."""
        self._owed = 0
        self._owed_for = NOBODY

    def _send_unsent(self) -> None:
        if not self._draining:
            taken = self._wire.try_send(self._unsent)
            del self._unsent[:taken]
        if self._unsent:
            self._drain_later()

    def _drain_later(self) -> None:
        if len(self._unsent) > self._config.outbox_bytes + self._owed:
            self._give_up()
        elif not self._draining:
            self._draining = True
            self._nursery.start_soon(self._drain)

    async def _drain(self) -> None:
        """Sends the unsent bytes. A peer is disconnected if it takes no bytes, or if its unsent bytes stay above
        `behind_bytes`, for `outbox_seconds`."""
        try:
            patience, up_to_date = self._config.outbox_seconds, trio.current_time()
            while self._unsent and not self._wire.broken:
                with trio.move_on_after(patience) as scope:
                    taken = await self._wire.send_some(bytes(self._unsent[:CHUNK_BYTES]))
                    del self._unsent[:taken]
                if len(self._unsent) <= self._config.behind_bytes + self._owed:
                    up_to_date = trio.current_time()
                if scope.cancelled_caught or trio.current_time() - up_to_date >= patience:
                    self._give_up()
                    return
        except Exception:
            log.exception("a writer failed")
            self._wire.broken = True
        finally:
            self._draining = False
            self._has_moved()
            if not self._unsent:
                self._settle()

    def _check_waiting(self) -> None:
        if self._waiting_bytes > self._config.outbox_bytes + self._owed:
            self._give_up()

    def _give_up(self) -> None:
        self._unsent.clear()
        self._waiting.clear()
        self.waits_for = self._waiting_bytes = 0
        self._has_moved()
        self._owner.end_slow_connection()
