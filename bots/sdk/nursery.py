"""A trio nursery that ends with its block and raises the block's own exception."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio


@asynccontextmanager
async def nursery_for_block() -> AsyncIterator[trio.Nursery]:
    """Yields a nursery and cancels its tasks when the block ends. An exception of the block is raised as it is, not in
    a group."""
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        try:
            yield nursery
        except Exception as error:
            failure = error
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure
