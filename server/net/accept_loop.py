"""Accepts connections. When no file descriptor is left for one, a spare descriptor is used to refuse it with a
message."""

from __future__ import annotations

import errno
import logging
import os
import socket
from collections.abc import Awaitable, Callable

import trio

from server.log_fields import extra_fields
from server.log_throttle import LogThrottle

log = logging.getLogger("magehall.doorway")

NONE_LEFT = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
WAIT_SECONDS = 0.1  # pause if the spare file descriptor could not be opened again


class AcceptLoop:
    """Accepts the connections of one listener, which the loop does not close. `run` is its task.

    A connection for which no file descriptor is left gets the bytes `farewell`.
    """

    def __init__(
        self, listener: trio.SocketListener, handle: Callable[[trio.SocketStream], Awaitable[None]], farewell: bytes
    ) -> None:
        self._listener, self._handle, self._farewell = listener, handle, farewell
        self._rarely = LogThrottle(60.0)
        self._spare: int | None = os.open(os.devnull, os.O_RDONLY)

    async def run(self, nursery: trio.Nursery) -> None:
        """Accepts connections until cancelled. A task in that nursery handles each one."""
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
                    else:  # if no descriptor is left, accept fails even when no connection waits
                        await trio.lowlevel.wait_readable(self._listener.socket)
                    somebody_came = not somebody_came
                else:
                    somebody_came = False
                    nursery.start_soon(self._handle, stream)
        finally:
            if self._spare is not None:
                os.close(self._spare)

    async def _turn_away(self) -> None:
        """Refuses one waiting connection, by means of the spare file descriptor."""
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None
            door = socket.socket(fileno=self._listener.socket.fileno())
            try:
                door.setblocking(False)
                newcomer, _address = door.accept()
                with newcomer:
                    newcomer.send(self._farewell)  # does not block, because the new socket's send buffer is empty
                    newcomer.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # the peer is gone, or another task has used the free descriptor
            finally:
                door.detach()
        try:
            self._spare = os.open(os.devnull, os.O_RDONLY)
        except OSError:
            await trio.sleep(WAIT_SECONDS)
        times = self._rarely.count_if_due(None, trio.current_time())
        if times:
            told = extra_fields("no_descriptors", count=times)
            log.error("no file descriptors left for new connections: %d refused", times, extra=told)
