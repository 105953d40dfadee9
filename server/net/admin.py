"""The socket for the operator's commands: a Unix socket in the data folder, which only the server's user can open.

A client sends one line of JSON, receives one, and the connection ends. `{"do": "kick", "who": "ann"}` is answered by
`{"ok": true, "lines": ["ann is gone, but may come back."]}`. In the answer to a refused command `ok` is false, and
`lines` has the reason.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import trio

from languages import ENGLISH, language_code, speaking
from protocol.errors import Refusal
from server.desk.operator import ConfirmationNeeded, OperatorCommand, OperatorCommands
from server.language import _
from server.log_fields import extra_fields
from server.net.accept_loop import NONE_LEFT, WAIT_SECONDS

log = logging.getLogger("magehall.operator")

SOCKET = "admin"
ADDRESS_BYTES = 107  # longest path of a Unix socket, in bytes
LINE_BYTES = 4_096
SECONDS = 10.0  # time limit for a command to arrive and its answer to be on disk
AT_ONCE = 8  # most commands that are handled at the same time; further connections wait in the kernel


class AdminAnswer(msgspec.Struct, omit_defaults=True):
    """The answer to one command: its result, or why it was refused.

    If `asks` is true, the command was refused only because it was `careful`: the operator must confirm it. `facts` has
    the result as values for programs.
    """

    ok: bool
    lines: list[str]
    asks: bool = False
    facts: Mapping[str, object] = {}


async def serve_operator_socket(
    folder: Path, operator: OperatorCommands, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
) -> None:
    """Answers the operator's commands until cancelled. If the socket cannot be created, this is logged and the server
    runs without it."""
    try:
        listener = _listen(folder / SOCKET)
    except OSError as error:
        told = extra_fields("no_operator_socket", error=f"{error}")
        log.error("there is no operator's socket: %s", error.strerror or error, extra=told)
        task_status.started()
        return
    try:
        task_status.started()
        async with listener:
            await _let_in(listener, operator)
    finally:
        with suppress(OSError):  # the file system may have become read-only
            (folder / SOCKET).unlink()


@contextmanager
def short_socket_path(folder: Path) -> Iterator[str]:
    """Yields a path of the socket in that folder that has at most ADDRESS_BYTES. Raises OSError.

    If the usual path is too long, it yields one that leads through an open descriptor of the folder, which stays open
    during the block.
    """
    if len(os.fsencode(folder / SOCKET)) <= ADDRESS_BYTES:
        yield str(folder / SOCKET)
        return
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{held}/{SOCKET}"
    finally:
        os.close(held)


def _listen(path: Path) -> trio.SocketListener:
    """Creates the socket file so that other users can open it at no moment. Raises OSError."""
    if path.is_socket():
        path.unlink()  # the file was left by a killed server, because this server holds the lock of the folder
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with short_socket_path(path.parent) as address:
            listening.bind(address)
        path.chmod(0o600)
        listening.listen()
        return trio.SocketListener(trio.socket.from_stdlib_socket(listening))
    except BaseException:
        listening.close()
        raise


async def _let_in(listener: trio.SocketListener, operator: OperatorCommands) -> None:
    """Accepts connections of the operator. A spare file descriptor lets it accept them while other peers use up all
    descriptors."""
    places = trio.Semaphore(AT_ONCE)
    async with trio.open_nursery() as nursery:
        while True:
            await places.acquire()
            try:
                spare = os.open(os.devnull, os.O_RDONLY)
                try:
                    await trio.lowlevel.wait_readable(listener.socket)
                finally:
                    os.close(spare)
                stream = await listener.accept()
            except OSError as error:
                if error.errno not in NONE_LEFT:
                    raise
                places.release()
                await trio.sleep(WAIT_SECONDS)
            else:
                nursery.start_soon(_answer, operator, stream, places)


async def _answer(operator: OperatorCommands, stream: trio.SocketStream, places: trio.Semaphore) -> None:
    """Answers one command. An unexpected exception is logged, and does not affect the server."""
    try:
        async with stream:
            with trio.move_on_after(SECONDS):
                await stream.send_all(msgspec.json.encode(await _obey(operator, await _line(stream))) + b"\n")
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        pass  # the operator's client is gone
    except Exception:
        log.exception("a command of the operator failed")
    finally:
        places.release()


async def _obey(operator: OperatorCommands, line: bytes) -> AdminAnswer:
    try:
        command = msgspec.json.decode(line, type=OperatorCommand)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return AdminAnswer(False, [_("That is not a command: {error}.", error=error)])
    with speaking(language_code(command.lang) or ENGLISH):
        try:
            outcome = await operator.execute(command)
            return AdminAnswer(True, outcome.lines, facts=outcome.facts)
        except Refusal as error:
            return AdminAnswer(False, [error.text], asks=isinstance(error, ConfirmationNeeded))


async def _line(stream: trio.SocketStream) -> bytes:
    data = b""
    while not data.endswith(b"\n") and len(data) <= LINE_BYTES:
        more = await stream.receive_some(LINE_BYTES)
        if not more:
            break
        data += more
    return data
