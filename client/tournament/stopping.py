"""Ctrl-C and SIGTERM end a tournament early, with what there is by then."""

from __future__ import annotations

import signal

import trio


async def stop_on_signal(playing: trio.CancelScope) -> None:
    """Cancels that scope when one of them comes."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _number in signals:
            playing.cancel()
