"""A server process that is stopped for a while charges nobody for it."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack

import pytest


@pytest.fixture
def hall() -> Iterator[tuple[subprocess.Popen[str], int]]:
    child = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.server_process", "hall"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    yield child, int(child.stdout.readline())
    child.kill()
    child.communicate()


def test_e08_a_stopped_server_gives_the_time_back(hall: tuple[subprocess.Popen[str], int]) -> None:
    child, port = hall
    with ExitStack() as open_now:
        peers = []
        for name in ("ann", "ben", "cat"):
            sock = open_now.enter_context(socket.create_connection(("127.0.0.1", port)))
            file = open_now.enter_context(sock.makefile("rw"))
            file.readline()
            ask(file, {"type": "hello", "id": 1, "name": name})
            peers.append(file)
        told, left = stop_and_go_on(child, peers)
    assert not [message for message in told if message["type"] == "late"]
    assert left > 0


def stop_and_go_on(child, peers):  # type: ignore[no-untyped-def]
    """A match during which the server stands still for longer than a decision may take; its log, and the time left."""
    ann = peers[0]
    clock = {"main": 0, "increment": 1.0}
    ask(ann, {"type": "open", "id": 2, "game": "ikasamage", "seats": 3, "clock": clock})
    for peer in peers[1:]:
        ask(peer, {"type": "join", "id": 2, "table": "t1"})
    ask(ann, {"type": "start", "id": 3, "table": "t1"})
    ask(ann, {"type": "clock", "id": 4, "table": "t1"})
    os.kill(child.pid, signal.SIGSTOP)
    try:
        os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WNOWAIT)
        stand_still(2.0)
    finally:
        os.kill(child.pid, signal.SIGCONT)
    for number in range(5, 10_000, 2):
        clocks = ask(ann, {"type": "clock", "id": number, "table": "t1"})["clocks"]
        told = ask(ann, {"type": "log", "id": number + 1, "table": "t1"})["messages"]
        left = max(clock.get("left", 0) for clock in clocks)
        if left > 0 or any(message["type"] == "late" for message in told):
            return told, left
    raise AssertionError("neither was the time given back nor did it run out")


def stand_still(seconds: float) -> None:
    """Lets real time pass: what is tested is real time."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        nobody.listen()
        nobody.settimeout(seconds)
        with pytest.raises(TimeoutError):
            nobody.accept()


def ask(file, request):  # type: ignore[no-untyped-def]
    """The answer to a request; what is told meanwhile is dropped."""
    file.write(json.dumps(request) + "\n")
    file.flush()
    while True:
        message = json.loads(file.readline())
        if message.get("re") == request["id"]:
            return message
