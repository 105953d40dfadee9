"""A trio nursery whose tasks are cancelled at the end of its block."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio


@asynccontextmanager
async def nursery_for_block() -> AsyncIterator[trio.Nursery]:
    """An async context manager that yields a nursery, and cancels its tasks when the block ends. An exception in the
    block is raised as it is, not inside an exception group."""
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        try:
            yield nursery
        except Exception as error:
            failure = error
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure
