"""Many peers at once: memory of an idle session, joining in a crowd, one match beside ten thousand sleepers."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Iterator

from benchmarks.load import ServerProcess, Tables, server
from benchmarks.table import Row

IDLE = 2_000
CROWD = 5_000
AT_ONCE = 64
SLEEPERS = 10_000


def rows() -> Iterator[Row]:
    """Each figure from a server of its own."""
    with server("hall") as process:
        before = process.usage()[1]
        socks, _ = _join(process, IDLE, "idle", at_once=100)
        memory = (process.usage()[1] - before) / IDLE
        yield Row(f"memory of an idle session, of {IDLE:,}", memory, "KiB", "16", memory <= 16)
        _close(socks)
    with server("hall") as process:
        begun = time.perf_counter()
        socks, latencies = _join(process, CROWD, "crowd", at_once=AT_ONCE)
        took = time.perf_counter() - begun
        p99 = sorted(latencies)[int(0.99 * len(latencies))] * 1e3
        name = f"hello to welcome, {CROWD:,} joining as fast as the server takes {AT_ONCE} at a time: p99"
        yield Row(name, p99, "ms", "60", p99 <= 60)
        yield Row("the same: sessions a second", CROWD / took, "/s")
        _close(socks)
    with server("hall") as process:
        socks, _ = _join(process, SLEEPERS, "sleeper", at_once=100)
        load = Tables(process, 1, "msgpack", "ikasamage")
        figures = load.run(3.0)
        p99 = figures.quantile(0.99) * 1e3
        yield Row(f"one match beside {SLEEPERS:,} idle sessions: p99", p99, "ms", "5", p99 <= 5)
        load.close()
        _close(socks)


def _join(process: ServerProcess, count: int, name: str, *, at_once: int) -> tuple[list[socket.socket], list[float]]:
    """That many sessions said hello, at most `at_once` in progress; seconds from hello to welcome for each."""
    poll = select.epoll()
    socks: dict[int, socket.socket] = {}
    sent: dict[int, float] = {}
    latencies: list[float] = []
    started = 0
    while len(latencies) < count:
        burst = 0
        while started < count and started - len(latencies) < at_once and burst < 50:
            sock = socket.socket()
            sock.bind((f"127.0.0.{2 + started // 8_000}", 0))
            sock.connect(("127.0.0.1", process.port))
            socks[sock.fileno()] = sock
            poll.register(sock.fileno(), select.EPOLLIN)
            sent[sock.fileno()] = time.perf_counter()
            sock.send(b'{"type":"hello","id":1,"name":"%s%d"}\n' % (name.encode(), started))
            started += 1
            burst += 1
        for number, _ in poll.poll(0):
            if b'"welcome"' in socks[number].recv(65_536):
                latencies.append(time.perf_counter() - sent[number])
                poll.unregister(number)
    return list(socks.values()), latencies


def _close(socks: list[socket.socket]) -> None:
    for sock in socks:
        sock.close()
