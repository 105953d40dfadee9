"""The accept loop. It keeps a spare file descriptor, to refuse connections with a message when none are left."""

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
WAIT_SECONDS = 0.1  # pause when the spare descriptor could not be reopened


class Doorway:
    """Accepts connections of one listener, which it does not close. `run` is its task.

    It sends `farewell` to a connection for which no file descriptor is left.
    """

    def __init__(
        self, listener: trio.SocketListener, handle: Callable[[trio.SocketStream], Awaitable[None]], farewell: bytes
    ) -> None:
        self._listener, self._handle, self._farewell = listener, handle, farewell
        self._rarely = Rarely(60.0)
        self._spare: int | None = os.open(os.devnull, os.O_RDONLY)

    async def run(self, nursery: trio.Nursery) -> None:
        """Accepts connections until cancelled. Each is handled by a task in that nursery."""
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
                    else:  # without descriptors accept fails even if no connection is pending
                        await trio.lowlevel.wait_readable(self._listener.socket)
                    somebody_came = not somebody_came
                else:
                    somebody_came = False
                    nursery.start_soon(self._handle, stream)
        finally:
            if self._spare is not None:
                os.close(self._spare)

    async def _turn_away(self) -> None:
        """Refuses one pending connection, with the spare descriptor."""
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None
            door = socket.socket(fileno=self._listener.socket.fileno())
            try:
                door.setblocking(False)
                newcomer, _address = door.accept()
                with newcomer:
                    newcomer.send(self._farewell)  # does not block, as the send buffer is empty
                    newcomer.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # the peer is gone, or another task took the descriptor
            finally:
                door.detach()
        try:
            self._spare = os.open(os.devnull, os.O_RDONLY)
        except OSError:
            await trio.sleep(WAIT_SECONDS)
        times = self._rarely.times(None, trio.current_time())
        if times:
            told = fields("no_descriptors", count=times)
            log.error("no file descriptors left for new connections: %d refused", times, extra=told)
