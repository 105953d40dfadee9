"""One connection of a client that knows only the bytes: lines of text, lines of JSON, or msgpack frames."""

from __future__ import annotations

import json
from typing import Any, Literal

import msgpack
import trio

Face = Literal["text", "json", "msgpack", "page"]
FACES: tuple[Face, ...] = ("text", "json", "msgpack", "page")
TYPED = frozenset(("text", "page"))  # faces of people, who type lines
CLOSED = "(closed)"


def line(message: Any) -> bytes:
    """A JSON line, as strangers may write it."""
    return json.dumps(message).encode() + b"\n"


def asked(kind: str, number: int, **fields: Any) -> bytes:
    """A request as a JSON line."""
    return line({"type": kind, "id": number, **fields})


def framed(body: bytes) -> bytes:
    """A frame with this body."""
    return len(body).to_bytes(4, "big") + body


def frame(message: Any) -> bytes:
    """A msgpack frame."""
    return framed(msgpack.packb(message))


def encoded(face: Face, message: Any) -> bytes:
    """A message, or a line of text as it is typed, in the bytes of a face."""
    if isinstance(message, str):
        return f"{message}\r\n".encode()
    return frame(message) if face == "msgpack" else line(message)


class Wire:
    """A connection in one face.

    A server that says nothing for `patience` seconds is an error, and so is a connection that is cut by the other side
    instead of closed, unless `may_be_cut`.
    """

    def __init__(
        self,
        stream: trio.abc.HalfCloseableStream,
        face: Face = "json",
        *,
        patience: float = 5.0,
        may_be_cut: bool = False,
    ) -> None:
        self.stream, self.face = stream, face
        self._patience, self._may_be_cut = patience, may_be_cut
        self.buffer = b""  # received and not read
        self.greeting = ""  # the first line, which is text in every face
        self.closed = False  # by us
        self.sent: list[dict[str, Any]] = []  # all messages, but for those in the text face
        self.received: list[dict[str, Any]] = []

    async def send(self, message: Any) -> None:
        if isinstance(message, dict):
            self.sent.append(message)
        await self.stream.send_all(encoded(self.face, message))

    async def send_bytes(self, data: bytes) -> None:
        await self.stream.send_all(data)

    async def line(self) -> str:
        """The next line; CLOSED at the end."""
        while b"\n" not in self.buffer:
            if not await self._more():
                return CLOSED
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line.decode().removesuffix("\r")

    async def exactly(self, count: int) -> bytes:
        """That many bytes; b"" at the end."""
        while len(self.buffer) < count:
            if not await self._more():
                return b""
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    async def receive(self) -> Any:
        """The greeting, then the next message or line each time; CLOSED at the end."""
        if not self.greeting:
            self.greeting = await self.line()
            return self.greeting
        got = await self._receive()
        if isinstance(got, dict):
            self.received.append(got)
        return got

    async def flush(self, number: int) -> list[Any]:
        """All that was still to come, which is what comes before a pong."""
        rest: list[Any] = []
        await self.send("ping" if self.face == "text" else {"type": "ping", "id": number})
        while True:
            got = await self.receive()
            if got in ("pong", {"type": "pong", "re": number}):
                return rest
            assert got != CLOSED, "closed too early"
            rest.append(got)

    async def end(self) -> None:
        """Closes the sending side."""
        await self.stream.send_eof()

    async def close(self) -> None:
        """The connection is gone, without a goodbye."""
        self.closed = True
        await trio.aclose_forcefully(self.stream)

    async def _receive(self) -> Any:
        if self.face == "msgpack":
            head = await self.exactly(4)
            return msgpack.unpackb(await self.exactly(int.from_bytes(head, "big"))) if head else CLOSED
        line = await self.line()
        return line if self.face == "text" or line == CLOSED else json.loads(line)

    async def _more(self) -> bool:
        with trio.fail_after(self._patience):
            try:
                data = await self.stream.receive_some(65_536)
            except trio.BrokenResourceError:
                if not self._may_be_cut:
                    raise
                return False
        self.buffer += data
        return bool(data)
