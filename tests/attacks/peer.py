"""One connection for a script that asks and waits, in the JSON face."""

from __future__ import annotations

import socket
from collections import deque
from typing import Any

import msgspec

Heard = dict[str, Any]


def dial(port: int, source: str = "") -> socket.socket:
    """A connected socket; `source` is the loopback address that it comes from, 127.0.0.1 if none is said."""
    sock = socket.socket()
    sock.settimeout(10)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if source:
        sock.bind((source, 0))
    sock.connect(("127.0.0.1", port))
    return sock


def line(kind: str, number: int, **fields: Any) -> bytes:
    """A request in the JSON face."""
    return msgspec.json.encode({"type": kind, "id": number, **fields}) + b"\n"


class Peer:
    """Says hello when it is made. `welcome` is what came back: an error, too. Raises OSError once it is cut off."""

    def __init__(self, port: int, name: str, source: str = "") -> None:
        self.name = name
        self.sock = dial(port, source)
        self._number = 0
        self._buffer = b""
        self._told: deque[Heard] = deque()
        self._greeted = False
        self.welcome = self.ask("hello", name=name)

    def send(self, kind: str, **fields: Any) -> int:
        """Sends a request without waiting; returns its id."""
        self._number += 1
        self.sock.sendall(line(kind, self._number, **fields))
        return self._number

    def ask(self, kind: str, **fields: Any) -> Heard:
        """The answer to a request, error or not. What else comes is kept."""
        number = self.send(kind, **fields)
        answer: Heard = {}
        while not answer:
            for heard in self._read():
                if heard.get("re") == number:
                    answer = heard
                else:
                    self._told.append(heard)
        return answer

    def must(self, kind: str, **fields: Any) -> Heard:
        """The same. Raises Refused for an error."""
        answer = self.ask(kind, **fields)
        if answer["type"] in ("error", "bye"):
            raise Refused(answer.get("code") or answer.get("reason"))
        return answer

    def wait_for(self, kind: str) -> Heard:
        """The next message of that kind; those before it are gone."""
        while True:
            while self._told:
                if (heard := self._told.popleft())["type"] == kind:
                    return heard
            self._told.extend(self._read())

    def receive(self) -> list[Heard]:
        """What was kept; if that is nothing, what one read brings."""
        return self.kept() or self._read()

    def kept(self) -> list[Heard]:
        """What came while something else was waited for."""
        kept, self._told = list(self._told), deque()
        return kept

    def close(self) -> None:
        """Hangs up."""
        self.sock.close()

    def _read(self) -> list[Heard]:
        data = self.sock.recv(262_144)
        if not data:
            raise ConnectionResetError(f"{self.name} was cut off")
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        if lines and not self._greeted:
            self._greeted = True
            del lines[0]
        return [msgspec.json.decode(each) for each in lines]


class Refused(Exception):
    """The server said no; the code is the text."""
