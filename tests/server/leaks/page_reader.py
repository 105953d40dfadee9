"""A browser without a name in one of two worlds, which reads all pages whenever the other clients ask for all."""

from __future__ import annotations

from typing import Any

import trio

from server.desk.health import ProcessHealth
from tests.helpers.asgi import WebClient
from tests.server.leaks.watched import Client

PATHS = (
    *("/lobby", "/lobby?lang=fr", "/cups", "/cups/cup", "/cups/cup?lang=fr", "/api/cups", "/api/cups/cup"),
    *("/replays/t1", "/replays/t1?at=3", "/api/replays/t1", "/metrics"),
)


class PageReader(Client):
    """Keeps all that it reads in `shown`, as a client keeps what it is sent. Nothing that it reads was kept by the
    server for an earlier reading, which would be older."""

    async def connect(self, *, again: bool = False) -> None:
        """There is no connection."""

    async def cut(self) -> None:
        """There is no connection."""

    async def ask(self, kind: str, **fields: Any) -> None:
        """There is nothing that a page asks for others."""

    def put(self, kind: str, **fields: Any) -> None:
        """Reads all pages once in each round of requests."""
        if kind == "tables":
            with self._ledger.open():
                self.hall.nursery.start_soon(self._read)

    async def _read(self) -> None:
        self.hall.lobby.health.process = lambda: ProcessHealth(1, 2**26, 64, 1_024)  # which differs from run to run
        browser = WebClient(self.hall.app, "127.0.0.1")
        for path in (*PATHS, f"/rules/{self._game.id}", f"/cards/{self._game.id}"):
            answer = await browser.get(path, host="127.0.0.1:7180")
            self.shown += f"{path} {answer.status} {answer.headers}\n{answer.body}\n".encode()
        self.times[trio.current_time()] = len(self.shown)
