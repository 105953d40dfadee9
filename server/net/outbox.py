"""The bytes on their way to one peer: written at once, or held back until `release`, with a limit on unsent bytes.

Sending never waits. Bytes that the kernel does not take at once stay here, and a separate task sends them later. A peer
that reads too slowly is disconnected. Bytes that may linger are written together with the next urgent bytes, or when
their time is up. Bytes put while more peers have unread requests are written when the time slice ends.
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
LINGER_BYTES = 16_384  # more bytes than this do not linger
NOBODY: frozenset[str] = frozenset()  # shared by all outboxes, as an empty set takes 216 bytes
CLOSING_SECONDS = 2.0  # time limit to send the rest before closing


class OutboxSession(Protocol):
    """The owner of an outbox: a session."""

    def too_slow(self) -> None:
        """Ends the connection, because the peer reads too slowly. The unsent bytes are already dropped."""
        ...

    def not_kept(self, requests: list[int]) -> None:
        """Handles requests whose changes could not be stored and were undone."""
        ...


class PendingWrite(NamedTuple):
    """Bytes to send once batch `position` of the journal is on disk. The other fields are arguments of `Outbox.put`."""

    position: int
    data: bytes
    re: int
    lingers: bool
    kept: bool


class Outbox:
    """One per session."""

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
        self.waits_for = 0  # the batch of the journal to wait for; 0: none
        self._lingering = lingering or WriteCoalescer()
        self._waiting: list[PendingWrite] = []
        self._waiting_bytes = 0
        self._wire, self._config, self._nursery = wire, config, nursery
        self._unsent = bytearray()
        self._holding = False
        self._urgent: bool  # whether some held bytes may not linger
        self._draining = False
        self._moved: trio.Event | None = None  # set when bytes were sent or dropped; `finish` waits for it
        self._owed = 0  # bytes beyond the limit that are allowed: one catch-up for each table
        self._owed_for = NOBODY

    def __len__(self) -> int:
        return len(self._unsent) + self._waiting_bytes

    def put(self, data: bytes, re: int = 0, *, lingers: bool = False, kept: bool = False) -> None:
        """Sends data, or keeps it until it can be sent.

        Args:
            data: The bytes.
            re: The id of the request that the data answer; 0 for none.
            lingers: The data may be sent later, together with what is put after them.
            kept: The data are about something that is already on disk, so they are sent even if the current batch is
                lost.
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

    def wait_for(self, position: int) -> None:
        """Holds back everything put from now on until that batch of the journal is on disk."""
        if position > self.waits_for and position > self._journal.durable:
            self.waits_for = position
            self._journal.wait(self, position)

    def kept(self, durable: int) -> None:
        """Sends the bytes that waited for batches up to `durable`, which are on disk now."""
        ready = [one for one in self._waiting if one.position <= durable]
        waits_for, self.waits_for = self.waits_for, 0
        if ready:
            del self._waiting[: len(ready)]
            data = ready[0].data if len(ready) == 1 else b"".join([one.data for one in ready])
            self._waiting_bytes -= len(data)
            self.put(data, lingers=ready[0].lingers and all(one.lingers for one in ready))
        self.wait_for(waits_for)
        self._has_moved()

    def lost(self, durable: int, *, surely: bool) -> None:
        """Drops the bytes that waited for batches after `durable`, except those put as `kept`.

        If the batches were surely not written, it reports the ids of the dropped answers to the owner. Otherwise these
        requests get no answer, and a client that repeats them after a restart gets the state that was stored.
        """
        lost = [one.re for one in self._waiting if one.re]
        kept = b"".join([one.data for one in self._waiting if one.kept])
        self._waiting.clear()
        self.waits_for = self._waiting_bytes = 0
        if kept:
            self.put(kept)
        self._owner.not_kept(lost if surely else [])
        self._has_moved()

    def drop(self) -> None:
        """Discards all bytes of a closed connection, because its file descriptor may soon belong to another one."""
        self._unsent.clear()
        self._waiting.clear()
        self.waits_for = self._waiting_bytes = 0

    def hold(self) -> None:
        """Collects what is put from now on, so that `release` sends it in one write."""
        self._holding, self._urgent = True, False

    def release(self) -> None:
        """Sends the held and lingering bytes. If all of the held bytes may linger, they linger from now on instead."""
        may_linger, self._holding = self._holding and not (self._urgent or self._draining), False
        later = may_linger or self._lingering.gathers
        if self._unsent and not (later and self._leaves_later(lingers=may_linger)):
            self._send_unsent()
        if self._owed and not self._unsent and not self._waiting:
            self._settle()
        self._check_waiting()

    def _leaves_later(self, *, lingers: bool) -> bool:
        """Schedules a later release. Returns False if there are too many bytes, which must be sent now."""
        if len(self._unsent) >= LINGER_BYTES:
            return False
        self._lingering.take(self, lingers=lingers)
        return True

    def owe(self, table: str, length: int) -> None:
        """Raises the limit by `length` bytes, which repeat messages that a player missed at a table.

        A player who returns over a slow line is therefore not disconnected. A second catch-up for the same table counts
        against the limit until all catch-ups are sent.
        """
        if table not in self._owed_for:
            self._owed_for |= {table}
            self._owed += max(0, length)

    def owes_others(self, table: str) -> bool:
        """Returns whether a further catch-up has to wait, because too much of other tables' catch-ups is unsent."""
        return len(self) > self._config.behind_bytes and bool(self._owed_for) and table not in self._owed_for

    async def finish(self) -> None:
        """Sends the rest. Returns when the kernel has taken it, the peer is gone, or CLOSING_SECONDS have passed."""
        with trio.move_on_after(CLOSING_SECONDS):
            while (self._unsent or self._waiting) and not self._wire.broken:
                if self._draining or not self._unsent:  # `_drain` still runs, or bytes wait for the disk
                    self._moved = trio.Event()
                    await self._moved.wait()
                    continue
                taken = await self._wire.send_some(bytes(self._unsent[:CHUNK_BYTES]))
                del self._unsent[:taken]

    def _has_moved(self) -> None:
        if self._moved is not None:
            self._moved.set()

    def _settle(self) -> None:
        """Resets the raised limit once all catch-ups are sent."""
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
        """Sends the unsent bytes. Disconnects a peer that takes nothing, or stays above its limit, for
        `outbox_seconds`."""
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
        self._owner.too_slow()
