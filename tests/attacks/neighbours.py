"""Floods from the victim's own address, as from behind one router or from other programs of one machine, and from many
addresses at once."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count

from tests.attacks.peer import Peer, Refused, dial, line
from tests.attacks.scene import Scene, attack
from tests.attacks.victim import ADDRESS

P99, WORST = 25.0, 100.0  # milliseconds, at the most
MANY = tuple(f"127.0.3.{number}" for number in range(1, 201))
NAMES = 16  # of each attacker, each with a seat
HELD = 900
LEFT = 225  # tables that each of four leaves behind, a third of them open, running and over each
LEFT_BY_A_NAME = 3


def _ping(_number: int) -> Iterator[bytes]:
    yield line("ping", 1)


def _pinging(scene: Scene, *sources: str) -> None:
    """Connections that ping once and are closed, one after the other."""
    scene.ready()
    scene.flood(1, _ping, {"pings": b'"pong"'}, sources=sources)


@attack(processes=2, p99=P99, worst=WORST)
def two_neighbours_who_connect_and_ping(scene: Scene) -> None:
    """Two at the victim's address who connect, ping and close in a loop."""
    _pinging(scene, ADDRESS)


@attack(processes=4, p99=P99, worst=WORST)
def four_neighbours_who_connect_and_ping(scene: Scene) -> None:
    """Four of them."""
    _pinging(scene, ADDRESS)


@attack(processes=8, p99=P99, worst=WORST)
def eight_neighbours_who_connect_and_ping(scene: Scene) -> None:
    """Eight of them."""
    _pinging(scene, ADDRESS)


@attack(processes=4, p99=P99, worst=WORST)
def pings_from_many_addresses(scene: Scene) -> None:
    """Four who do the same from two hundred addresses in turn, the victim's among them."""
    _pinging(scene, ADDRESS, *MANY)


@attack(processes=4, p99=P99, worst=WORST)
def neighbours_who_prove_wrongly(scene: Scene) -> None:
    """Four at the victim's address who guess at a player's token, eight connections each."""

    def script(_number: int) -> Iterator[bytes]:
        yield line("hello", 1, name="victim-1", proof="0" * 64)

    scene.ready()
    scene.flood(8, script, {"guesses": b'"error"'}, sources=(ADDRESS,))


@attack(processes=4, ceiling=96, keeps=40, p99=P99, worst=WORST)
def neighbours_who_take_names(scene: Scene) -> None:
    """Four at the victim's address who take new names and leave, eight connections each."""

    def script(number: int) -> Iterator[bytes]:
        yield line("hello", 1, name=f"new{scene.part}x{number}")

    scene.ready()
    scene.flood(8, script, {"names": b'"welcome"', "refused": b'"error"'}, sources=(ADDRESS,))


@attack(processes=4, ceiling=96, keeps=20, p99=P99, worst=WORST)
def neighbours_with_seats(scene: Scene) -> None:
    """64 names at the victim's address, each with a seat at a table of its own, who ping as fast as they are read."""

    def script(number: int) -> Iterator[bytes]:
        yield line("hello", 1, name=f"seated{scene.part}x{number}") + line("open", 2, game="ikasamage")
        for start in count(3, 200):
            yield b"".join(line("ping", number) for number in range(start, start + 200))

    scene.ready()
    scene.flood(NAMES, script, {"pings": b'"pong"'}, sources=(ADDRESS,), most=NAMES)


@attack(processes=4, p99=P99, worst=WORST)
def neighbours_who_open_and_leave(scene: Scene) -> None:
    """Four at the victim's address who open a table and leave it, in a loop."""
    player = Peer(scene.port, f"opener{scene.part}", ADDRESS)
    scene.ready()
    _open_and_leave(scene, player)


def _open_and_leave(scene: Scene, player: Peer) -> None:
    """Opens a table and leaves it, again and again."""
    while scene.going:
        with suppress(Refused):
            table = player.must("open", game="ikasamage")["info"]["table"]
            player.must("leave", table=table)
            scene.done["tables"] += 1


@attack(processes=2, ceiling=96, keeps=20, p99=P99, worst=WORST)
def neighbours_who_hold_connections(scene: Scene) -> None:
    """Two at the victim's address who open connections, up to 900 at once each, and say nothing."""
    held: list[socket.socket] = []
    scene.ready()
    while scene.going:
        with suppress(OSError):
            held.append(dial(scene.port, ADDRESS))
            scene.done["connections"] += 1
        if len(held) > HELD:
            held.pop(0).close()
        time.sleep(0.0005)


@attack(processes=4, ceiling=96, keeps=64, p99=P99, worst=WORST)
def neighbours_who_left_tables(scene: Scene) -> None:
    """Four at the victim's address who have left 900 tables there, and open another one and leave it, in a loop."""
    for number in range(0, LEFT, LEFT_BY_A_NAME):
        _leave_tables(scene, f"left{scene.part}x{number}")
    player = Peer(scene.port, f"opener{scene.part}", ADDRESS)
    scene.ready()
    _open_and_leave(scene, player)


def _leave_tables(scene: Scene, name: str) -> None:
    """An open table, one where a match runs, and one where it is over; then the name is gone."""
    while True:
        player = Peer(scene.port, name, ADDRESS)
        if player.welcome["type"] == "welcome":
            break
        time.sleep(0.1)
    for state in ("open", "playing", "over"):
        table = player.must("open", game="ikasamage", seats=3)["info"]["table"]
        scene.held["tables left"] += 1
        if state == "open":
            continue
        for _ in range(2):
            player.must("add", table=table, bot="random")
        player.must("start", table=table)
        if state == "over":
            player.must("close", table=table)
    player.close()
