"""Connections without a name: limits their number, and decides in which order they are admitted.

Every new connection gets a place. If there are too many places, the oldest connection is closed. So connections without
a name block neither each other nor a player with a seat who reconnects. Such a player does not wait in the queue,
because the server reads a new connection's first bytes before the connection joins the queue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

import trio

from protocol.errors import Refusal
from server.config import DEFAULTS, Config
from server.desk.address_locks import AddressLocks
from server.language import _
from server.net.wire import Wire
from server.token_bucket import TokenBucket

HELLO_BYTES = 1_024  # number of a new connection's first bytes in which a hello is looked for
YIELD_SECONDS = 0.02  # interval between checks whether all other connections of the address were admitted


class PendingConnection:
    """The place of one connection until it has a name or ends."""

    def __init__(self, strangers: PendingConnections, address: Hashable) -> None:
        self._strangers, self.address = strangers, address
        self._scope = trio.CancelScope()  # cancelled if the connection must make room before it has a session
        self.turn_away: Callable[[Refusal], None] | None = None  # refuses the connection; set by its session

    def evict(self, refusal: Refusal) -> None:
        """Closes this connection to make room for another one."""
        self.free_place()
        if self.turn_away is not None:
            self.turn_away(refusal)
        else:
            self._scope.cancel()

    @contextmanager
    def cancel_if_evicted(self) -> Iterator[None]:
        """Cancels the block if the connection must make room for another one. For the time before the connection has a
        session."""
        is_given_up, self._scope = self._scope.cancel_called, trio.CancelScope()
        if is_given_up:
            self._scope.cancel()
        with self._scope:
            yield

    def free_place(self) -> None:
        """Frees the place, because the connection has a name or has ended. May be called twice."""
        self._strangers.remove_place(self)

    async def wait_in_line(
        self,
        wire: Wire,
        meters: tuple[TokenBucket, ...],
        patience: float,
        pays_for_itself: Callable[[bytes], bool] = lambda _first: False,
    ) -> bool:
        """Waits for the peer's first bytes, and then until the token buckets allow one more connection. Addresses take
        turns.

        Each connection is charged as work. If `pays_for_itself` accepts its first bytes, it is admitted at once and not
        charged here. Peers that have already closed their sending side come last, because they may be a flood that
        waits for no answer.

        Args:
            wire: The connection.
            meters: The token buckets of the address and of all addresses together.
            patience: How long to wait for the first bytes, in seconds.
            pays_for_itself: Takes the first bytes, and returns whether they prove a name that pays for the connection.

        Returns:
            True if the connection is admitted, False if it had to make room or its peer is gone.
        """
        lines = self._strangers.lines
        with self._scope:
            with trio.move_on_after(patience):
                await wire.wait_for_bytes()
            if pays_for_itself(wire.peek(HELLO_BYTES)):
                return True
            if self._is_alone(meters) and not wire.has_peer_closed():
                self._charge(meters)
                return True
            self._strangers.waiting[self.address] += 1
            try:
                async with lines.lock_for(self.address):
                    if wire.is_fully_read():
                        return False
                    if not wire.has_peer_closed():
                        await self._pay(meters)
                        return True
            finally:
                self._strangers.waiting[self.address] -= 1
                if not self._strangers.waiting[self.address]:
                    del self._strangers.waiting[self.address]
            async with lines.lock_for((self.address, "last")):
                while self._strangers.waiting[self.address]:  # noqa: ASYNC110 (another connection may come at any time)
                    await trio.sleep(YIELD_SECONDS)
                await self._pay(meters)
                return True
        return False

    def _is_alone(self, meters: tuple[TokenBucket, ...]) -> bool:
        """Returns whether no other connection of the address waits, and no token bucket is overdrawn."""
        now = trio.current_time()
        return not (self._strangers.waiting[self.address] or any(meter.refill_wait(now) for meter in meters))

    def _charge(self, meters: tuple[TokenBucket, ...]) -> None:
        for meter in meters:
            meter.charge(self._strangers.config.requests_a_connection)

    async def _pay(self, meters: tuple[TokenBucket, ...]) -> None:
        own, everybody = meters
        await _wait(own)
        async with self._strangers.door:
            await _wait(everybody)
        self._charge(meters)


async def _wait(meter: TokenBucket) -> None:
    if wait := meter.refill_wait(trio.current_time()):
        await trio.sleep(wait)


class PendingConnections:
    """All connections of the server that have no name yet."""

    def __init__(self, config: Config = DEFAULTS) -> None:
        self.config = config
        self.lines = AddressLocks()
        self.door = trio.Lock()
        # by address: number of connections in the queue, except those that come last
        self.waiting: Counter[Hashable] = Counter()
        self._places: dict[Hashable, dict[PendingConnection, None]] = {}  # by address: its places, oldest first

    def add_connection(self, address: Hashable) -> PendingConnection:
        """Gives a new connection a place. If its address has too many places, the connection of its oldest place is
        closed."""
        place = PendingConnection(self, address)
        here = self._places.setdefault(address, {})
        here[place] = None
        most = self.config.for_address(address).strangers_an_address
        if address is not None and len(here) > most:
            text = _(
                "Your address has {count} connections without a name, which is the limit. The oldest one is closed.",
                count=most,
            )
            next(iter(here)).evict(Refusal("server_full", text))
        return place

    def evict_oldest(self) -> None:
        """Closes the oldest connection of the address that has the most places."""
        if self._places:
            most = max(self._places.values(), key=len)
            next(iter(most)).evict(Refusal("server_full"))

    def remove_place(self, place: PendingConnection) -> None:
        """Removes a place."""
        here = self._places.get(place.address, {})
        here.pop(place, None)
        if not here:
            self._places.pop(place.address, None)
