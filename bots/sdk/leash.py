"""The leash of a bot's process: a socket that it inherits as its stdin from the program that started it.

Over the leash the process receives connections to the server that are already open, so that it needs no network access
of its own. When the other program closes the leash, the bot should end.
"""

from __future__ import annotations

import array
import errno
import os
import socket

import msgspec
import trio

from bots.sdk.sockets import BlockingStream

TOKEN = "MAGEHALL_TOKEN"  # the environment variable with the token of the bot's name
WANTED = b"c"  # the bot's request for a new connection, with which the previous one is closed
HANDED, FAILED = b"h", b"f"  # the answers to WANTED; with HANDED comes the socket of the connection


class EntrantAssignment(msgspec.Struct, frozen=True):
    """The assignment of the bot's process: the bot, the game, and the player's name under which it logs in.

    `server` is only the key of the name's token, not an address to connect to. `fingerprint` is the SHA-256 of the
    server's certificate; "" without TLS.
    """

    bot: str
    game: str
    name: str
    seed: int
    server: str
    options: tuple[str, ...] = ()
    fingerprint: str = ""


class ConnectionBroker:
    """The end of the socket in the bot's process."""

    def __init__(self, stdin: int = 0) -> None:
        """Takes the socket from the file descriptor `stdin`, and replaces that descriptor by an empty file."""
        self._socket = trio.socket.from_stdlib_socket(socket.socket(socket.AF_UNIX, fileno=os.dup(stdin)))
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, stdin)
        os.close(nothing)
        self._put, self._answers = trio.open_memory_channel[socket.socket | None](1)

    async def dial(self) -> BlockingStream:
        """Requests a new connection to the server and returns it. Raises OSError if the server cannot be reached."""
        await self._socket.send(WANTED)
        connected = await self._answers.receive()
        if connected is None:
            raise OSError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
        return BlockingStream(trio.SocketStream(trio.socket.from_stdlib_socket(connected)))

    def close(self) -> None:
        """Closes the socket. Only tests need it, because otherwise the process ends when its leash closes."""
        self._socket.close()

    async def receive_answers(self) -> None:
        """Receives the answers to the requests of `dial`. Returns when the other program closes the socket."""
        room = socket.CMSG_SPACE(array.array("i", [0]).itemsize)
        while True:
            try:
                data, passed, _flags, _address = await self._socket.recvmsg(1, room)
            except (OSError, trio.ClosedResourceError):
                return
            if not data:
                return
            files = array.array("i")
            for _level, _kind, content in passed:
                files.frombytes(content[: len(content) - len(content) % files.itemsize])
            await self._put.send(_connected(files[0]) if files else None)


def _connected(file: int) -> socket.socket:
    """Returns the socket for the file descriptor of a connection. The kind of socket is given explicitly, because the
    bot's sandbox does not allow to ask the system for it."""
    return socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, fileno=file)
