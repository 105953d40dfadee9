"""A browser's connection for tests: HTTP requests, and the WebSocket of a player's page."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import trio
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Ping, RejectConnection, Request, TextMessage

from protocol.proof import make_proof, token_key

PATIENCE = 10.0


async def fetch(port: int, path: str = "/", **headers: str) -> tuple[int, dict[str, str], str]:
    """The status, headers and body of one GET request."""
    wanted = {"host": f"127.0.0.1:{port}", "connection": "close", **headers}
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in wanted.items())
    with trio.fail_after(PATIENCE):
        stream = await trio.open_tcp_stream("127.0.0.1", port)
        async with stream:
            await stream.send_all(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
            data = b""
            while b"\r\n\r\n" not in data:
                data += await stream.receive_some(65_536)
            head, _empty, body = data.partition(b"\r\n\r\n")
            status, *rest = head.decode("latin-1").split("\r\n")
            found = dict(line.lower().split(": ", 1) for line in rest)
            while len(body) < int(found["content-length"]):
                body += await stream.receive_some(65_536)
    return int(status.split()[1]), found, body.decode()


class Page:
    """A player's page. `frames` holds all that it was sent; `parts` what it shows now; `log` its log, as HTML."""

    def __init__(self, stream: trio.abc.Stream, port: int, origin: str = "") -> None:
        self.stream, self._socket = stream, WSConnection(ConnectionType.CLIENT)
        self._hello = Request(f"127.0.0.1:{port}", "/play", extra_headers=[(b"origin", origin.encode())])
        self.frames: list[dict[str, Any]] = []
        self.parts: dict[str, Any] = {}
        self.log = ""
        self.ended: int | None = None  # the code with which it was closed or refused
        self.token = ""
        self._partial = ""  # of a message that comes in pieces

    async def begin(self) -> None:
        """Opens the WebSocket and reads the greeting."""
        await self.stream.send_all(self._socket.send(self._hello))
        await self.until(lambda: "greeting" in self.parts or self.ended is not None)

    async def until(self, wanted: Any) -> None:
        """Reads until that is so, or the page is closed."""
        with trio.fail_after(PATIENCE):
            while not wanted() and self.ended is None:
                await self._read()

    async def sends(self, line: str) -> None:
        """Sends one message, as it stands."""
        await self.stream.send_all(self._socket.send(TextMessage(line)))

    async def asks(self, **request: Any) -> None:
        """Sends a request as JSON."""
        await self.sends(json.dumps(request))

    async def enters(self, name: str, token: str = "", *, again: bool = False) -> None:
        """Takes a name, or proves it `again`."""
        self.token = token or f"the token of {name}"
        challenge = self.parts["greeting"]["challenge"]
        how = {"proof": make_proof(self.token, challenge, name)} if again else {"key": token_key(self.token).hex()}
        await self.asks(type="hello", id=1, name=name, **how)
        await self.until(lambda: "welcome" in self.parts or "error" in self.parts)

    async def types(self, line: str, then: str) -> None:
        """Types a line and waits for these words in the log or on the screen."""
        self.log = ""
        await self.sends(line)
        await self.until(lambda: then in self.log or any(then in str(part) for part in self.parts.values()))

    async def _read(self) -> None:
        data: bytes | bytearray = b""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            data = await self.stream.receive_some(65_536)
        if not data:
            self.ended = self.ended or 1006
            return
        self._socket.receive_data(bytes(data))
        for event in self._socket.events():
            match event:
                case TextMessage(data=text, message_finished=done):
                    self._partial += text
                    if done:
                        text, self._partial = self._partial, ""
                        self._take(json.loads(text))
                case Ping():
                    await self.stream.send_all(self._socket.send(event.response()))
                case CloseConnection(code=code):
                    self.ended = code
                case RejectConnection(status_code=status):
                    self.ended = status
                case AcceptConnection():
                    pass

    def _take(self, frame: dict[str, Any]) -> None:
        self.frames.append(frame)
        self.log += frame.get("log", "")
        self.parts |= {name: part for name, part in frame.items() if name != "log"}


async def open_page(nursery: trio.Nursery, port: int, *, origin: str | None = None) -> Page:
    """A page on a real socket that has read the greeting, unless it was refused."""
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    nursery.start_soon(closed_at_the_end, stream)
    page = Page(stream, port, f"http://127.0.0.1:{port}" if origin is None else origin)
    await page.begin()
    return page


async def closed_at_the_end(stream: trio.abc.AsyncResource) -> None:
    """The stream is closed when the test ends."""
    try:
        await trio.sleep_forever()
    finally:
        await trio.aclose_forcefully(stream)
