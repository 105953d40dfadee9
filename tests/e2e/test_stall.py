"""A server process that is stopped for a while charges nobody for it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack

import pytest
import trio

from tests.helpers.hall import tcp_player
from tests.helpers.peer import Peer


@pytest.fixture
def server() -> Iterator[tuple[int, int]]:
    """Process id and port of a server."""
    child = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.server_process", "hall"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    yield child.pid, int(child.stdout.readline().split()[0])
    child.kill()
    child.communicate()


async def test_e08_a_stopped_server_gives_the_time_back(server: tuple[int, int]) -> None:
    process, port = server
    async with AsyncExitStack() as stack:
        peers = [await tcp_player(port, name) for name in ("ann", "ben", "cat")]
        for peer in peers:
            await stack.enter_async_context(peer.stream)
        ann = peers[0]
        await ann.ask("open", game="ikasamage", seats=3, clock={"main": 0, "increment": 1.0})
        for peer in peers[1:]:
            await peer.ask("join", table="t1")
        await ann.ask("start", table="t1")
        await ann.ask("clock", table="t1")
        await stand_still(process, 2.0)
        late, left = await judged(ann)
    assert not late
    assert left > 0


async def stand_still(process: int, seconds: float) -> None:
    """Stops the process for longer than a decision may take. What is tested is real time, so real time passes."""
    os.kill(process, signal.SIGSTOP)
    try:
        await trio.to_thread.run_sync(os.waitid, os.P_PID, process, os.WSTOPPED | os.WNOWAIT)
        await trio.sleep(seconds)
    finally:
        os.kill(process, signal.SIGCONT)


async def judged(ann: Peer) -> tuple[bool, float]:
    """Whether anybody was told to be late, and the most time that a seat has left, as soon as one of them is so."""
    for _ in range(5_000):
        clocks = (await ann.ask("clock", table="t1"))["clocks"]
        told = (await ann.ask("log", table="t1"))["messages"]
        late, left = any(message["type"] == "late" for message in told), max(one.get("left", 0) for one in clocks)
        if late or left > 0:
            return late, left
    raise AssertionError("neither was the time given back nor did it run out")
