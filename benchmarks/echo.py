"""The bare echo from outside: round trips as fast as a trio server sends back what it receives."""

from __future__ import annotations

import select
import time

from benchmarks.child import ServerProcess, connect
from benchmarks.run import Run


def run_echo(process: ServerProcess, connections: int, seconds: float) -> Run:
    """Round trips of 60-byte lines on that many connections at once."""
    line = b"x" * 59 + b"\n"
    socks = {sock.fileno(): sock for sock in (connect(process.port) for _ in range(connections))}
    poll = select.epoll()
    sent: dict[int, float] = {}
    run = Run()
    cpu = process.usage().cpu
    begun = time.perf_counter()
    for number, sock in socks.items():
        poll.register(number, select.EPOLLIN)
        sent[number] = time.perf_counter()
        sock.send(line)
    while (now := time.perf_counter()) - begun < seconds:
        for number, _ in poll.poll(1):
            sock = socks[number]
            sock.recv(4096)
            now = time.perf_counter()
            run.latencies.append(now - sent[number])
            run.done += 1
            sent[number] = now
            sock.send(line)
    run.seconds = time.perf_counter() - begun
    run.cpu = process.usage().cpu - cpu
    for sock in socks.values():
        sock.close()
    poll.close()
    return run
