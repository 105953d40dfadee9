"""What the kernel is told about connections that nobody ends: B09 of the abuse list."""

from __future__ import annotations

import shutil
import socket
import sys
from dataclasses import replace

import pytest
import trio

from server import app as server_app
from server.app import App
from server.config import Config
from server.net.wire import SocketWire
from tests.helpers.hall import open_hall

QUICK = Config(port=0, house_seconds=0.0)


async def test_b09_a_line_that_is_dead_is_noticed_with_nothing_and_with_something_on_its_way() -> None:
    """In a network of its own, whose link goes down: no end hears of the other's."""
    alone = ["unshare", "-Urn", "sh", "-c"]
    probe = "ip link set lo up && ip link set lo down"
    if shutil.which("unshare") is None or (await trio.run_process([*alone, probe], check=False)).returncode:
        pytest.skip("there are no networks of one's own here")
    shown = await trio.run_process(
        [*alone, f"ip link set lo up; exec {sys.executable} -m tests.e2e.dead_line"], capture_stdout=True
    )
    assert shown.stdout == b"both are gone\n"


async def accepted(app: App) -> tuple[trio.SocketStream, trio.SocketStream]:
    """A connection that has read the greeting, and the server's end of it."""
    stream = await trio.open_tcp_stream("127.0.0.1", app.port)
    await stream.receive_some()
    await stream.send_all(b"ping\n")
    assert await stream.receive_some() == b"pong\r\n"
    (session,) = app.sessions
    assert isinstance(session._wire, SocketWire)
    return stream, session._wire._stream


async def test_b09_the_kernel_is_told_to_find_out_about_dead_lines(nursery: trio.Nursery) -> None:
    app = await open_hall(nursery, QUICK)
    stream, ours = await accepted(app)
    assert ours.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    kept = [ours.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name, _value in server_app.KEEPALIVE]
    assert kept == [120, 20, 3, 180_000]
    await stream.aclose()


async def test_the_kernel_keeps_no_more_of_what_nobody_read_than_the_limits_say(nursery: trio.Nursery) -> None:
    config = replace(QUICK, receive_bytes=20_000)  # the real number may be what the kernel gives by itself
    app = await open_hall(nursery, config)
    stream, ours = await accepted(app)
    with socket.socket() as asked:
        asked.setsockopt(
            socket.SOL_SOCKET, socket.SO_RCVBUF, 20_000
        )  # kernels make more of a number, as Linux doubles it
        expected = asked.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF)
    assert ours.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF) == expected
    await stream.aclose()
