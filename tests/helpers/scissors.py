"""Links to a server in memory that can be cut where a test wants."""

from __future__ import annotations

from dataclasses import dataclass, field

import trio

from bots.sdk.link import Dial
from tests.helpers.hall import Hall


@dataclass
class Scissors:
    """Cuts a connection `extra` bytes after that many received lines, or in the middle of the send with that number."""

    lines: int = 1_000_000
    sends: int = 1_000_000
    extra: int = 0
    freeze: bool = False  # instead of a cut: nothing comes any more
    received: bytearray = field(default_factory=bytearray)
    connections: int = 0

    def room(self, data: bytes) -> int:
        """How many of these bytes may still pass."""
        ends = [place + 1 for place, byte in enumerate(self.received + data) if byte == 10]
        if len(ends) < self.lines:
            return len(data)
        return min(len(data), max(0, ends[self.lines - 1] + self.extra - len(self.received)))


class CutStream(trio.abc.Stream):
    """A stream that breaks where the scissors say."""

    def __init__(self, stream: trio.abc.Stream, scissors: Scissors) -> None:
        self._stream, self._scissors = stream, scissors
        self._frozen = False

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self._scissors.sends -= 1
        if self._scissors.sends:
            await self._stream.send_all(data)
        else:
            await self._stream.send_all(data[: len(data) // 2])
            await self.aclose()
            raise trio.BrokenResourceError("cut")

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if self._frozen:
            await trio.sleep_forever()
        data = bytes(await self._stream.receive_some(max_bytes))
        scissors = self._scissors
        passed = data[: scissors.room(data)]
        scissors.received += passed
        if len(passed) < len(data):
            scissors.lines = 1_000_000
            if scissors.freeze:
                self._frozen = True
                return await self.receive_some()
            await self.aclose()
            if not passed:
                raise trio.BrokenResourceError("cut")
        return passed

    async def aclose(self) -> None:
        await trio.aclose_forcefully(self._stream)


def dial_to(hall: Hall, scissors: Scissors | None = None, address: str | None = None) -> Dial:
    """A dial to the server in memory."""

    async def dial() -> trio.abc.Stream:
        if scissors is None:
            return hall.dial(address)
        scissors.connections += 1
        return CutStream(hall.dial(), scissors)

    return dial
