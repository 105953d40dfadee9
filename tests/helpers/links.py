"""Listening to a link in tests."""

from __future__ import annotations

from bots.sdk.link import Heard, Link


async def next_of(link: Link, kind: type[Heard]) -> Heard:
    """The next message of that type."""
    async for message in link:
        if isinstance(message, kind):
            return message
    raise AssertionError("the link ended")
