"""Many peers at once: joining in a crowd, one match beside ten thousand sleepers."""

from __future__ import annotations

import select
import socket
import struct
import time
from collections.abc import Iterator
from tempfile import TemporaryDirectory

from benchmarks.child import ServerProcess, server
from benchmarks.echo import run_echo
from benchmarks.figure import Figure
from benchmarks.load import Tables

CROWD = 5_000
AT_ONCE = 64
SLEEPERS = 10_000
ROUNDS = 5
ECHO_SECONDS = 0.3


def figures() -> Iterator[Figure]:
    """The crowd from a new server in each round; the match from one, with an echo before each round."""
    late, rates, echoes = [], [], []
    for _ in range(ROUNDS):
        with server("echo") as echo:
            echoes.append(run_echo(echo, AT_ONCE, ECHO_SECONDS))
        p99, rate = _crowd()
        late.append(p99)
        rates.append(rate)
    p99s = [run.quantile(0.99) * 1e3 for run in echoes]
    yield Figure(
        f"p99 of hello, {CROWD:,} joining, {AT_ONCE} at a time", "ms", late, "less", "echo", p99s, 60, wall=True
    )
    yield Figure("the same: sessions a second", "/s", rates, "more", "echo", [run.rate for run in echoes], wall=True)
    late, p99s = (list(part) for part in zip(*_beside_sleepers("hall"), strict=True))
    yield Figure(f"p99 of one match beside {SLEEPERS:,} idle", "ms", late, "less", "echo", p99s, 5, wall=True)
    with TemporaryDirectory(dir=".", prefix=".bench-") as folder:  # /tmp may be no disk
        late, p99s = (list(part) for part in zip(*_beside_sleepers("disk", folder), strict=True))
    yield Figure("the same with the log on disk", "ms", late, "less", "echo", p99s, wall=True)


def _crowd() -> tuple[float, float]:
    """The p99 from hello to welcome in ms, and sessions a second."""
    with server("hall") as process:
        begun = time.perf_counter()
        socks, latencies = join(process, CROWD, "crowd", at_once=AT_ONCE)
        took = time.perf_counter() - begun
        close(socks)
        return sorted(latencies)[int(0.99 * len(latencies))] * 1e3, CROWD / took


def _beside_sleepers(*kind: str) -> Iterator[tuple[float, float]]:
    """The p99 of a decision while the others sleep, and of an echo with one connection; both in ms."""
    with server(*kind) as process, server("echo") as echo:
        socks, _ = join(process, SLEEPERS, "sleeper", at_once=100)
        load = Tables(process, 1, "msgpack", "ikasamage")
        load.run(0.1, 0.5)
        for _ in range(ROUNDS):
            beside = run_echo(echo, 1, ECHO_SECONDS)
            yield load.run(0.5, 0.1).quantile(0.99) * 1e3, beside.quantile(0.99) * 1e3
        load.close()
        close(socks)


def join(process: ServerProcess, count: int, name: str, *, at_once: int) -> tuple[list[socket.socket], list[float]]:
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


def close(socks: list[socket.socket]) -> None:
    """Resets, so that the next round finds the ports free."""
    for sock in socks:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.close()
