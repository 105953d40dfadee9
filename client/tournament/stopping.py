"""Stops a tournament early after Ctrl-C or SIGTERM."""

from __future__ import annotations

import signal

import trio


async def stop_on_signal(playing: trio.CancelScope) -> None:
    """Waits for SIGINT or SIGTERM, and then cancels the scope."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _number in signals:
            playing.cancel()
