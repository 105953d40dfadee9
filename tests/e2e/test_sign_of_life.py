"""Real terminals that have stopped, and others that merely think: B09 of the abuse list."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
from functools import partial

import pytest
import trio

from protocol import limits
from server import app as server_app
from server.app import App
from server.config import Config
from server.net.wire import SocketWire
from tests.helpers.hall import open_hall

QUICK = Config(port=0, house_seconds=0.0, silent_seconds=0.3, sign_seconds=0.5)


@pytest.fixture
async def app(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> App:
    monkeypatch.setattr(server_app, "SILENCE_LOOK_SECONDS", 0.05)
    return await open_hall(nursery, QUICK)


async def at_the_keys(nursery: trio.Nursery, app: App, *command: str) -> trio.Process:
    """That program, connected, with a name."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    run = partial(trio.run_process, [*command, "127.0.0.1", str(app.port)], check=False, stdout=subprocess.DEVNULL)
    process: trio.Process = await nursery.start(partial(run, stdin=subprocess.PIPE))
    assert process.stdin is not None
    await process.stdin.send_all(b"hello ann\n")
    with trio.fail_after(5):
        while not names(app):  # noqa: ASYNC110 (a server has no event for a test's sake)
            await trio.sleep(0.02)
    await trio.sleep(0.2)
    return process


def names(app: App) -> list[str]:
    return [player.name for player in app.lobby.people.here()]


async def test_b09_a_telnet_that_was_stopped_is_let_go_and_one_that_thinks_stays(
    nursery: trio.Nursery, app: App
) -> None:
    async with trio.open_nursery() as tools:
        telnet = await at_the_keys(tools, app, "telnet")
        await trio.sleep(3)
        assert names(app) == ["ann"]
        telnet.send_signal(signal.SIGSTOP)
        with trio.fail_after(5):
            while names(app):  # noqa: ASYNC110
                await trio.sleep(0.02)
        telnet.send_signal(signal.SIGCONT)
        tools.cancel_scope.cancel()


@pytest.mark.parametrize("crlf", [(), ("-C",)])
async def test_b09_netcat_answers_nothing_and_stays(nursery: trio.Nursery, app: App, crlf: tuple[str, ...]) -> None:
    async with trio.open_nursery() as tools:
        await at_the_keys(tools, app, "nc", *crlf)
        await trio.sleep(3)
        assert names(app) == ["ann"]
        tools.cancel_scope.cancel()


async def accepted(app: App) -> tuple[trio.SocketStream, trio.SocketStream]:
    """A connection that has read the greeting, and the server's end of it."""
    stream = await trio.open_tcp_stream("127.0.0.1", app.port)
    await stream.receive_some()
    (session,) = app.sessions
    assert isinstance(session._wire, SocketWire)
    return stream, session._wire._stream


async def test_b09_the_kernel_is_told_to_find_out_about_dead_lines(nursery: trio.Nursery, app: App) -> None:
    stream, ours = await accepted(app)
    assert ours.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    kept = [ours.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name, _value in server_app.KEEPALIVE]
    assert kept == [120, 20, 3]
    await stream.aclose()


async def test_the_kernel_keeps_no_more_of_what_nobody_read_than_the_limits_say(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RECEIVE_BYTES", 20_000)  # the real number may be what the kernel gives by itself
    app = await open_hall(nursery, QUICK)
    stream, ours = await accepted(app)
    with socket.socket() as asked:
        asked.setsockopt(
            socket.SOL_SOCKET, socket.SO_RCVBUF, 20_000
        )  # kernels make more of a number, as Linux doubles it
        expected = asked.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF)
    assert ours.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) == expected
    await stream.aclose()
