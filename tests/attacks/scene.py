"""What an attack has in hand: where the server is, which part it plays, how long it goes on, what it has got so far."""

from __future__ import annotations

import json
import select
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from tests.attacks.peer import Peer, dial

SECONDS = 7.5  # of attack; the victim's moves and the sleeper's decision end within

Script: TypeAlias = Callable[[int], Iterator[bytes]]
"""What the connection with that number writes, block by block."""


@dataclass(frozen=True)
class Attack:
    """One attack. `processes` run it side by side; `ceiling` is by how many MiB the server's memory may grow meanwhile,
    `keeps` how many of these it may still need when the attackers are gone, for what is to be kept by right. `p99` and
    `worst` are how many milliseconds the victim's moves may take."""

    name: str
    about: str
    run: Callable[[Scene], None]
    processes: int
    ceiling: float
    keeps: float
    p99: float
    worst: float


def attack(
    *, processes: int = 1, ceiling: float = 64, keeps: float = 0, p99: float = 10.0, worst: float = float("inf")
) -> Callable[[Callable[[Scene], None]], Attack]:
    """Makes an attack of a function: its name, and what its docstring says."""

    def made(run: Callable[[Scene], None]) -> Attack:
        about = " ".join((run.__doc__ or "").split())
        return Attack(run.__name__.replace("_", "-"), about, run, processes, ceiling, keeps, p99, worst)

    return made


class Scene:
    """One attacking process. It prepares, calls `ready`, and attacks while `going`."""

    def __init__(self, port: int, part: int, seconds: float) -> None:
        self.port, self.part = port, part
        self.done: Counter[str] = Counter()  # shown by the second
        self.held: Counter[str] = Counter()  # shown as it is
        self._seconds = seconds
        self._until = float("inf")
        self._kept: list[object] = []  # connections that stay until everybody may leave

    def ready(self) -> None:
        """Everything is prepared; returns when all may begin."""
        print("ready", flush=True)
        sys.stdin.readline()
        self._until = time.monotonic() + self._seconds

    @property
    def going(self) -> bool:
        """Whether the attack goes on."""
        return time.monotonic() < self._until

    def report(self) -> None:
        """Says what the attack got, and keeps its connections until everybody may leave."""
        print(json.dumps({"done": self.done, "held": self.held}), flush=True)
        sys.stdin.readline()

    def crowd(self, count: int, name: str, addresses: int = 250) -> list[Peer]:
        """So many players from so many addresses, or as many as the server takes."""
        peers: list[Peer] = []
        for number in range(count):
            with suppress(OSError):
                peer = Peer(self.port, f"{name}{self.part}x{number}", f"127.0.1.{1 + number % addresses}")
                if peer.welcome["type"] == "welcome":
                    peers.append(peer)
                    continue
            break
        self._kept.append(peers)
        return peers

    def listen(self, socks: Iterable[socket.socket], wanted: bytes = b"", named: str = "heard") -> None:
        """Reads away what comes, and counts what is wanted."""
        poll = select.epoll()
        by_number = {sock.fileno(): sock for sock in socks}
        for number in by_number:
            poll.register(number, select.EPOLLIN)
        while self.going:
            for number, _ in poll.poll(0.1):
                with suppress(OSError):
                    data = by_number[number].recv(262_144)
                    self.done[named] += data.count(wanted) if wanted else len(data)
                    if data:
                        continue
                poll.unregister(number)
                by_number.pop(number).close()

    def flood(
        self,
        connections: int,
        script: Script,
        counted: dict[str, bytes],
        most: int = 10**9,
        beside: Iterable[socket.socket] = (),
        sources: Sequence[str] = ("",),
    ) -> None:
        """So many connections at once, each of which writes its script as fast as the server reads. When a script is at
        its end, or the server has hung up, a new connection begins the next one, until there were `most`. `counted`:
        which answers are worth counting, and how to find them. What comes `beside`, on others, is read away. The
        `sources` are the addresses that connections come from, in turn."""
        poll = select.epoll()
        others = {sock.fileno(): sock for sock in beside}
        for number in others:
            poll.register(number, select.EPOLLIN)
        lines: dict[int, _Line] = {}
        self._kept.append(lines)
        begun = 0
        while self.going:
            while len(lines) < connections and begun < most:
                try:
                    one = _Line(dial(self.port, sources[begun % len(sources)]), script(begun))
                except OSError:
                    self.done["refused connections"] += 1
                    break
                begun += 1
                self.done["connections"] += 1
                lines[one.sock.fileno()] = one
                poll.register(one.sock.fileno(), select.EPOLLIN | select.EPOLLOUT)
            for number, what in poll.poll(0.05):
                if number in others:
                    with suppress(OSError):
                        others[number].recv(262_144)
                    continue
                one = lines[number]
                try:
                    if what & ~select.EPOLLOUT:
                        data = one.sock.recv(262_144)
                        for name, wanted in counted.items():
                            self.done[name] += data.count(wanted)
                        if not data:
                            raise ConnectionResetError
                    if what & select.EPOLLOUT:
                        self.done["bytes"] += one.write()
                        if one.written:
                            poll.modify(number, select.EPOLLIN)
                except BlockingIOError:
                    continue
                except OSError:
                    poll.unregister(number)
                    lines.pop(number).sock.close()


class _Line:
    """One connection of a flood."""

    def __init__(self, sock: socket.socket, script: Iterator[bytes]) -> None:
        sock.setblocking(False)
        self.sock, self._script = sock, script
        self._rest = memoryview(b"")
        self.written = False  # everything; answers may still come

    def write(self) -> int:
        """Writes on; returns how many bytes were taken."""
        if not self._rest:
            block = next(self._script, None)
            if block is None:
                self.written = True
                self.sock.shutdown(socket.SHUT_WR)
                return 0
            self._rest = memoryview(block)
        taken = self.sock.send(self._rest)
        self._rest = self._rest[taken:]
        return taken
