"""Bots for tests, and links to a server in memory that can be cut where a test wants."""

from __future__ import annotations

from dataclasses import dataclass, field

import trio
from trio.testing import memory_stream_pair

from bots.sdk import Bot, Turn
from bots.sdk.link import Dial
from games.api import Action, Event, Outcome
from tests.server.conftest import Hall, config, hall

__all__ = ["config", "hall"]


class Notes(Bot):
    """Plays its highest card and notes all that it hears."""

    heard: list[object]

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.heard = []

    def hear(self, event: Event) -> None:
        self.heard.append(event)

    def choose(self, turn: Turn) -> Action:
        self.heard.append((turn.number, turn.view, tuple(turn.legal)))
        return turn.legal[-1]

    def end(self, outcome: Outcome) -> None:
        self.heard.append(outcome)


@dataclass
class Scissors:
    """Cuts a connection `extra` bytes after so many received lines, or in the middle of what is sent so many times."""

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

    async def send_all(self, data: bytes) -> None:
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


def dial_to(hall: Hall, scissors: Scissors | None = None) -> Dial:
    """A dial to the server in memory."""

    async def dial() -> trio.abc.Stream:
        ours, theirs = memory_stream_pair()
        hall.nursery.start_soon(hall.app.handle, theirs)
        if scissors is None:
            return ours
        scissors.connections += 1
        return CutStream(ours, scissors)

    return dial


def keeping(kind: type[Bot], made: list[Bot]) -> type[Bot]:
    """The same bot, its instances kept in a list."""

    class Kept(kind):  # type: ignore[misc, valid-type]
        def __init__(self, seed: int) -> None:
            super().__init__(seed)
            made.append(self)

    return Kept
