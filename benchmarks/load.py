"""The load: one epoll loop that plays any number of tables as fast as the server lets it."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable

import msgspec

from benchmarks.child import ServerProcess, connect
from benchmarks.run import Run

SEATS = 4


class Told(msgspec.Struct):
    """The few fields that a minimal bot reads."""

    type: str
    table: str = ""
    turn: msgspec.Raw = msgspec.Raw()
    legal: list[msgspec.Raw] = []
    info: msgspec.Raw = msgspec.Raw()
    code: str = ""


class Info(msgspec.Struct):
    """A table's id and state."""

    table: str
    state: str


class Player:
    """One connection in the JSON or msgpack face: answers each turn with a legal action."""

    def __init__(
        self, sock: socket.socket, face: str, name: str, game: str, wake: Callable[[Player, str], None]
    ) -> None:
        self.sock, self.face, self.name, self.game = sock, face, name, game
        self.wake = wake
        self.sent_at = 0.0
        self.accepted = 0
        self.latencies: list[float] = []
        self.received = 0
        self._buffer = b""
        self._greeted = False
        self._id = 0
        self._pick = 7 + len(name)
        self._binary = face == "msgpack"
        self._encode = msgspec.msgpack.encode if self._binary else msgspec.json.encode
        self._decode = (msgspec.msgpack if self._binary else msgspec.json).Decoder(Told).decode
        self._info = (msgspec.msgpack if self._binary else msgspec.json).Decoder(Info).decode

    @classmethod
    def connect(cls, process: ServerProcess, source: str = "") -> socket.socket:
        """Returns a new connection to the server, from the address `source` if one is given."""
        return connect(process.port, source)

    def ask(self, kind: str, **fields: object) -> None:
        """Sends a request."""
        self._id += 1
        body = self._encode({"type": kind, "id": self._id, **fields})
        self.sock.send(len(body).to_bytes(4, "big") + body if self._binary else body + b"\n")

    def read(self) -> None:
        """Handles everything that has come."""
        self._buffer += self._receive()
        if not self._greeted:
            if b"\n" not in self._buffer:
                return
            self._buffer = self._buffer.partition(b"\n")[2]
            self._greeted = True
        skipped, accepted = (b"\xa4type\xa5event", b"\xa4type\xa8accepted")
        if not self._binary:
            skipped, accepted = b'"type":"event"', b'"type":"accepted"'
        for body in self._bodies():
            if body.startswith(skipped, 1):
                continue
            if body.startswith(accepted, 1):
                self.latencies.append(time.perf_counter() - self.sent_at)
                self.accepted += 1
            else:
                self._take(self._decode(body))

    def _receive(self) -> bytes:
        data = self.sock.recv(262_144)
        if not data:
            raise RuntimeError(f"{self.name}: the server closed the connection")
        self.received += len(data)
        return data

    def _chance(self) -> int:
        """A number that differs each time, and is the same in each run."""
        self._pick = (self._pick * 1103515245 + 12345) % 2**31
        return self._pick >> 8

    def _bodies(self) -> list[bytes]:
        buffer, found = self._buffer, []
        at = 0
        if self._binary:
            while len(buffer) - at >= 4:
                size = int.from_bytes(buffer[at : at + 4], "big")
                if len(buffer) - at - 4 < size:
                    break
                found.append(buffer[at + 4 : at + 4 + size])
                at += 4 + size
            self._buffer = buffer[at:]
        else:
            *found, self._buffer = buffer.split(b"\n")
        return found

    def _take(self, told: Told) -> None:
        kind = told.type
        if kind == "turn":
            action = told.legal[self._chance() % len(told.legal)]
            self.sent_at = time.perf_counter()
            self.ask("act", table=told.table, turn=told.turn, action=action)
        elif kind == "error":
            raise RuntimeError(f"{self.name}: {told.code}")
        elif kind == "table":
            info = self._info(told.info)
            if info.state == "open":
                self.wake(self, info.table)
        elif kind in ("over", "welcome"):
            self.wake(self, "")


class Spectator(Player):
    """Reads, and does nothing: the match that it would watch may be over by then."""

    def _take(self, told: Told) -> None:
        pass


class Tables:
    """That many tables of four players, each opened again as soon as its match is over."""

    def __init__(
        self,
        process: ServerProcess,
        tables: int,
        face: str,
        game: str,
        kind: type[Player] = Player,
        *,
        patient: bool = False,
        spectators: int = 0,
        spectator: type[Player] = Spectator,
    ) -> None:
        self._process = process
        self._poll = select.epoll()
        self._players: dict[int, Player] = {}
        self._groups: dict[str, list[Player]] = {}
        self._ready: dict[int, int] = {}
        for table in range(tables):
            group: list[Player] = []
            for seat in range(SEATS):
                sock = kind.connect(process)
                player = kind(sock, face, f"b{table}x{'abcd'[seat]}{face}", game, self._wake)
                group.append(player)
                self._players[sock.fileno()] = player
                self._groups[player.name] = group
                self._poll.register(sock.fileno(), select.EPOLLIN)
                hear = {"hear": "with_turn"} if patient else {}
                player.ask("hello", name=player.name, bot=True, session="load", **hear)
            self._ready[id(group)] = 0
        self._watched = self._groups[next(iter(self._players.values())).name]
        self._spectators: list[Player] = []
        for number in range(spectators):
            sock = spectator.connect(process, f"127.0.0.{2 + number % 100}")  # more than one address may have places
            self._spectators.append(spectator(sock, face, f"s{number}", game, lambda _player, _table: None))
            self._poll.register(sock.fileno(), select.EPOLLIN)
            self._spectators[-1].ask("hello", name=f"s{number}", session="load")
        self._reads = self._players | {one.sock.fileno(): one for one in self._spectators}

    def _wake(self, player: Player, table: str) -> None:
        group = self._groups[player.name]
        if table:
            place = group.index(player) + 1
            if place < SEATS:
                group[place].ask("join", table=table)
            else:
                group[0].ask("start", table=table)
                for spectator in self._spectators if group is self._watched else ():
                    spectator.ask("watch", table=table)
            return
        self._ready[id(group)] += 1
        if self._ready[id(group)] == SEATS:
            self._ready[id(group)] = 0
            group[0].ask("open", game=player.game, seats=SEATS, clock={"main": 3600.0, "increment": 60.0})

    def run(self, seconds: float, warm_up: float) -> Run:
        """Plays for that long after a warm-up, which also takes what came since the round before."""
        players = self._players
        self._loop(warm_up)
        for player in players.values():
            player.accepted, player.received, player.latencies = 0, 0, []
        before = self._process.usage()
        begun = time.perf_counter()
        self._loop(seconds)
        took = time.perf_counter() - begun
        after = self._process.usage()
        return Run(
            done=sum(player.accepted for player in players.values()),
            seconds=took,
            latencies=[latency for player in players.values() for latency in player.latencies],
            cpu=after.cpu - before.cpu,
            commits=after.commits - before.commits,
            written=after.written - before.written,
            received=sum(player.received for player in players.values()),
        )

    def _loop(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        poll, reads = self._poll.poll, self._reads
        while time.perf_counter() < end:
            for number, _ in poll(0.1):
                reads[number].read()

    def close(self) -> None:
        """Leaves."""
        for player in self._reads.values():
            player.sock.close()
        self._poll.close()
