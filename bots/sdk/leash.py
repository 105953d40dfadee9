"""The socket that a bot's process inherits from the program that started it, as its stdin.

Over it the process is handed each connection to the server, already made, so it needs no network of its own. Where it
ends, the bot is to end.
"""

from __future__ import annotations

import array
import errno
import os
import socket

import msgspec
import trio

from bots.sdk.sockets import LoneStream

TOKEN = "MAGEHALL_TOKEN"  # the variable with the token of the bot's name
WANTED = b"c"  # asks for a connection; the one before is closed with that
HANDED, FAILED = b"h", b"f"  # the answers; a socket comes with the first


class Entering(msgspec.Struct, frozen=True):
    """Which bot plays what, and as whom. `server` is only the key of its token; `fingerprint` is that of the
    certificate that the server has to show, "" for a server that speaks plain text."""

    bot: str
    game: str
    name: str
    seed: int
    server: str
    options: tuple[str, ...] = ()
    fingerprint: str = ""


class Leash:
    """This process's end."""

    def __init__(self, stdin: int = 0) -> None:
        """Takes the socket from there; whoever reads there afterwards finds an empty file."""
        self._socket = trio.socket.from_stdlib_socket(socket.socket(socket.AF_UNIX, fileno=os.dup(stdin)))
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, stdin)
        os.close(nothing)
        self._put, self._answers = trio.open_memory_channel[socket.socket | None](1)

    async def dial(self) -> LoneStream:
        """The next connection to the server. Raises OSError where there is none."""
        await self._socket.send(WANTED)
        connected = await self._answers.receive()
        if connected is None:
            raise OSError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
        return LoneStream(trio.SocketStream(trio.socket.from_stdlib_socket(connected)))

    def close(self) -> None:
        """For tests; a process ends with its leash."""
        self._socket.close()

    async def hold(self) -> None:
        """Takes the answers; returns when the other end is gone."""
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
    """The kind is given, as the sandbox lets no process ask where its socket is bound."""
    return socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, fileno=file)
