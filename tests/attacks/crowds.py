"""More connections, names and guesses than anybody needs."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Iterator
from contextlib import suppress

from tests.attacks.peer import dial, line
from tests.attacks.scene import Scene, attack

NAMES = 20_000
SESSIONS = 2_000
LOGINS = 1_000


@attack(processes=2, ceiling=96, keeps=40)
def taking_names(scene: Scene) -> None:
    """New names from one address, up to 20,000, each on a connection that is closed at once."""

    def script(number: int) -> Iterator[bytes]:
        yield line("hello", 1, name=f"name{scene.part}x{number}")

    scene.ready()
    scene.flood(32, script, {"names": b'"welcome"', "refused": b'"type":"error"'}, most=NAMES // 2)


@attack(processes=2, ceiling=64, keeps=20)
def idle_sessions(scene: Scene) -> None:
    """2,000 sessions that took a name and say nothing more."""
    crowd = scene.crowd(SESSIONS // 2, "idle")
    scene.held["sessions"] = len(crowd)
    scene.ready()
    scene.listen([peer.sock for peer in crowd])


@attack(ceiling=64, keeps=20)
def slow_logins(scene: Scene) -> None:
    """1,000 strangers who type their hello a letter at a time and never end it."""
    strangers: list[socket.socket] = []
    for _ in range(LOGINS):
        with suppress(OSError):
            strangers.append(dial(scene.port))
    scene.held["strangers"] = len(strangers)
    scene.ready()
    while scene.going:
        for stranger in strangers:
            with suppress(OSError):
                scene.done["letters"] += stranger.send(b"h")
        time.sleep(0.5)
    scene.held["still there"] = sum(_lives(stranger) for stranger in strangers)


def _lives(sock: socket.socket) -> bool:
    """Whether the server has not hung up: reads away its greeting, and looks for the end."""
    sock.setblocking(False)
    with suppress(BlockingIOError):
        while sock.recv(4_096):
            pass
        return False
    return True


@attack(processes=2)
def guessing_proofs(scene: Scene) -> None:
    """Guesses at the victim's token, as many on a connection as it allows, on 32 connections at once."""
    guess = {"name": "victim-1", "proof": "0" * 64}

    def script(_number: int) -> Iterator[bytes]:
        yield b"".join(line("hello", number, **guess) for number in range(1, 5))

    scene.ready()
    scene.flood(16, script, {"guesses": b'"bad_proof"'})


@attack(processes=2)
def guessing_codes(scene: Scene) -> None:
    """Guesses at the victim's one-time code by typing, on 32 connections at once."""

    def script(number: int) -> Iterator[bytes]:
        yield b"".join(b"hello victim-1 %d\r\n" % (number + each) for each in range(4))

    scene.ready()
    scene.flood(16, script, {"guesses": b"does not prove"})


@attack()
def connecting_only(scene: Scene) -> None:
    """Connections that are opened and closed without a word."""
    scene.ready()
    poll = select.poll()
    while scene.going:
        with suppress(OSError), dial(scene.port) as sock:
            poll.register(sock, select.POLLIN)
            poll.poll(100)
            poll.unregister(sock)
            scene.done["connections"] += 1
