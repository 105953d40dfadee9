"""Crowds on a real port beside a match: those who sit idle, and those who come and go as fast as they can: B05, B06."""

from __future__ import annotations

import os
import sys

import pytest
import trio

from benchmarks.child import server
from benchmarks.load import Tables
from benchmarks.sessions import close, join
from tests.helpers.hall import open_hall, tcp_player

STORM = """
import socket, sys, time
port, seconds, made = int(sys.argv[1]), float(sys.argv[2]), 0
end = time.monotonic() + seconds
while time.monotonic() < end:
    with socket.socket() as sock:
        sock.bind((f"127.0.0.{2 + made % 200}", 0))
        sock.connect(("127.0.0.1", port))
        if made % 3:
            sock.send(b'{"type":"hello","id":1,"na' if made % 3 == 1 else b"who\\n")
    made += 1
print(made)
"""


@pytest.mark.parametrize(("seconds", "least"), [(1, 300), pytest.param(60, 30_000, marks=pytest.mark.soak)])
async def test_b06_a_storm_of_connections_leaves_nothing_behind_and_a_match_goes_on(
    nursery: trio.Nursery, seconds: float, least: int
) -> None:
    app = await open_hall(nursery)
    ann = await tcp_player(app.port, "ann")
    decided, made = 0, 0

    async def play() -> None:
        nonlocal decided
        while True:
            table = (await ann.ask("open", game="ikasamage", seats=3))["info"]["table"]
            for _ in range(2):
                await ann.ask("add", table=table, bot="random")
            await ann.ask("start", table=table)
            while (turn := await ann.until(lambda told: told["type"] in ("turn", "over")))["type"] == "turn":
                action = {"table": table, "turn": turn["turn"], "action": turn["legal"][0]}
                assert (await ann.ask("act", **action))["type"] == "accepted"
                decided += 1

    async with trio.open_nursery() as match:
        match.start_soon(play)
        await trio.sleep(0.2)
        before, tasks = len(os.listdir("/proc/self/fd")), trio.lowlevel.current_statistics().tasks_living
        command = [sys.executable, "-c", STORM, str(app.port), str(seconds)]
        decided = 0
        made = int((await trio.run_process(command, capture_stdout=True)).stdout)
        match.cancel_scope.cancel()
    print(f"\n{made:,} connections in {seconds} s, {decided} decisions meanwhile")
    assert made > least
    assert decided > 20 * seconds
    with trio.fail_after(10):
        while app.connections > 1:  # noqa: ASYNC110 (a server has no event for a test's sake)
            await trio.sleep(0.01)
    assert len(os.listdir("/proc/self/fd")) <= before
    assert trio.lowlevel.current_statistics().tasks_living <= tasks
    await ann.stream.aclose()


@pytest.mark.parametrize(("idle", "late_ms"), [(300, None), pytest.param(10_000, 10.0, marks=pytest.mark.soak)])
def test_b05_a_match_beside_a_crowd_that_sits_idle(idle: int, late_ms: float | None) -> None:
    with server("hall") as process:
        empty = process.usage().memory
        socks, _seconds = join(process, idle, "sleeper", at_once=100)
        load = Tables(process, 1, "msgpack", "ikasamage")
        run = load.run(0.5 if late_ms is None else 5, 0.1)
        taken = process.usage().memory - empty
        load.close()
        close(socks)
    late = run.quantile(0.99) * 1e3
    print(f"\n{idle:,} idle: p99 of a decision {late:.2f} ms, {taken / 1024:.0f} MiB more")
    assert run.done > 10
    assert late_ms is None or late < late_ms
    assert taken < 25 * idle + 8_192  # KiB
