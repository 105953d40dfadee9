"""The bytes on their way to one peer: written at once, or held back until `release`, and limited while unsent.

Sending never waits: what the kernel does not take at once stays here, and a task of its own sends it later. A peer that
reads too slowly is cut off. What may linger is written with the next that may not, or when its time is up; what is put
while more peers wait to be read, when the slice ends.
"""

from __future__ import annotations

import logging
from typing import NamedTuple, Protocol

import trio

from server.config import Config
from server.net.lingering import Lingering
from server.net.wire import Wire
from server.store.journal import Journal

log = logging.getLogger("magehall.outbox")

CHUNK_BYTES = 65_536
LINGER_BYTES = 16_384  # more is sent at once
NOBODY: frozenset[str] = frozenset()  # one for all: an empty set takes 216 bytes
CLOSING_SECONDS = 2.0  # to send the rest


class Owner(Protocol):
    """Whose outbox it is: a session."""

    def too_slow(self) -> None:
        """The peer reads too slowly; what was unsent is dropped."""
        ...

    def not_kept(self, requests: list[int]) -> None:
        """What was done for these requests could not be kept: it was not done."""
        ...


class Waiting(NamedTuple):
    """Bytes that are sent once that batch of the journal is on disk; the rest as `Outbox.put` has it."""

    position: int
    data: bytes
    re: int
    lingers: bool
    kept: bool


class Outbox:
    """One for each session."""

    def __init__(
        self,
        wire: Wire,
        config: Config,
        nursery: trio.Nursery,
        owner: Owner,
        journal: Journal | None = None,
        lingering: Lingering | None = None,
    ) -> None:
        self._journal, self._owner = journal or Journal(), owner
        self.waits_for = 0  # a batch of the journal; 0: for none
        self._lingering = lingering or Lingering()
        self._waiting: list[Waiting] = []
        self._waiting_bytes = 0
        self._wire, self._config, self._nursery = wire, config, nursery
        self._unsent = bytearray()
        self._holding = False
        self._urgent: bool  # whether something that is held may not linger
        self._draining = False
        self._moved: trio.Event | None = None  # something was sent, or will never be: for who waits for it
        self._owed = 0  # bytes that do not count against the limit: one catch-up for each table
        self._owed_for = NOBODY

    def __len__(self) -> int:
        return len(self._unsent) + self._waiting_bytes

    def put(self, data: bytes, re: int = 0, *, lingers: bool = False, kept: bool = False) -> None:
        """Sends data, or keeps it until it can be sent. `re` is the request that it answers, 0 for none. What `lingers`
        may be sent later, with what is put after it. What is `kept` is on disk, whatever becomes of the batch that is
        waited for."""
        if self.waits_for:
            self._waiting.append(Waiting(self.waits_for, data, re, lingers, kept))
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
        """What is put from now on is sent once that batch of the journal is on disk."""
        if position > self.waits_for and position > self._journal.durable:
            self.waits_for = position
            self._journal.wait(self, position)

    def kept(self, durable: int) -> None:
        """All batches up to that are on disk."""
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
        """What waited for later batches is not sent, but for what only stood behind it in line. Where it surely never
        happened its owner is told of the requests concerned; else they get no answer: who asks again after a restart
        gets what is true then."""
        lost = [one.re for one in self._waiting if one.re]
        kept = b"".join([one.data for one in self._waiting if one.kept])
        self._waiting.clear()
        self.waits_for = self._waiting_bytes = 0
        if kept:
            self.put(kept)
        self._owner.not_kept(lost if surely else [])
        self._has_moved()

    def drop(self) -> None:
        """The connection is closed: what waits is sent nowhere; its descriptor may soon be another one's."""
        self._unsent.clear()
        self._waiting.clear()
        self.waits_for = self._waiting_bytes = 0

    def hold(self) -> None:
        """Keeps what is put from now on, so that it goes out as one write."""
        self._holding, self._urgent = True, False

    def release(self) -> None:
        """Sends what was held, or lingers; what was held and may linger, lingers from now on."""
        may_linger, self._holding = self._holding and not (self._urgent or self._draining), False
        later = may_linger or self._lingering.gathers
        if self._unsent and not (later and self._leaves_later(lingers=may_linger)):
            self._send_unsent()
        if self._owed and not self._unsent and not self._waiting:
            self._settle()
        self._check_waiting()

    def _leaves_later(self, *, lingers: bool) -> bool:
        """Whether it can; it is seen to then."""
        if len(self._unsent) >= LINGER_BYTES:
            return False
        self._lingering.take(self, lingers=lingers)
        return True

    def owe(self, table: str, length: int) -> None:
        """Raises the limit by that many bytes, which repeat what was missed at that table: a player who comes back over
        a slow line is not cut off for it. Until all of it is sent, a second catch-up of the same table does count."""
        if table not in self._owed_for:
            self._owed_for |= {table}
            self._owed += max(0, length)

    def owes_others(self, table: str) -> bool:
        """Whether so much of other tables' catch-ups is unsent that one more has to wait."""
        return len(self) > self._config.behind_bytes and bool(self._owed_for) and table not in self._owed_for

    async def finish(self) -> None:
        """Sends the rest; returns when all of it is taken, the peer is gone, or CLOSING_SECONDS have passed."""
        with trio.move_on_after(CLOSING_SECONDS):
            while (self._unsent or self._waiting) and not self._wire.broken:
                if self._draining or not self._unsent:  # its task still runs, or the disk is slow: let it finish
                    self._moved = trio.Event()
                    await self._moved.wait()
                    continue
                taken = await self._wire.send_some(bytes(self._unsent[:CHUNK_BYTES]))
                del self._unsent[:taken]

    def _has_moved(self) -> None:
        if self._moved is not None:
            self._moved.set()

    def _settle(self) -> None:
        """All of the catch-ups were sent."""
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
        """Writes until nothing is left; gives the peer up when it takes nothing for too long, or too little."""
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
