"""Serves the browser pages over HTTP, in the server's trio loop, with one task per connection of a browser."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import trio
from hypercorn.config import Config
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ConnectionState
from hypercorn.utils import wrap_app
from starlette.websockets import WebSocket, WebSocketDisconnect

from server.address import group_address, peer_ip
from server.failures import log_failure
from server.net.wire import StreamWire
from server.web.page_connection import PageConnection
from server.web.page_face import PageFace
from server.web.public_pages import PublicPages
from server.web.site import make_site_app

if TYPE_CHECKING:
    from server.app import App

log = logging.getLogger("magehall.web")

MESSAGE_BYTES = 16_384  # most bytes in one message from a page
PING_SECONDS = 20.0  # interval between pings of an open page
PAGE_SECONDS = 30.0  # time limit for a browser's connection that opens no WebSocket
# most connections of one address, enough for a school class behind one router with six connections per browser
AN_ADDRESS = 200
ALL = 2_000


class PageStream(trio.abc.Stream):
    """A WebSocket as a stream of lines. Each message from the page becomes one line, and each line becomes one message
    to the page."""

    def __init__(self, socket: WebSocket, connection: trio.abc.AsyncResource) -> None:
        self._socket, self._connection, self._unsent = socket, connection, b""

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Returns the next message with a line end. Returns b"" once the page is gone or has sent a binary message."""
        try:
            text = await self._socket.receive_text()
        except (WebSocketDisconnect, KeyError, RuntimeError):
            return b""
        return text.replace("\n", " ").encode("utf-8", "replace") + b"\n"

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Sends each complete line as one message. Raises trio.BrokenResourceError if the page is gone."""
        *lines, self._unsent = (self._unsent + bytes(data)).split(b"\n")
        for line in lines:
            try:
                await self._socket.send_text(line.decode("utf-8"))
            except (WebSocketDisconnect, RuntimeError, OSError):
                raise trio.BrokenResourceError from None

    async def wait_send_all_might_not_block(self) -> None:
        """Returns at once, because a WebSocket cannot tell whether sending would block."""
        await trio.lowlevel.checkpoint()

    async def aclose(self) -> None:
        """Closes the WebSocket with its closing handshake. If this is cancelled, it closes the connection at once."""
        try:
            with suppress(WebSocketDisconnect, RuntimeError, OSError):
                await self._socket.close()
        except trio.Cancelled:
            await trio.aclose_forcefully(self._connection)
            raise


class _Connection:
    """One connection of a browser. It is closed at its deadline; once its WebSocket is open, it has no deadline."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self.scope = trio.CancelScope(deadline=trio.current_time() + PAGE_SECONDS)

    async def close_at_deadline(self) -> None:
        with self.scope:
            await trio.sleep_forever()
        # closes the socket itself, because Hypercorn shields its writes from cancellation
        await trio.aclose_forcefully(self.stream)


class PageServer:
    """Serves the browser pages of one server. `handle` serves each connection that a browser opens."""

    def __init__(self, app: App, names: Sequence[str]) -> None:
        self._app = app
        self._config = Config()
        self._config.accesslog = self._config.errorlog = None
        self._config.websocket_max_message_size = MESSAGE_BYTES
        self._config.websocket_ping_interval = PING_SECONDS
        self._config.include_server_header = False
        self._context = WorkerContext(None)
        styles = {style: None for game in app.lobby.games.values() if (style := game.page_style) is not None}
        page = make_site_app(self._play, names, list(styles), PublicPages(app).routes())
        self._site = wrap_app(page, self._config.wsgi_max_body_size, "asgi")  # type: ignore[arg-type]
        self._connections: dict[tuple[str, int], _Connection] = {}  # by address and port of the browser: its connection
        self._of_address: Counter[str] = Counter()

    async def handle(self, stream: trio.SocketStream) -> None:
        """Serves one connection until it ends. Its errors do not affect other connections."""
        peer = peer_ip(stream)
        address = group_address(peer) if peer else ""
        if self._of_address[address] >= AN_ADDRESS or len(self._connections) >= ALL:
            await trio.aclose_forcefully(stream)
            return
        connection, key = _Connection(stream), stream.socket.getpeername()[:2]
        self._connections[key] = connection
        self._of_address[address] += 1
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(connection.close_at_deadline)
                await TCPServer(
                    self._site, self._config, self._context, ConnectionState({}), self._secured(stream)
                ).run()
                nursery.cancel_scope.cancel()
        except Exception:
            log_failure(log, "a connection of a browser failed")
        finally:
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]
            del self._connections[key]
            await trio.aclose_forcefully(stream)

    def _secured(self, stream: trio.SocketStream) -> Any:
        certificate = self._app.certificate
        if certificate is None:
            return stream
        return trio.SSLStream(stream, certificate.context, server_side=True, https_compatible=True)

    async def _play(self, page: WebSocket) -> None:
        """Runs the session of one page until it ends."""
        client = page.client
        if client is None or (connection := self._connections.get((client.host, client.port))) is None:
            return
        await page.accept()
        connection.scope.deadline = float("inf")
        wire = StreamWire(PageStream(page, connection.stream))
        await self._app.serve_connection(
            wire, group_address(client.host), connection=PageConnection(), make_face=PageFace
        )
