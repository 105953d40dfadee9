"""How newcomers and the operator are let in, and what happens where the system has no descriptors left."""

from __future__ import annotations

import errno
import os
import socket
import stat
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from server.desk.operator import Operator
from server.net import admin
from server.net.admin import SOCKET, let_operator_in, within_reach
from server.net.doorway import WAIT_SECONDS, Doorway
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
    nursery.start_soon(Doorway(full, greet, FAREWELL).run, nursery)
    await wait_all_tasks_blocked()
    assert full.times == 0, "there was none when the door was tried last"
    end = knock(listener)
    await wait_all_tasks_blocked()
    assert said(end) == b"hello\r\n"
    assert caplog.records == []
    nursery.cancel_scope.cancel()


def _none_left(*_: object) -> int:
    raise OSError(errno.EMFILE, "planted")


# -- the operator ------------------------------------------------------------------------------------------------------


def ask(folder: Path) -> Callable[[], dict[str, Any]]:
    """Asks for the tables; what is given reads the answer."""
    end = socket.socket(socket.AF_UNIX)
    with within_reach(folder) as address:
        end.connect(address)
    end.sendall(b'{"do":"tables"}\n')
    return lambda: msgspec.json.decode(said(end))


@pytest.mark.parametrize("deep", [False, True])
async def test_the_operator_is_let_in_by_a_socket_that_nobody_else_can_open(
    hall: Hall, tmp_path: Path, deep: bool
) -> None:
    folder = tmp_path / ("x" * 120 if deep else "")
    folder.mkdir(exist_ok=True)
    operator = Operator(hall.lobby, hall.nursery, hall.app.stopping.set)
    descriptors = len(os.listdir("/proc/self/fd"))
    for _ in range(2):  # the first one leaves its socket behind, as a server that is killed does
        async with trio.open_nursery() as nursery:
            await nursery.start(let_operator_in, folder, operator)
            status = (folder / SOCKET).stat()
            assert stat.S_ISSOCK(status.st_mode)
            assert stat.S_IMODE(status.st_mode) == 0o600
            for _ in range(2 * admin.AT_ONCE):
                answer = ask(folder)
                await wait_all_tasks_blocked()
                assert answer() == {"ok": True, "lines": ["There are no tables."], "facts": {"tables": []}}
            nursery.cancel_scope.cancel()
        assert not (folder / SOCKET).exists()
        left = socket.socket(socket.AF_UNIX)
        with within_reach(folder) as address:
            left.bind(address)
        left.close()
    assert len(os.listdir("/proc/self/fd")) == descriptors


async def test_where_there_can_be_no_socket_the_server_goes_on_without_one(
    hall: Hall, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    operator = Operator(hall.lobby, hall.nursery, hall.app.stopping.set)
    descriptors = len(os.listdir("/proc/self/fd"))
    (tmp_path / SOCKET).write_text("something else")
    async with trio.open_nursery() as nursery:
        await nursery.start(let_operator_in, tmp_path, operator)
    assert [record.getMessage() for record in caplog.records] == [
        "there is no operator's socket: Address already in use"
    ]
    assert (tmp_path / SOCKET).read_text() == "something else"
    assert len(os.listdir("/proc/self/fd")) == descriptors


async def test_the_operator_is_let_in_when_the_strangers_who_had_all_descriptors_let_go_of_one(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = Operator(hall.lobby, hall.nursery, hall.app.stopping.set)
    with monkeypatch.context() as patch:
        await hall.nursery.start(let_operator_in, tmp_path, operator)
        patch.setattr(admin, "os", SimpleNamespace(open=_none_left, close=os.close, devnull=os.devnull, O_RDONLY=0))
        await trio.sleep(WAIT_SECONDS)  # it has a spare one until somebody comes
        answers = [ask_plainly(tmp_path / SOCKET) for _ in range(2)]
        await trio.sleep(20 * WAIT_SECONDS)
    await trio.sleep(2 * WAIT_SECONDS)
    assert [answer()["ok"] for answer in answers] == [True, True]


def ask_plainly(path: Path) -> Callable[[], dict[str, Any]]:
    end = socket.socket(socket.AF_UNIX)
    end.connect(str(path))
    end.sendall(b'{"do":"tables"}\n')
    return lambda: msgspec.json.decode(said(end))


async def test_who_says_nothing_there_is_let_go_and_few_are_there_at_once(hall: Hall, tmp_path: Path) -> None:
    operator = Operator(hall.lobby, hall.nursery, hall.app.stopping.set)
    await hall.nursery.start(let_operator_in, tmp_path, operator)
    silent = [socket.socket(socket.AF_UNIX) for _ in range(admin.AT_ONCE)]
    for end in silent:
        end.connect(str(tmp_path / SOCKET))
        await wait_all_tasks_blocked()
    with socket.socket(socket.AF_UNIX) as last:
        last.connect(str(tmp_path / SOCKET))
        last.sendall(b'{"do":"tables"}\n')
        last.setblocking(False)
        await trio.sleep(admin.SECONDS - 0.5)
        with pytest.raises(BlockingIOError):
            last.recv(100)
        await trio.sleep(1)
        assert last.recv(100).startswith(b'{"ok":true')
    for end in silent:
        end.close()
