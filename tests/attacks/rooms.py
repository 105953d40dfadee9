"""Rooms where many look on, and requests that have the server look at many."""

from __future__ import annotations

import re
import select
import socket
from collections.abc import Iterator
from contextlib import suppress
from itertools import count

from tests.attacks.peer import Peer, dial, line
from tests.attacks.scene import Scene, attack

LOOKING_ON = 120
ROOMS = 8
GOERS = 20
SEATS_HELD = 64
PROGRAMS = 400
ADDERS = 8
ENTRANTS = 32
TYPISTS = 8
TYPO = b"pawer pawer pawer pawer pawer pawer pawer pawer pawer pawer pawer pawer\r\n"


def _onlookers(scene: Scene, tables: list[str]) -> list[socket.socket]:
    """Spectators of all these tables, from one address."""
    guests = scene.crowd(LOOKING_ON, "guest", addresses=1)
    for guest in guests:
        for table in tables:
            guest.must("watch", table=table)
    scene.held["onlookers"] = len(guests)
    return [guest.sock for guest in guests]


def _tables(owners: list[Peer], each: int, game: str = "magecraft") -> list[str]:
    return [owner.must("open", game=game, seats=4)["info"]["table"] for owner in owners for _ in range(each)]


@attack(ceiling=128, keeps=20)
def coming_and_going(scene: Scene) -> None:
    """Eight open tables with 120 spectators, where twenty others sit down and get up again as fast as they are read."""
    tables = _tables([Peer(scene.port, f"host{number}") for number in range(ROOMS)], 1)
    guests = _onlookers(scene, tables)

    def script(number: int) -> Iterator[bytes]:
        table = tables[number % len(tables)]
        yield line("hello", 1, name=f"goer{number}")
        for start in count(2, 100):
            yield b"".join(line(("join", "leave")[each % 2], each, table=table) for each in range(start, start + 100))

    scene.ready()
    scene.flood(GOERS, script, {"joined": b'"type":"table"'}, beside=guests)


@attack(ceiling=128, keeps=20)
def coming_back(scene: Scene) -> None:
    """One player with a seat at 64 open tables, each with 120 spectators, who connects again and again."""
    host = Peer(scene.port, "host")
    guests = _onlookers(scene, _tables([host], SEATS_HELD))
    code = str(host.welcome["code"])
    host.close()
    scene.ready()
    while scene.going:
        with suppress(OSError):
            sock = dial(scene.port)
            sock.sendall(line("hello", 1, name="host", code=code))
            data = b""
            while b'"welcome"' not in data and b'"error"' not in data and scene.going:
                data += _what_comes(sock)
                for guest in select.select(guests, [], [], 0)[0]:
                    _what_comes(guest)
            if found := re.search(rb'"code":"([a-z0-9]{10})"', data):
                code = found[1].decode()
                scene.done["came"] += 1
            sock.close()


def _what_comes(sock: socket.socket) -> bytes:
    """What can be read in a moment."""
    return sock.recv(262_144) if select.select([sock], [], [], 0.01)[0] else b""


@attack(ceiling=96)
def mistyping(scene: Scene) -> None:
    """Eight people at terminals, each with a decision to make, who mistype it as fast as they are read."""

    def script(number: int) -> Iterator[bytes]:
        yield f"hello typo{number}\r\nopen magecraft\r\nadd random\r\nstart\r\n".encode()
        while True:
            yield TYPO * 50

    scene.ready()
    scene.flood(TYPISTS, script, {"refused": b"! "})


@attack(ceiling=96, keeps=20)
def bots_that_are_not_there(scene: Scene) -> None:
    """Owners who add a bot that is not there, again and again, where 400 programs have no room."""
    programs = [dial(scene.port, f"127.0.3.{1 + number % 4}") for number in range(PROGRAMS)]
    for number, sock in enumerate(programs):
        hello = line("hello", 1, name=f"prog{number}", bot=True, tables=1, games=["ikasamage"])
        sock.sendall(hello + line("open", 2, game="ikasamage"))
        while b'"re":2' not in sock.recv(262_144):
            pass
    asker = Peer(scene.port, "asker")
    tables = [asker.must("open", game="ikasamage")["info"]["table"] for _ in range(ADDERS)]
    asker.close()

    def script(number: int) -> Iterator[bytes]:
        yield line("hello", 1, name=f"adder{number}") + line("open", 2, game="ikasamage")
        table = int(tables[-1][1:]) + 1 + number
        for start in count(3, 50):
            yield b"".join(line("add", each, table=f"t{table}", bot="nosuch") for each in range(start, start + 50))

    scene.ready()
    scene.flood(ADDERS, script, {"refused": b'"no_such_bot"', "not their own": b'"not_owner"'})


@attack(ceiling=128, keeps=40)
def cups_that_nobody_plays(scene: Scene) -> None:
    """A cup of 32 entrants who are gone, with 120 followers: the house plays all its matches at once."""
    owner = Peer(scene.port, "host", "127.0.1.1")
    owner.must("cup_open", cup="ghosts", game="ikasamage", seats=3, format="round_robin", rounds=600)
    ghosts = scene.crowd(ENTRANTS, "ghost", addresses=1)
    for ghost in ghosts:
        ghost.must("cup_enter", cup="ghosts", tables=64)
    guests = scene.crowd(LOOKING_ON, "guest", addresses=1)
    for guest in guests:
        guest.must("follow", cup="ghosts")
    scene.ready()
    owner.must("cup_start", cup="ghosts")
    for ghost in ghosts:
        ghost.send("cup_drop", cup="ghosts")
    scene.listen([guest.sock for guest in guests], b'"result"', "results heard")
