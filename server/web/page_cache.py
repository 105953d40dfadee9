"""Keeps what many browsers ask for again and again, so that the server makes it once."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

import trio

T = TypeVar("T")
KEPT = 64  # most contents that are kept; the one that was used least recently goes first


@dataclass
class _Kept(Generic[T]):
    lock: trio.Lock
    made: float = float("-inf")  # when the content was made, on trio's clock
    content: T | None = None


class PageCache(Generic[T]):
    """Contents by key. A content is used for `seconds` seconds, and is made by one task while others wait for it."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._kept: dict[Hashable, _Kept[T]] = {}

    async def get(self, key: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        """Returns the content of that key. If it is missing or too old, `make` makes it. An exception of `make` is
        passed on, and nothing is kept then."""
        kept = self._kept.pop(key, None) or _Kept[T](trio.Lock())
        self._kept[key] = kept
        for oldest in list(self._kept)[:-KEPT]:
            del self._kept[oldest]
        async with kept.lock:
            if kept.content is None or trio.current_time() - kept.made > self._seconds:
                kept.content = None
                kept.content = await make()
                kept.made = trio.current_time()
            return kept.content


def entity_tag(content: bytes) -> str:
    """Returns the value of the ETag header for a content."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'
