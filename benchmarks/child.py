"""A server in a child process, as the measuring side sees it."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple


class Usage(NamedTuple):
    """CPU seconds so far, resident KiB now, commits to the disk and bytes of rows in them so far."""

    cpu: float
    memory: int
    commits: int
    written: int


class ServerProcess:
    """A child with the server."""

    def __init__(self, kind: str, *more: str) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.server_process", kind, *more],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.port, *ports = map(int, self._read().split())
        self.web_port = ports[0] if ports else 0  # 0: no pages

    def usage(self) -> Usage:
        """What it has used."""
        assert self._child.stdin is not None
        self._child.stdin.write("?\n")
        self._child.stdin.flush()
        cpu, memory, commits, written = self._read().split()
        return Usage(float(cpu), int(memory), int(commits), int(written))

    def _read(self) -> str:
        assert self._child.stdout is not None
        return self._child.stdout.readline()

    def stop(self) -> None:
        """Ends the child."""
        with self._child:  # closes its pipes and waits
            self._child.kill()


@contextmanager
def server(kind: str, *more: str) -> Iterator[ServerProcess]:
    """A server process for the time of a measurement."""
    process = ServerProcess(kind, *more)
    try:
        yield process
    finally:
        process.stop()


def connect(port: int, source: str = "") -> socket.socket:
    """A connected socket, non-blocking; from that address, if one is given."""
    sock = socket.create_connection(("127.0.0.1", port), source_address=(source, 0) if source else None)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setblocking(False)
    return sock
