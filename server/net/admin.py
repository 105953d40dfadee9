"""The operator's way in: a socket in the data folder, which only the user of the server can open.

One JSON line asks, one answers, and the connection is over: `{"do": "kick", "who": "ann"}`, then
`{"ok": true, "lines": ["ann is gone, but may come back."]}`, or a sentence with `false` where it is refused.
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

from languages import ENGLISH, known, speaking
from protocol.errors import Refusal
from server.desk.operator import Command, NeedsYes, Operator
from server.language import _
from server.log_fields import fields
from server.net.doorway import NONE_LEFT, WAIT_SECONDS

log = logging.getLogger("magehall.operator")

SOCKET = "admin"
ADDRESS_BYTES = 107  # of a socket
LINE_BYTES = 4_096
SECONDS = 10.0  # for a command to arrive, and for its answer to be on disk
AT_ONCE = 8  # commands; more wait before the door


class Answer(msgspec.Struct, omit_defaults=True):
    """The answer for the operator: the result, or the reason for a refusal. With `asks`, the same command succeeds
    without `careful`. `facts` are the same as values for programs."""

    ok: bool
    lines: list[str]
    asks: bool = False
    facts: Mapping[str, object] = {}


async def let_operator_in(
    folder: Path, operator: Operator, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
) -> None:
    """Answers commands until cancelled. Where there can be no socket, the log says so and the server goes on."""
    try:
        listener = _listen(folder / SOCKET)
    except OSError as error:
        told = fields("no_operator_socket", error=f"{error}")
        log.error("there is no operator's socket: %s", error.strerror or error, extra=told)
        task_status.started()
        return
    try:
        task_status.started()
        async with listener:
            await _let_in(listener, operator)
    finally:
        with suppress(OSError):  # the disk may be read-only by now
            (folder / SOCKET).unlink()


@contextmanager
def within_reach(folder: Path) -> Iterator[str]:
    """The address of the socket in that folder, which may have few bytes: where the path is too long, it leads through
    the folder, which is held open. Raises OSError."""
    if len(os.fsencode(folder / SOCKET)) <= ADDRESS_BYTES:
        yield str(folder / SOCKET)
        return
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{held}/{SOCKET}"
    finally:
        os.close(held)


def _listen(path: Path) -> trio.SocketListener:
    """Nobody but its user can open it, at no moment. Raises OSError."""
    if path.is_socket():
        path.unlink()  # of a server that was killed: the folder is ours alone
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with within_reach(path.parent) as address:
            listening.bind(address)
        path.chmod(0o600)
        listening.listen()
        return trio.SocketListener(trio.socket.from_stdlib_socket(listening))
    except BaseException:
        listening.close()
        raise


async def _let_in(listener: trio.SocketListener, operator: Operator) -> None:
    """Also while strangers have all descriptors: one is kept back for the operator."""
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


async def _answer(operator: Operator, stream: trio.SocketStream, places: trio.Semaphore) -> None:
    """One command. A fault of ours is logged and ends nothing else."""
    try:
        async with stream:
            with trio.move_on_after(SECONDS):
                await stream.send_all(msgspec.json.encode(await _obey(operator, await _line(stream))) + b"\n")
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        pass  # nobody waits for the answer
    except Exception:
        log.exception("a command of the operator failed")
    finally:
        places.release()


async def _obey(operator: Operator, line: bytes) -> Answer:
    try:
        command = msgspec.json.decode(line, type=Command)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return Answer(False, [_("That is no command: {error}.", error=error)])
    with speaking(known(command.lang) or ENGLISH):
        try:
            outcome = await operator.obey(command)
            return Answer(True, outcome.lines, facts=outcome.facts)
        except Refusal as error:
            return Answer(False, [error.text], asks=isinstance(error, NeedsYes))


async def _line(stream: trio.SocketStream) -> bytes:
    data = b""
    while not data.endswith(b"\n") and len(data) <= LINE_BYTES:
        more = await stream.receive_some(LINE_BYTES)
        if not more:
            break
        data += more
    return data
