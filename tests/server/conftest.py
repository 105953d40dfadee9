"""A server in memory: the toy game, house bots that do the first legal thing, peers on memory streams."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from trio.testing import memory_stream_pair

from games.api import Action, Game
from protocol.proof import proof
from server.app import App
from server.config import Config
from server.house import Choose
from tests.toy import TOY


class FirstHouse:
    """One house bot, `first`: it does the first thing that is legal."""

    def names(self, game: Game) -> Sequence[str]:
        return ("first",)

    def make(self, game: Game, name: str, seed: int) -> Choose:
        def choose(seat: int, view: object, legal: Sequence[Action], number: int) -> Action:
            return legal[0]

        return choose


class Peer:
    """A client in the JSON face, as tests need it: asks and gets the answer, keeps what is told in `told`."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self.told: list[dict[str, Any]] = []
        self.greeting = ""
        self.token = ""
        self._buffer = b""
        self._id = 0

    @property
    def challenge(self) -> str:
        """What a proof answers."""
        return self.greeting.partition("challenge=")[2].partition(";")[0]

    async def line(self) -> str:
        """The next line; "" at the end of the stream."""
        while b"\n" not in self._buffer:
            try:
                with trio.fail_after(100_000):  # virtual seconds: a test that waits in vain fails at once
                    data = await self.stream.receive_some(65_536)
            except trio.BrokenResourceError:
                return ""
            if not data:
                return ""
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode().rstrip("\r")

    async def message(self) -> dict[str, Any]:
        """The next message of the server; {} at the end."""
        line = await self.line()
        return json.loads(line) if line else {}

    async def send(self, plain: dict[str, Any]) -> None:
        await self.stream.send_all(json.dumps(plain).encode() + b"\n")

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Sends a request and returns its answer; what is told before it goes to `told`."""
        self._id += 1
        await self.send({"type": kind, "id": fields.pop("id", self._id), **fields})
        return await self.until(lambda message: "re" in message or message["type"] == "bye")

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next message that is wanted; the others go to `told`."""
        while message := await self.message():
            if wanted(message):
                return message
            self.told.append(message)
        raise AssertionError(f"the stream ended; told: {self.told[-3:]}")

    async def heard(self) -> list[dict[str, Any]]:
        """All that has been told and not been looked at yet."""
        with trio.move_on_after(0.001):
            while message := await self.message():
                self.told.append(message)
        told, self.told = self.told, []
        return told

    async def raw(self, data: bytes) -> list[dict[str, Any]]:
        """Sends bytes as they are; returns all that was told until nothing more came."""
        await self.stream.send_all(data)
        return await self.heard()

    async def cut(self) -> None:
        """The connection is gone, without a goodbye."""
        await trio.aclose_forcefully(self.stream)
        await trio.testing.wait_all_tasks_blocked()

    async def next(self, kind: str) -> dict[str, Any]:
        """The next message of that type, perhaps one that was told already."""
        for index, message in enumerate(self.told):
            if message["type"] == kind:
                return self.told.pop(index)
        return await self.until(lambda message: message["type"] == kind)


class Typist:
    """A person in the text face."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self.ended = False

    async def heard(self) -> str:
        """All that is printed until nothing more comes."""
        shown = b""
        with trio.move_on_after(0.001):
            while data := await self.stream.receive_some(65_536):
                shown += data
            self.ended = True
        return shown.decode().replace("\r\n", "\n")

    async def types(self, *lines: str) -> str:
        """Types lines; returns what is printed after the last one."""
        shown = ""
        for line in lines:
            await self.stream.send_all(line.encode() + b"\r\n")
            shown = await self.heard()
        return shown


class Hall:
    """The server under test, and how to connect to it."""

    def __init__(self, nursery: trio.Nursery, config: Config) -> None:
        self.nursery = nursery
        self.app = App(config, {TOY.id: TOY}, FirstHouse(), nursery)
        self.lobby = self.app.lobby

    async def connect(self) -> Peer:
        """A stranger that has read the greeting."""
        ours, theirs = memory_stream_pair()
        self.nursery.start_soon(self.app.handle, theirs)
        peer = Peer(ours)
        peer.greeting = await peer.line()
        return peer

    async def player(self, name: str, **fields: Any) -> Peer:
        """Somebody with a name."""
        peer = await self.connect()
        welcome = await peer.ask("hello", name=name, **fields)
        assert welcome["type"] == "welcome", welcome
        peer.token = welcome.get("token", "")
        return peer

    async def again(self, name: str, token: str, **fields: Any) -> Peer:
        """The same player on a new connection."""
        peer = await self.connect()
        answer = proof(token, peer.challenge, name)
        welcome = await peer.ask("hello", name=name, proof=answer, **fields)
        assert welcome["type"] == "welcome", welcome
        peer.token = token
        return peer

    async def typist(self) -> Typist:
        """A stranger at a terminal that has read the greeting."""
        ours, theirs = memory_stream_pair()
        self.nursery.start_soon(self.app.handle, theirs)
        typist = Typist(ours)
        await typist.heard()
        return typist

    async def table_of(self, *names: str, **fields: Any) -> list[Peer]:
        """Players at a running table t1, seat by seat; the first one opened it."""
        peers = [await self.player(name) for name in names]
        await peers[0].ask("open", game="toy", seats=len(names), **fields)
        for peer in peers[1:]:
            await peer.ask("join", table="t1")
        await peers[0].ask("start", table="t1")
        return peers


def run_with_virtual_time(
    main: Callable[[], Any], clock: trio.abc.Clock | None = None, instruments: Sequence[Any] = ()
) -> Any:
    """A test here never sleeps: where nothing else is to be done the clock jumps to the next deadline."""
    return trio.run(main, clock=clock or trio.testing.MockClock(autojump_threshold=0), instruments=instruments)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """pytest-trio takes a clock from a test's own arguments only; this gives it to every test of this folder."""
    for item in items:
        if item.path.parent == Path(__file__).parent and iscoroutinefunction(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.trio(run=run_with_virtual_time), append=False)


@pytest.fixture
def config() -> Config:
    return Config(port=0)


@pytest.fixture
async def hall(config: Config) -> AsyncIterator[Hall]:
    async with trio.open_nursery() as nursery:
        yield Hall(nursery, config)
        nursery.cancel_scope.cancel()
