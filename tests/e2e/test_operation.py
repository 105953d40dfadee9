"""The server goes on whatever becomes of its log and of its descriptors."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import pytest


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def server(stderr: int | IO[bytes], descriptors: int = 0) -> Iterator[int]:
    """`magehall serve` in a process of its own, perhaps with so few descriptors; gives its port."""
    port = free_port()
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({descriptors}, {descriptors}));"
    start = f"{limit if descriptors else ''}from magehall.__main__ import main; main()"
    command = [sys.executable, "-P", "-c", start, "serve", "--port", str(port)]
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
