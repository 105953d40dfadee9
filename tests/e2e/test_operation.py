"""The server goes on whatever becomes of its log and of its descriptors, and leaves none behind."""

from __future__ import annotations

import errno
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

import pytest
import trio
import trio.testing

from server.app import serve
from server.config import Config
from server.net.accept_loop import AcceptLoop
from server.net.poller import Poller
from tests.helpers.house import FirstHouse


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def server(stderr: int | IO[bytes], descriptors: int = 0) -> Iterator[int]:
    """`magehall serve` in a process of its own, perhaps with so few descriptors; gives its port."""
    port = free_port()
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({descriptors}, {descriptors}));"
    start = ["-c", f"{limit}from magehall.__main__ import main; main()"] if descriptors else ["-m", "magehall"]
    command = [sys.executable, "-P", *start, "serve", "--data", ":memory:", "--port", str(port)]
    process = subprocess.Popen(command, stderr=stderr)
    try:
        yield port
    finally:
        process.kill()
        process.wait()


def dial(port: int) -> socket.socket:
    """A connection, as soon as the server is there."""
    end = time.monotonic() + 30
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=10)
        except ConnectionRefusedError:
            assert time.monotonic() < end, "no server"
            time.sleep(0.1)


def login(port: int, name: str) -> bytes:
    """The second line that somebody of that name reads, who then leaves."""
    with dial(port) as stream, stream.makefile("rwb", buffering=0) as peer:
        peer.readline()
        peer.write(f"hello {name}\r\n".encode())
        return peer.readline()


def test_b16_a_log_that_nobody_reads_stops_no_server() -> None:
    fcntl = pytest.importorskip("fcntl")
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4_096)
    with server(writing) as port:
        for number in range(120):
            assert login(port, f"guest-{number}").startswith(b"Welcome"), number
    os.close(reading)
    os.close(writing)


def test_b16_a_log_that_cannot_be_written_keeps_no_server_from_starting() -> None:
    with open("/dev/full", "wb") as full, server(full) as port:
        assert login(port, "ann").startswith(b"Welcome")


def test_b07_without_descriptors_newcomers_are_told_and_the_log_says_so_once_a_minute(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as stderr, server(stderr, descriptors=40) as port, ExitStack() as stack:
        guests = []
        for number in range(60):
            stream = stack.enter_context(dial(port))
            guest = stack.enter_context(stream.makefile("rwb", buffering=0))
            line = guest.readline()
            if b"full" in line:
                break
            guest.write(f"hello guest-{number}\r\n".encode())
            assert guest.readline().startswith(b"Welcome")
            guests.append(guest)
        assert 10 < len(guests) < 40
        for _ in range(20):
            with dial(port) as stream, stream.makefile("rb") as late:
                assert late.read().endswith(b"; The server is full; try again later.\r\n")
        guests[0].readline()
        guests[0].write(b"ping\r\n")
        assert guests[0].readline() == b"pong\r\n"
        guests[0].write(b"quit\r\n")
        assert guests[0].readline() == b"Goodbye. You said quit.\r\n"
        end = time.monotonic() + 10
        while not login(port, "late"):
            assert time.monotonic() < end, "the place that became free was given to nobody"
            time.sleep(0.1)
    written = log.read_text()
    assert "Traceback" not in written
    assert written.count("no file descriptors left") == 1


@pytest.mark.parametrize(("owner", "name"), [(Poller, "create_if_supported"), (AcceptLoop, "__init__")])
async def test_a_server_that_fails_while_it_starts_leaves_no_listener_open(
    monkeypatch: pytest.MonkeyPatch, owner: type, name: str
) -> None:
    opened: list[trio.SocketListener] = []
    really_open = trio.open_tcp_listeners

    async def remembering(*arguments: Any, **more: Any) -> list[trio.SocketListener]:
        opened.extend(await really_open(*arguments, **more))
        return opened

    def none_left(*_: object) -> None:
        raise OSError(errno.EMFILE, "too many open files")

    monkeypatch.setattr(trio, "open_tcp_listeners", remembering)
    monkeypatch.setattr(owner, name, none_left)
    with pytest.raises(BaseExceptionGroup) as raised:
        await serve(Config(port=0), {}, FirstHouse("first"))
    assert raised.value.subgroup(OSError) is not None
    assert opened
    assert [listener.socket.fileno() for listener in opened] == [-1] * len(opened)


async def test_a_server_whose_terminal_is_closed_goes_on_under_nohup(
    nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup leaves it
    try:
        app = await nursery.start(partial(serve, Config(port=0), {}, FirstHouse(), signals=True))
        os.kill(os.getpid(), signal.SIGHUP)
        await trio.testing.wait_all_tasks_blocked()
        assert not app.stopping.is_set()
        assert "SIGHUP is ignored" in caplog.text
        os.kill(os.getpid(), signal.SIGTERM)
        with trio.fail_after(5):
            await app.stopping.wait()
    finally:
        signal.signal(signal.SIGHUP, before)
