"""A server that is to stop while thousands sit idle there, on a machine that has other work."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress

import pytest

from tests.attacks.hall import Hall
from tests.attacks.peer import Peer

BUSY = 4  # other processes that compute without end
SECONDS = 10.0


@pytest.fixture
def descriptors() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@contextmanager
def busy_machine() -> Iterator[None]:
    children = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY)]
    try:
        yield
    finally:
        for child in children:
            child.kill()
            child.wait()


def goodbye(peer: Peer) -> str:
    """Why the connection ended, as it was told; "" if it was not."""
    peer.sock.settimeout(1)
    reason = ""
    with suppress(OSError):
        while True:
            for heard in peer.receive():
                reason = heard.get("reason", reason)
    return reason


@pytest.mark.parametrize("sessions", [200, pytest.param(4_000, marks=pytest.mark.soak)])
def test_b21_a_server_with_idle_sessions_ends_soon_on_a_busy_machine_and_loses_nothing(
    descriptors: None, sessions: int
) -> None:
    with ExitStack() as stack:
        hall = Hall()
        stack.callback(hall.close)
        idle = [Peer(hall.port, f"idle{number}", f"127.0.1.{1 + number // 250}") for number in range(sessions)]
        player = Peer(hall.port, "player", "127.0.0.2")
        table = player.must("open", game="ikasamage", seats=3)["info"]["table"]
        for _ in range(2):
            player.must("add", table=table, bot="random")
        player.must("start", table=table)
        with busy_machine():
            begun = time.monotonic()
            hall.stop(signal.SIGTERM, SECONDS)
            assert time.monotonic() - begun < SECONDS
        told = [goodbye(peer) for peer in (*idle, player)]
        assert told == ["shutdown"] * len(told)
        for peer in (*idle, player):
            peer.close()
        hall.start()

        def come(name: str) -> Peer:
            return stack.enter_context(closing(Peer(hall.port, name, "127.0.0.2")))

        again = come("someone")
        assert [each["state"] for each in again.must("tables")["tables"]] == ["playing"]
        for number in (0, sessions // 2, sessions - 1):
            assert come(f"idle{number}").welcome["code"] == "name_taken"
