"""What a match that is long, or watched, or played at many tables at once costs the others."""

from __future__ import annotations

import random
import re
import select
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count

from tests.attacks.peer import Heard, Peer, dial, line
from tests.attacks.scene import Scene, attack

WATCHERS = 40
RUNNING = 64
MOVES_EACH = 25  # made at each of these tables


def victims_table(peer: Peer, state: str = "playing") -> str:
    """The id of the match that the victim plays, or of one that is over."""
    tables = peer.must("tables")["tables"]
    return str(next(each["table"] for each in tables if (each["owner"], each["state"]) == ("victim-1", state)))


@attack(ceiling=96)
def asking_for_a_log(scene: Scene) -> None:
    """Forty spectators who ask for the log of a whole Magecraft match in a loop."""
    player = Peer(scene.port, "player")
    table = player.must("open", game="magecraft", seats=4)["info"]["table"]
    for _ in range(3):
        player.must("add", table=table, bot="random")
    player.must("start", table=table)
    player.send("resign", table=table)  # a house bot plays on, and the match is soon over
    player.wait_for("over")

    def script(number: int) -> Iterator[bytes]:
        yield line("hello", 1, name=f"watcher{number}") + line("watch", 2, table=table)
        for start in count(3, 50):
            yield b"".join(line("log", number, table=table) for number in range(start, start + 50))

    scene.ready()
    scene.flood(WATCHERS, script, {"logs": b'"type":"story"', "errors": b'"type":"error"'})


@attack(ceiling=128, keeps=96)
def resuming_many_tables(scene: Scene) -> None:
    """A name seated at 64 running matches that comes back over telnet again and again with one typed `hello`."""
    name = "returner"
    player = Peer(scene.port, name)
    tables = 0
    for _ in range(RUNNING):
        opened = player.ask("open", game="magecraft", seats=2)
        if opened["type"] == "error":
            break
        table = opened["info"]["table"]
        player.must("add", table=table, bot="random")
        player.must("start", table=table)
        _play(player, MOVES_EACH)
        tables += 1
    code = player.welcome["code"]
    player.close()
    scene.held["tables"] = tables
    scene.ready()
    while scene.going:
        try:
            code = _come_back(scene, name, code, tables)
        except OSError:
            scene.done["refused connections"] += 1
            time.sleep(0.05)


def _play(player: Peer, moves: int) -> None:
    """Makes that many moves at the table just started."""
    for _ in range(moves):
        turn = player.wait_for("turn")
        player.send("act", table=turn["table"], turn=turn["turn"], action=turn["legal"][0])


def _come_back(scene: Scene, name: str, code: str, tables: int) -> str:
    """Logs in by typing and reads until every table was resumed; returns the next code."""
    sock = dial(scene.port)
    try:
        sock.sendall(f"hello {name} {code}\r\n".encode())
        data = b""
        while scene.going and data.count(b"You are back at") < tables:
            more = sock.recv(262_144)
            if not more:
                break
            data += more
        scene.done["resumed tables"] += data.count(b"You are back at")
        found = re.search(rb"come back with: hello \S+ (\S+)", data)
        return found[1].decode() if found else code
    finally:
        sock.close()


@attack(processes=2, ceiling=128, keeps=20)  # 32 finished matches
def deaf_spectators(scene: Scene) -> None:
    """192 spectators who read nothing: 64 at the victim's match, the others at two that are played at full speed."""
    show = Show(scene)
    deaf = [_deaf(scene, number, show.table) for number in range(64)]
    if scene.part:
        victims = victims_table(Peer(scene.port, "scout"))
        deaf += [_deaf(scene, number, victims) for number in range(64, 128)]
    scene.held["deaf"] = len(deaf)
    scene.ready()
    watches = 2
    while scene.going:
        if show.go_on():
            watches += 1
            for sock in deaf[:64]:
                with suppress(OSError):
                    sock.send(line("watch", watches, table=show.table))


def _deaf(scene: Scene, number: int, table: str) -> socket.socket:
    """A spectator who never reads, not even the greeting."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    sock.connect(("127.0.0.1", scene.port))
    sock.sendall(line("hello", 1, name=f"deaf{scene.part}x{number}") + line("watch", 2, table=table))
    sock.setblocking(False)
    return sock


class Show:
    """Two players who play one match after the other; `act` costs nothing of their allowance."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._players = [Peer(scene.port, f"{side}{scene.part}") for side in ("left", "right")]
        self._begin()

    def go_on(self) -> bool:
        """Plays on for a moment; True once a new match has begun."""
        for player in self._players:
            if select.select([player.sock], [], [], 0.001)[0]:
                for heard in player.receive():
                    if self._hear(player, heard):
                        self._begin()
                        return True
        return False

    def _begin(self) -> None:
        owner, other = self._players
        self.table = owner.must("open", game="magecraft", seats=2)["info"]["table"]
        other.must("join", table=self.table)
        owner.must("start", table=self.table)
        for player in self._players:
            for heard in player.receive():
                self._hear(player, heard)

    def _hear(self, player: Peer, heard: Heard) -> bool:
        """Decides at random, so that the match comes to an end; True when it has."""
        if heard["type"] == "turn":
            player.send("act", table=heard["table"], turn=heard["turn"], action=random.choice(heard["legal"]))
            self._scene.done["moves"] += 1
        return heard["type"] == "over" and player is self._players[1]
