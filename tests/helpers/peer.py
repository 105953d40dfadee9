"""Players on a connection: a program that asks and keeps what it is told, and a person who types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import trio
import trio.testing

from tests.helpers.wire import CLOSED, Wire

Message = dict[str, Any]


class Peer(Wire):
    """Asks and gets the answer; what is told meanwhile is kept in `told`."""

    told: list[Message]
    token = ""
    last_id = 0

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.told = []

    @property
    def challenge(self) -> str:
        """What a proof answers."""
        return self.greeting.partition("challenge=")[2].partition(";")[0]

    async def message(self) -> Message:
        """The next message of the server; {} at the end."""
        assert self.greeting, "the greeting comes first"
        got = await self.receive()
        message: Message = {} if got == CLOSED else got
        return message

    async def ask(self, kind: str, **fields: Any) -> Message:
        """Sends a request and returns its answer, or a goodbye; what is told before it goes to `told`."""
        self.last_id = fields.pop("id", self.last_id + 1)
        await self.send({"type": kind, "id": self.last_id, **fields})
        return await self.until(lambda message: "re" in message or message["type"] == "bye")

    async def until(self, wanted: Callable[[Message], bool]) -> Message:
        """The next message that is wanted; the others go to `told`."""
        while message := await self.message():
            if wanted(message):
                return message
            self.told.append(message)
        raise AssertionError(f"the stream ended; told: {self.told[-3:]}")

    async def next(self, kind: str) -> Message:
        """The next message of that type, perhaps one that was told already."""
        for index, message in enumerate(self.told):
            if message["type"] == kind:
                return self.told.pop(index)
        return await self.until(lambda message: message["type"] == kind)

    async def heard(self) -> list[Message]:
        """All that has been told and not been looked at yet; in virtual time only."""
        with trio.move_on_after(0.001):
            while message := await self.message():
                self.told.append(message)
        told, self.told = self.told, []
        return told

    async def raw(self, data: bytes) -> list[Message]:
        """Sends bytes as they are; returns all that was told until nothing more came."""
        await self.send_bytes(data)
        return await self.heard()

    async def cut(self) -> None:
        """The connection is gone, without a goodbye, and the server has noticed; in virtual time only."""
        await self.close()
        await trio.testing.wait_all_tasks_blocked()

    async def play_on(self, choice: int = 0) -> Message:
        """Does the first legal thing, or the one at that place, until a match is over, and returns how it ended."""
        while True:
            message = await self.until(lambda message: message["type"] in ("turn", "over"))
            if message["type"] == "over":
                return message
            act = {"table": message["table"], "turn": message["turn"], "action": message["legal"][choice]}
            answer = await self.ask("act", **act)
            assert answer["type"] == "accepted", answer


class Typist(Wire):
    """A person in the text face; in virtual time only."""

    ended = False

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
            await self.send(line)
            shown = await self.heard()
        return shown
