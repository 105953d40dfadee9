"""The pages of a server: the page of a player, its WebSocket, and `/healthz`. Runs in the server's own nursery."""

from __future__ import annotations

import ipaddress
import logging
import os
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import hypercorn.trio
import trio
from hypercorn.config import Config
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from server.address import grouped
from server.net.wire import StreamWire
from server.web.page_connection import PageConnection
from server.web.page_face import PageFace

if TYPE_CHECKING:
    from server.app import App

log = logging.getLogger("magehall.web")

_HERE = Path(__file__).parent
MESSAGE_BYTES = 16_384  # the largest message of a page
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'"
)


class PageStream(trio.abc.Stream):
    """A WebSocket as a stream of lines: one message of the page is one line, and so is one message to it."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket, self._unsent = socket, b""

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Returns the next message with a line end; b"" once the page is gone."""
        try:
            text = await self._socket.receive_text()
        except (WebSocketDisconnect, KeyError, RuntimeError):  # gone, or a binary message
            return b""
        return text.replace("\n", " ").encode("utf-8", "replace") + b"\n"

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Sends each whole line as one message."""
        *lines, self._unsent = (self._unsent + bytes(data)).split(b"\n")
        for line in lines:
            try:
                await self._socket.send_text(line.decode("utf-8"))
            except (WebSocketDisconnect, RuntimeError, OSError):
                raise trio.BrokenResourceError from None

    async def wait_send_all_might_not_block(self) -> None:
        """Returns at once, as a WebSocket does not tell."""
        await trio.lowlevel.checkpoint()

    async def aclose(self) -> None:
        """Closes the WebSocket."""
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            await self._socket.close()


class Guard:
    """Refuses requests that name another host, and WebSockets that another site opens. Adds security headers.

    A page of another site that a visitor reads could otherwise act in the visitor's network, and a name server of
    another site could name this server's address (DNS rebinding).
    """

    def __init__(self, app: ASGIApp, is_host: Callable[[str], bool]) -> None:
        self._app, self._is_host = app, is_host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        origin = headers.get(b"origin", "")
        own = self._is_host(host)
        if scope["type"] == "websocket":
            if not own or origin.partition("://")[2] != host:
                await send({"type": "websocket.close", "code": 1008})
                return
            await self._app(scope, receive, send)
            return
        if not own:
            refusal = PlainTextResponse(
                "This server does not know itself by that name. Open it by its address, or start it with --web-host.\n",
                421,
            )
            await refusal(scope, receive, send)
            return

        async def with_headers(message: dict[str, object]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],  # type: ignore[misc]
                    (b"content-security-policy", POLICY.encode()),
                    (b"x-content-type-options", b"nosniff"),
                    (b"referrer-policy", b"no-referrer"),
                    (b"cache-control", b"no-cache"),
                ]
            await send(message)

        await self._app(scope, receive, with_headers)  # type: ignore[arg-type]


def site(app: App, names: Sequence[str]) -> ASGIApp:
    """Returns the pages of a running server.

    Args:
        app: The server.
        names: The host names by which browsers may reach it, apart from addresses and this machine's own name.
    """
    templates = Jinja2Templates(_HERE / "templates")

    async def home(request: Request) -> Response:
        return templates.TemplateResponse(request, "play.html")

    async def health(_request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def play(page: WebSocket) -> None:
        await page.accept()
        address = grouped(page.client.host) if page.client is not None else None
        wire = StreamWire(PageStream(page))
        await app.serve(wire, address, connection=PageConnection(), make_face=PageFace)

    pages = Starlette(
        routes=[
            Route("/", home),
            Route("/healthz", health),
            WebSocketRoute("/play", play),
            Mount("/static", StaticFiles(directory=_HERE / "static")),
        ]
    )
    machine = socket.gethostname()
    return Guard(pages, partial(_is_own, {"localhost", machine, f"{machine}.local", *names}))


def _is_own(names: set[str], host: str) -> bool:
    """Returns whether a Host header names this server. An address always does: a name server cannot change it."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return name.casefold() in {one.casefold() for one in names}
    return True


async def serve_pages(
    app: App,
    listeners: Sequence[trio.SocketListener],
    names: Sequence[str],
) -> None:
    """Serves the pages until cancelled.

    Args:
        app: The server.
        listeners: The sockets that listen for browsers.
        names: See `site`.
    """
    config = Config()
    config.bind = [f"fd://{os.dup(listener.socket.fileno())}" for listener in listeners]
    config.accesslog = config.errorlog = None
    if app.config.tls_cert is not None and app.config.tls_key is not None:
        config.certfile, config.keyfile = str(app.config.tls_cert), str(app.config.tls_key)
    config.websocket_max_message_size = MESSAGE_BYTES
    config.websocket_ping_interval = 20.0
    config.graceful_timeout = 0.5
    config.include_server_header = False
    await hypercorn.trio.serve(site(app, names), config, shutdown_trigger=trio.sleep_forever)  # type: ignore[arg-type]
