"""The socket that a bot's process inherits as its stdin from the program that started it.

The process receives ready connections to the server over it, so it needs no network access of its own. When the socket
closes, the bot should end.
"""

from __future__ import annotations

import array
import errno
import os
import socket

import msgspec
import trio

from bots.sdk.sockets import LoneStream

TOKEN = "MAGEHALL_TOKEN"  # the environment variable with the token of the bot's name
WANTED = b"c"  # asks for a new connection, which closes the previous one
HANDED, FAILED = b"h", b"f"  # the answers; HANDED comes with a socket


class Entering(msgspec.Struct, frozen=True):
    """The bot and the game that the process plays, and the name under which it plays.

    `server` is only the key of the token. `fingerprint` is that of the server's certificate; "" for plain text.
    """

    bot: str
    game: str
    name: str
    seed: int
    server: str
    options: tuple[str, ...] = ()
    fingerprint: str = ""


class Leash:
    """The bot process's end of the socket."""

    def __init__(self, stdin: int = 0) -> None:
        """Duplicates the socket from `stdin` and replaces `stdin` by an empty file."""
        self._socket = trio.socket.from_stdlib_socket(socket.socket(socket.AF_UNIX, fileno=os.dup(stdin)))
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, stdin)
        os.close(nothing)
        self._put, self._answers = trio.open_memory_channel[socket.socket | None](1)

    async def dial(self) -> LoneStream:
        """Returns the next connection to the server. Raises OSError if there is none."""
        await self._socket.send(WANTED)
        connected = await self._answers.receive()
        if connected is None:
            raise OSError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
        return LoneStream(trio.SocketStream(trio.socket.from_stdlib_socket(connected)))

    def close(self) -> None:
        """Closes the socket. Only tests need it, because the process ends with its leash."""
        self._socket.close()

    async def hold(self) -> None:
        """Receives the answers until the other end closes."""
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
    """Returns the socket for a file descriptor. It names the kind of socket, because the sandbox forbids asking the
    system for it."""
    return socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, fileno=file)
