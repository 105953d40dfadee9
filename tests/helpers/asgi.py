"""Requests to the pages of a server in memory, without sockets and in virtual time."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from starlette.types import ASGIApp, Message
from starlette.websockets import WebSocket

from server.app import App
from server.web.public_pages import PublicPages
from server.web.site import make_site_app


@dataclass(frozen=True)
class Response:
    """What a page answered."""

    status: int
    headers: dict[str, str]
    body: str

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class WebClient:
    """A browser at an address that is only said."""

    def __init__(self, app: App, address: str = "10.0.0.9") -> None:
        self._site: ASGIApp = make_site_app(_no_play, (), (), PublicPages(app).routes())
        self.address = address

    async def get(self, path: str, **headers: str) -> Response:
        """One GET request. `_` in the name of a header stands for `-`."""
        sent = {"host": "10.0.0.1:7180", **{name.replace("_", "-"): value for name, value in headers.items()}}
        plain, _mark, query = path.partition("?")
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": unquote(plain),
            "raw_path": plain.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in sent.items()],
            "client": (self.address, 50_000),
            "server": ("10.0.0.1", 7180),
        }
        told: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            told.append(message)

        await self._site(scope, receive, send)
        found = {name.decode(): value.decode("latin-1") for name, value in told[0]["headers"]}
        body = b"".join(message.get("body", b"") for message in told[1:])
        return Response(told[0]["status"], found, body.decode())


async def _no_play(_page: WebSocket) -> None:
    raise AssertionError
