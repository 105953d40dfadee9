"""How newcomers and the operator are let in, and what happens where the system has no descriptors left."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from server.desk.operator import OperatorCommands
from server.net.accept_loop import AcceptLoop
from server.net.admin import SOCKET, serve_operator_socket
from tests.helpers.hall import Hall

FAREWELL = b"full\r\n"


class Full:
    """A listener whose system has no descriptors left for so many times: two for each who is turned away, as it is
    tried again once somebody stands before the door."""

    def __init__(self, listener: trio.SocketListener, times: int, error: int = errno.EMFILE) -> None:
        self._listener, self.times, self._error = listener, times, error
        self.socket = listener.socket

    async def accept(self) -> trio.SocketStream:
        if self.times:
            self.times -= 1
            await trio.lowlevel.checkpoint()
            raise OSError(self._error, "planted")
        return await self._listener.accept()


@pytest.fixture
async def listener() -> AsyncIterator[trio.SocketListener]:
    (opened,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with opened:
        yield opened


def knock(listener: trio.SocketListener) -> socket.socket:
    """Our end of a connection that waits to be let in."""
    return socket.create_connection(listener.socket.getsockname())


def said(end: socket.socket) -> bytes:
    """All that was said to us until the end."""
    told = b""
    with end:
        while data := end.recv(100):
            told += data
    return told


async def greet(stream: trio.SocketStream) -> None:
    async with stream:
        await stream.send_all(b"hello\r\n")


async def test_b07_the_first_who_comes_when_there_are_descriptors_again_is_let_in(
    listener: trio.SocketListener, nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    full: Any = Full(listener, times=1)
    nursery.start_soon(AcceptLoop(full, greet, FAREWELL).run, nursery)
    await wait_all_tasks_blocked()
    assert full.times == 0, "there was none when the door was tried last"
    end = knock(listener)
    await wait_all_tasks_blocked()
    assert said(end) == b"hello\r\n"
    assert caplog.records == []
    nursery.cancel_scope.cancel()


# -- the operator ------------------------------------------------------------------------------------------------------


async def test_where_there_can_be_no_socket_the_server_goes_on_without_one(
    hall: Hall, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    operator = OperatorCommands(hall.lobby, hall.nursery, hall.app.stopping.set)
    descriptors = len(os.listdir("/proc/self/fd"))
    (tmp_path / SOCKET).write_text("something else")
    async with trio.open_nursery() as nursery:
        await nursery.start(serve_operator_socket, tmp_path, operator)
    assert [record.getMessage() for record in caplog.records] == [
        "there is no operator's socket: Address already in use"
    ]
    assert (tmp_path / SOCKET).read_text() == "something else"
    assert len(os.listdir("/proc/self/fd")) == descriptors
