"""The browser pages of a server as an ASGI application: the page of a player, its WebSocket, and `/healthz`."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from languages import speaking
from server.language import _
from server.web.public_pages import language_of

HERE = Path(__file__).parent
TABLE_ID = re.compile(r"[a-z0-9]{1,16}")  # ids that a page sends to the server in its visitor's name
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class SiteGuard:
    """Refuses requests that name another host, and WebSockets that are opened by a page of another site. Adds security
    headers.

    Otherwise a page of another site could play in the name of its visitor: directly, or after the name server of that
    site gives its name this server's address (DNS rebinding).
    """

    def __init__(self, app: ASGIApp, names: Sequence[str]) -> None:
        machine = socket.gethostname()
        self._app = app
        self._names = {name.casefold() for name in ("localhost", machine, f"{machine}.local", *names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name: value.decode("latin-1") for name, value in scope.get("headers", ())}
        host, origin = headers.get(b"host", ""), headers.get(b"origin", "")
        if scope["type"] == "websocket":
            if not self._is_own(host) or origin.partition("://")[2] != host:
                await send({"type": "websocket.close", "code": 1008})
            else:
                await self._app(scope, receive, send)
        elif scope["type"] == "http":
            app = self._app if self._is_own(host) else _other_host
            await app(scope, receive, partial(_send_with_headers, send))
        else:
            await self._app(scope, receive, send)

    def _is_own(self, host: str) -> bool:
        """Returns whether a Host header names this server. A numeric address always does, because no name server can
        change it."""
        name, colon, port = host.rpartition(":")
        name = (name if colon and port.isdigit() else host).strip("[]")
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name.casefold() in self._names
        return True


async def _send_with_headers(send: Send, message: Message) -> None:
    if message["type"] == "http.response.start":
        message = {**message, "headers": [*message.get("headers", ()), *_HEADERS]}
    await send(message)


async def _other_host(scope: Scope, receive: Receive, send: Send) -> None:
    text = "This server does not go by that name. Use its address, or start it with --web-host NAME.\n"
    await PlainTextResponse(text, 421)(scope, receive, send)


def make_site_app(
    play: Callable[[WebSocket], Awaitable[None]],
    names: Sequence[str],
    styles: Sequence[Path],
    more: Sequence[BaseRoute] = (),
) -> ASGIApp:
    """Returns the ASGI application with the pages of a server.

    Args:
        play: A function that serves the WebSocket of one player's page until it ends.
        names: The host names by which browsers reach the server, in addition to addresses and this machine's own name.
        styles: The style sheets of the games' boards, which `/boards.css` joins.
        more: The routes of further pages.
    """
    templates = Jinja2Templates(HERE / "templates")

    async def home(request: Request) -> Response:
        language = language_of(request)
        with speaking(language):
            values = {"say": _texts(), "lang": language, "watch": request.path_params.get("table", "")}
            return templates.TemplateResponse(request, "play.html", values)

    async def health(_request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def boards(_request: Request) -> Response:
        return PlainTextResponse("".join(path.read_text(encoding="utf-8") for path in styles), media_type="text/css")

    async def watch(request: Request) -> Response:
        known = TABLE_ID.fullmatch(request.path_params["table"])
        return await home(request) if known else PlainTextResponse("There is no such table.\n", 404)

    routes = [
        Route("/", home),
        Route("/watch/{table}", watch),
        Route("/boards.css", boards),
        Route("/healthz", health),
        *more,
        WebSocketRoute("/play", play),
        Mount("/static", StaticFiles(directory=HERE / "static")),
    ]
    return SiteGuard(Starlette(routes=routes), names)


def _texts() -> dict[str, str]:
    """Returns the texts of the page in the current language, by name."""
    return {
        "lobby": _("The lobby"),
        "name": _("Your name"),
        "enter": _("Enter"),
        "connecting": _("Connecting ..."),
        "lost": _("The connection is lost. This page reconnects by itself."),
        "ended": _("The connection has ended. Reload the page to come back."),
        "board": _("Board"),
        "clocks": _("Clocks"),
        "question": _("Your decision"),
        "choices": _("Choices"),
        "log": _("Log"),
        "line": _("A command, or talk: say hello"),
        "send": _("Send"),
        "hint": _("Hold a button to see what it would do."),
    }
