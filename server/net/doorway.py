"""Lets newcomers in, and keeps a descriptor back so that those who are too many hear so instead of waiting in vain."""

from __future__ import annotations

import errno
import logging
import os
import socket
from collections.abc import Awaitable, Callable

import trio

from server.log_fields import fields
from server.rarely import Rarely

log = logging.getLogger("magehall.doorway")

NONE_LEFT = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
WAIT_SECONDS = 0.1  # where not even the spare descriptor could be had


class Doorway:
    """One a listener, which it does not close; `run` is its task. `farewell` is sent to who cannot be let in."""

    def __init__(
        self, listener: trio.SocketListener, handle: Callable[[trio.SocketStream], Awaitable[None]], farewell: bytes
    ) -> None:
        self._listener, self._handle, self._farewell = listener, handle, farewell
        self._rarely = Rarely(60.0)
        self._spare: int | None = os.open(os.devnull, os.O_RDONLY)

    async def run(self, nursery: trio.Nursery) -> None:
        """Until cancelled; each connection is handled by a task in that nursery."""
        somebody_came = False
        try:
            while True:
                try:
                    stream = await self._listener.accept()
                except OSError as error:
                    if error.errno not in NONE_LEFT:
                        raise
                    if somebody_came:
                        await self._turn_away()
                    else:  # accepting fails for want of a descriptor even if nobody stands there
                        await trio.lowlevel.wait_readable(self._listener.socket)
                    somebody_came = not somebody_came
                else:
                    somebody_came = False
                    nursery.start_soon(self._handle, stream)
        finally:
            if self._spare is not None:
                os.close(self._spare)

    async def _turn_away(self) -> None:
        """Somebody stands before the door."""
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None
            door = socket.socket(fileno=self._listener.socket.fileno())
            try:
                door.setblocking(False)
                newcomer, _address = door.accept()
                with newcomer:
                    newcomer.send(self._farewell)  # which waits for nobody: nothing was sent before
                    newcomer.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # gone again, or somebody else has the descriptor
            finally:
                door.detach()
        try:
            self._spare = os.open(os.devnull, os.O_RDONLY)
        except OSError:
            await trio.sleep(WAIT_SECONDS)
        times = self._rarely.times(None, trio.current_time())
        if times:
            told = fields("no_descriptors", count=times)
            log.error("no descriptors left for newcomers: %d turned away", times, extra=told)
