"""A network drawn from a seed: bytes come in pieces of any size, late, or never; connections break at any byte."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import trio

WINDOW = 65_536  # bytes under way in one direction; then the sender waits
PIECES = ((65_536,), (65_536,), (1_460,), (1, 1_460, 9_000), (40, 700, 2_000))  # at most so long, by the kind of line
DELAYS = ((0.0005,), (0.02,), (0.0005, 0.3), (0.0, 0.001, 0.1))  # seconds a piece
BREAKS = (None, None, 700.0, 3_000.0, 15_000.0)  # after so many bytes on average
HOW = ("both", "both", "client", "server", "nobody")  # who notices that it broke


class Way:
    """One direction of a connection."""

    def __init__(self, rng: random.Random, passes: Callable[[int], int], note: Callable[[bytes], None]) -> None:
        self.broken = False  # whoever sends or receives here gets an error
        self.silent = False  # nothing passes any more, and nobody is told
        self.ended = False  # the sender has closed it; what is under way still comes
        self.closed = False  # the receiver has closed it
        self._sent, self._there = bytearray(), bytearray()
        self._over = False  # the end has come through
        self._rng, self._passes, self._note = rng, passes, note
        self._pieces, self._delays = rng.choice(PIECES), rng.choice(DELAYS)
        self._changed = trio.lowlevel.ParkingLot()

    def change(self, *, broken: bool = False, silent: bool = False, ended: bool = False, lost: bool = False) -> None:
        """What becomes of the direction; with `lost` what is under way does not come."""
        self.broken, self.silent, self.ended = self.broken or broken, self.silent or silent, self.ended or ended
        if lost:
            self._sent.clear()
        self._changed.unpark_all()

    async def send(self, data: bytes) -> None:
        await trio.lowlevel.checkpoint()
        while len(self._sent) > WINDOW and not (self.broken or self.closed):
            await self._changed.park()
        if self.broken or self.closed:
            raise trio.BrokenResourceError
        self._sent += data
        self._changed.unpark_all()

    async def receive(self, most: int) -> bytes:
        await trio.lowlevel.checkpoint()
        while not (self._there or self._over or self.broken or self.closed):
            await self._changed.park()
        if self.broken:
            raise trio.BrokenResourceError
        data = bytes(self._there[:most])
        del self._there[:most]
        return data

    async def run(self) -> None:
        """Carries what is sent, piece by piece."""
        while True:
            while not (self._sent or self.ended or self.broken or self.silent):
                await self._changed.park()
            await trio.sleep(self._rng.choice(self._delays))
            if self.broken or self.silent:
                return
            if not self._sent:
                self._over = True
                self._changed.unpark_all()
                return
            size = self._passes(min(len(self._sent), self._rng.randint(1, self._rng.choice(self._pieces))))
            piece = bytes(self._sent[:size])
            del self._sent[:size]
            if piece and not self.closed:
                self._note(piece)
                self._there += piece
            self._changed.unpark_all()


class End(trio.abc.HalfCloseableStream):
    """One end of a connection."""

    def __init__(self, out: Way, back: Way) -> None:
        self._out, self._back = out, back
        self.closed = False

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        if self.closed:
            raise trio.ClosedResourceError
        await self._out.send(bytes(data))

    async def wait_send_all_might_not_block(self) -> None:
        await trio.lowlevel.checkpoint()

    async def send_eof(self) -> None:
        await trio.lowlevel.checkpoint()
        self._out.change(ended=True)

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if self.closed:
            raise trio.ClosedResourceError
        data = await self._back.receive(max_bytes or WINDOW)
        if self.closed:
            raise trio.ClosedResourceError
        return data

    async def aclose(self) -> None:
        self.closed = self._back.closed = True
        self._out.change(ended=True)
        self._back.change()
        await trio.lowlevel.checkpoint()


class Connection:
    """Two ends and what is between them. Breaks after a number of bytes of both directions together."""

    def __init__(self, rng: random.Random, breaks_after: float, note: Callable[[str, bytes], None]) -> None:
        self._rng, self._left = rng, breaks_after
        self.up = Way(rng, self._pass, lambda _data: None)
        self.down = Way(rng, self._pass, lambda data: note("<", data))
        self.client, self.server = End(self.up, self.down), End(self.down, self.up)

    def _pass(self, size: int) -> int:
        """How many of so many bytes still come through."""
        passed = int(min(size, self._left))
        self._left -= size
        if self._left <= 0:
            self.cut(self._rng.choice(HOW))
        return passed

    def cut(self, noticed_by: str) -> None:
        """Nothing comes through any more."""
        for way, reader in ((self.up, "server"), (self.down, "client")):
            way.change(broken=noticed_by in ("both", reader), silent=True)
        if noticed_by in ("client", "server"):  # who noticed cannot send either
            (self.up if noticed_by == "client" else self.down).closed = True

    def lose_server(self) -> None:
        """The server's process is gone: its kernel may still send what it has, then the end, or a reset."""
        self.up.closed = True
        self.up.change(broken=True)
        self.down.change(ended=True, lost=self._rng.random() < 0.5, broken=self._rng.random() < 0.2)
        self.server.closed = True


class Network:
    """All connections to one server. `stormy` says whether new ones may break."""

    def __init__(self, nursery: trio.Nursery, rng: random.Random, note: Callable[[str, int, str, bytes], None]) -> None:
        self.stormy = False
        self.serve: Callable[[trio.abc.Stream], None] | None = None  # None while there is no server
        self.dialled = self.breaks = 0
        self._nursery, self._rng, self._note = nursery, rng, note
        self._connections: list[Connection] = []

    async def dial(self, who: str) -> trio.abc.Stream:
        """A client's end of a new connection. Raises OSError where no server listens."""
        await trio.sleep(self._rng.choice((0.0, 0.001, 0.05)))
        if self.serve is None:
            raise ConnectionRefusedError(111, "Connection refused")
        self.dialled += 1
        number, mean = self.dialled, self._rng.choice(BREAKS) if self.stormy else None
        left = math.inf if mean is None else self._rng.expovariate(1 / mean) + 1
        self.breaks += mean is not None
        connection = Connection(self._rng, left, lambda way, data: self._note(who, number, way, data))
        self._connections = [one for one in self._connections if not one.server.closed]
        self._connections.append(connection)
        for way in (connection.up, connection.down):
            self._nursery.start_soon(way.run)
        self.serve(connection.server)
        return Noted(connection.client, lambda data: self._note(who, number, ">", data))

    def lose_server(self) -> None:
        """There is no server any more, and nothing that it still does gets out."""
        self.serve = None
        for connection in self._connections:
            connection.lose_server()
        self._connections.clear()


class Noted(trio.abc.Stream):
    """A client's end, of which all that is sent is noted."""

    def __init__(self, end: End, note: Callable[[bytes], None]) -> None:
        self._end, self._sends = end, note

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self._sends(bytes(data))
        await self._end.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._end.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        return await self._end.receive_some(max_bytes)

    async def aclose(self) -> None:
        await self._end.aclose()
