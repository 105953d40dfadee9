"""Requests that a server could not write to its disk: a program asks again, a person does so in person."""

from __future__ import annotations

from collections.abc import Callable

import trio

from protocol.messages import Error, Reply, Request

STORAGE_SECONDS = 1.0  # before it is asked again


def for_storage(reply: Reply) -> bool:
    """Whether the server refused for its disk's sake."""
    return isinstance(reply, Error) and reply.code == "storage"


class Repeats:
    """What is to be asked again. It outlives a connection."""

    def __init__(self, post: Callable[[Request, Callable[[Reply], None]], None]) -> None:
        self._post = post
        self._refused: list[tuple[Request, Callable[[Reply], None]]] = []
        self._more = trio.Event()

    def put(self, request: Request, take: Callable[[Reply], None]) -> None:
        """This was refused."""
        self._refused.append((request, take))
        self._more.set()

    async def run(self) -> None:
        """Asks again, for ever."""
        while True:
            await self._more.wait()
            await trio.sleep(STORAGE_SECONDS)
            self._more = trio.Event()
            refused, self._refused = self._refused, []
            for request, take in refused:
                self._post(request, take)
