"""A player in the text face: it types what a person would, as fast as lines come."""

from __future__ import annotations

import re
import time

from benchmarks.load import Player

_TABLE = re.compile(rb"(t[0-9]+) +\S+, (open|playing)")
_AGAIN = re.compile(rb"([0-9]+) is: ")
_LINES = {
    "hello": "hello {name}\nbrief on",
    "open": "open {game} {seats}",
    "join": "join {table}",
    "start": "start",
}


class Typist(Player):
    """Decides by number: a small one by chance, and 1 if there is none such."""

    _table = b""
    _open = False
    _waiting = False

    def ask(self, kind: str, **fields: object) -> None:
        self._type(_LINES[kind].format(**fields))

    def _type(self, line: str) -> None:
        self.sock.send(line.encode() + b"\n")

    def read(self) -> None:
        data = self._receive()
        *lines, self._buffer = (self._buffer + data).split(b"\r\n")
        for line in lines:
            self._hear(line)

    def _hear(self, line: bytes) -> None:
        if self._waiting and not line.startswith(b"! ") and not _AGAIN.match(line):
            self._waiting = False
            self.latencies.append(time.perf_counter() - self.sent_at)
            self.accepted += 1
        if asked := _AGAIN.match(line):  # a number without its list is asked about
            self._type(asked[1].decode())
        elif line.startswith(b"> "):
            self._decide(1 + self._chance() % 8)
        elif line.startswith(b"! "):
            self._decide(1)
        elif line.startswith((b"Welcome, ", b"The match is over. ")):
            self.wake(self, "")
        elif line.startswith(b"You have seat ") and self._open:
            self.wake(self, self._table.decode())
        elif found := _TABLE.match(line):
            self._table, self._open = found[1], found[2] == b"open"

    def _decide(self, number: int) -> None:
        self._waiting = True
        self.sent_at = time.perf_counter()
        self._type(str(number))
