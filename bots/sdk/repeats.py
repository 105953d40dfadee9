"""Repeats requests that a server could not write to its disk."""

from __future__ import annotations

from collections.abc import Callable

import trio

from protocol.messages import Error, Reply, Request

STORAGE_SECONDS = 1.0  # the delay before a repeat


def for_storage(reply: Reply) -> bool:
    """Returns whether the server refused because it cannot write to its disk."""
    return isinstance(reply, Error) and reply.code == "storage"


class Repeats:
    """The requests to repeat. They outlive a connection."""

    def __init__(self, post: Callable[[Request, Callable[[Reply], None]], None]) -> None:
        self._post = post
        self._refused: list[tuple[Request, Callable[[Reply], None]]] = []
        self._more = trio.Event()

    def put(self, request: Request, take: Callable[[Reply], None]) -> None:
        """Adds a request that was refused."""
        self._refused.append((request, take))
        self._more.set()

    async def run(self) -> None:
        """Repeats the requests until it is cancelled."""
        while True:
            await self._more.wait()
            await trio.sleep(STORAGE_SECONDS)
            self._more = trio.Event()
            refused, self._refused = self._refused, []
            for request, take in refused:
                self._post(request, take)
