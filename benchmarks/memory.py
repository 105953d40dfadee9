"""What an idle session, an open table, a running match and a finished one take of the server's resident memory."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

from benchmarks.child import ServerProcess, server
from benchmarks.figure import Figure

ROUNDS = 3
SESSIONS = 2_000
TABLES = 400
GAME = "ikasamage"


def figures() -> Iterator[Figure]:
    """Each from a new server in each round."""
    rounds = [_round() for _ in range(ROUNDS)]
    for name, target in (("an idle session", 8), ("an open table", None), ("a running match", None)):
        yield Figure(f"memory of {name}", "KiB", [one[name] for one in rounds], "less", target=target)
    finished = [_finished() for _ in range(ROUNDS)]
    yield Figure("memory of a finished match", "KiB", finished, "less")


class Person:
    """A connection in the JSON face that asks, and waits for the answer."""

    def __init__(self, process: ServerProcess, name: str) -> None:
        self._sock = socket.create_connection(("127.0.0.1", process.port))
        self._file = self._sock.makefile("rb")
        self._file.readline()
        self._last = 0
        self.ask("hello", name=name)

    def ask(self, kind: str, **fields: object) -> dict[str, object]:
        """The answer; what is told before it is read and dropped."""
        self._last += 1
        self._sock.sendall(json.dumps({"type": kind, "id": self._last, **fields}).encode() + b"\n")
        while True:
            told: dict[str, object] = json.loads(self._file.readline())
            if told.get("re") == self._last:
                if told["type"] == "error":
                    raise RuntimeError(str(told["text"]))
                return told

    def hear(self, kind: str) -> None:
        """Until something of that type is told."""
        while json.loads(self._file.readline())["type"] != kind:
            pass

    def open(self) -> str:
        """A table of the game with house bots on all other seats."""
        info = self.ask("open", game=GAME)["info"]
        assert isinstance(info, dict)
        for _ in info["seats"][1:]:
            self.ask("add", table=info["table"], bot="random")
        return str(info["table"])

    def close(self) -> None:
        """Leaves."""
        self._file.close()
        self._sock.close()


def _round() -> dict[str, float]:
    """KiB of each, one on top of the other."""
    with server("keeping") as process:
        warm = Person(process, "warm")
        warm.ask("start", table=warm.open())
        before = process.usage().memory
        people = [Person(process, f"p{number}") for number in range(SESSIONS)]
        idle = process.usage().memory
        tables = [person.open() for person in people[:TABLES]]
        opened = process.usage().memory
        for person, table in zip(people, tables, strict=False):
            person.ask("start", table=table)
            person.hear("turn")
        running = process.usage().memory
        for person in [warm, *people]:
            person.close()
    return {
        "an idle session": (idle - before) / SESSIONS,
        "an open table": (opened - idle) / TABLES,
        "a running match": (running - opened) / TABLES,
    }


def _finished() -> float:
    """KiB of a match that was played to its end and can still be asked for."""
    with server("keeping") as process:
        person = Person(process, "ann")

        def play() -> None:
            table = person.open()
            person.ask("start", table=table)
            person.ask("resign", table=table)
            person.hear("over")

        play()
        before = process.usage().memory
        for _ in range(TABLES):
            play()
        after = process.usage().memory
        person.close()
    return (after - before) / TABLES
