"""Opens connections to the server for a process without network access, and passes them over the socket that is its
stdin."""

from __future__ import annotations

import array
import socket
from contextlib import suppress

import trio

from bots.sdk.leash import FAILED, HANDED

LEAST_SECONDS = 0.1  # shortest interval between two connections of one process
REQUESTS = 64  # most requests for a connection that are read together and answered by one connection


async def hand_out_connections(leash: trio.SocketStream, host: str, port: int) -> None:
    """Connects to the server whenever the process asks for a connection, until the process closes its socket.

    The process has one connection at a time: a new request shuts down the connection that it got before.
    """
    latest: trio.SocketStream | None = None
    try:
        while await leash.receive_some(REQUESTS):
            if latest is not None:
                await _shut_down(latest)
            latest = await _connect(host, port)
            await _hand(leash, latest)
            await trio.sleep(LEAST_SECONDS)
    except (OSError, trio.BrokenResourceError, trio.ClosedResourceError):
        pass
    finally:
        if latest is not None:
            await trio.aclose_forcefully(latest)


async def _connect(host: str, port: int) -> trio.SocketStream | None:
    with suppress(OSError):
        return await trio.open_tcp_stream(host, port)
    return None


async def _shut_down(stream: trio.SocketStream) -> None:
    with suppress(OSError):
        stream.socket.shutdown(socket.SHUT_RDWR)
    await trio.aclose_forcefully(stream)


async def _hand(leash: trio.SocketStream, stream: trio.SocketStream | None) -> None:
    if stream is None:
        await leash.send_all(FAILED)
        return
    rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [stream.socket.fileno()]))
    await leash.socket.sendmsg([HANDED], [rights])
