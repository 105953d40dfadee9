"""Sends requests again that a server refused because it could not write to its disk."""

from __future__ import annotations

from collections.abc import Callable

import trio

from protocol.messages import Error, Reply, Request

STORAGE_SECONDS = 1.0  # the time after which a refused request is sent again


def is_storage_refusal(reply: Reply) -> bool:
    """Returns whether the answer refuses a request because the server cannot write to its disk."""
    return isinstance(reply, Error) and reply.code == "storage"


class RetryQueue:
    """The refused requests of one link that wait to be sent again. They are kept when the connection is lost."""

    def __init__(self, post: Callable[[Request, Callable[[Reply], None]], None]) -> None:
        self._post = post
        self._refused: list[tuple[Request, Callable[[Reply], None]]] = []
        self._more = trio.Event()

    def add_request(self, request: Request, take: Callable[[Reply], None]) -> None:
        """Adds a refused request, to be sent again later. `take` is called with its answer then."""
        self._refused.append((request, take))
        self._more.set()

    async def run(self) -> None:
        """Sends the added requests again, each after STORAGE_SECONDS or more. Runs until it is cancelled."""
        while True:
            await self._more.wait()
            await trio.sleep(STORAGE_SECONDS)
            self._more = trio.Event()
            refused, self._refused = self._refused, []
            for request, take in refused:
                self._post(request, take)
