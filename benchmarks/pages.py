"""Pages for browsers: the server's CPU time for a decision on a page, and many pages that watch one table."""

from __future__ import annotations

import html
import json
import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from benchmarks.child import ServerProcess, connect, server
from benchmarks.figure import Figure
from benchmarks.load import SEATS, Tables
from benchmarks.run import Run
from benchmarks.typist import Typist
from games.registry import all_games
from protocol.proof import token_key

ROUNDS, SECONDS, WARM_UP = 5, 1.0, 1.0
TARGET = 5.0  # milliseconds of CPU time for a decision
WATCHED_TABLES, WATCHERS, WATCHED_GAME = 10, 200, "ikasamage"
LEAST_RATE = 2 / 3  # of the decisions without pages that watch
_TAG, _ACTION = re.compile(r"<[^>]*>"), re.compile(r'data-line="([^"]*)" data-why="1"')
_TABLE = re.compile(r"(t[0-9]+) +\S+, (open|playing)")


def figures() -> Iterator[Figure]:
    """Yields the CPU time of a decision in each game, by pages and by telnet, and the effect of pages that watch."""
    for game in sorted(all_games()):
        pages, typed = list(_rounds(game, PagePlayer)), list(_rounds(game, Typist))
        cost, beside = ([run.cpu_each * 1e3 / SEATS for run in runs] for runs in (pages, typed))
        yield Figure(f"{game}: server CPU a decision, for each page", "ms", cost, "less", "telnet", beside, TARGET)
    alone, watched = list(_watched(0)), list(_watched(WATCHERS))
    yield Figure(
        f"{WATCHED_TABLES} tables, {WATCHERS} pages watch one: decisions",
        "/s",
        [run.rate for run in watched],
        "more",
        "no pages",
        [run.rate for run in alone],
        LEAST_RATE,
        target_is_ratio=True,
        wall=True,
    )


def _rounds(game: str, kind: type[Typist]) -> Iterator[Run]:
    with ExitStack() as stack:
        tables = Tables(stack.enter_context(server("pages")), 1, "text", game, kind)
        stack.callback(tables.close)
        for number in range(ROUNDS):
            yield tables.run(SECONDS, 0.0 if number else WARM_UP)


def _watched(pages: int) -> Iterator[Run]:
    with ExitStack() as stack:
        process = stack.enter_context(server("pages"))
        tables = Tables(
            process,
            WATCHED_TABLES,
            "msgpack",
            WATCHED_GAME,
            patient=True,
            spectators=pages,
            spectator=WatchingPage,
        )
        stack.callback(tables.close)
        for number in range(ROUNDS):
            yield tables.run(SECONDS, 0.0 if number else 2 * WARM_UP)


class PagePlayer(Typist):
    """A player on a page, which types one of the lines that its buttons hold as soon as the page asks."""

    _frames = b""
    _lines: Sequence[str] = ()  # of the buttons that decide

    @classmethod
    def connect(cls, process: ServerProcess, source: str = "") -> socket.socket:
        """Returns a new WebSocket connection to the server's pages, after its handshake."""
        sock = connect(process.web_port, source)
        sock.setblocking(True)
        sock.sendall(
            b"GET /play HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n"
            b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            % (process.web_port, process.web_port)
        )
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += sock.recv(1)
        assert b" 101 " in head, head
        sock.setblocking(False)
        return sock

    def _type(self, line: str) -> None:
        for part in line.encode().split(b"\n"):
            size = bytes([128 + len(part)]) if len(part) < 126 else b"\xfe" + len(part).to_bytes(2, "big")
            self.sock.send(b"\x81" + size + bytes(4) + part)  # a masked text frame whose mask is 0 (RFC 6455, 5.2)

    def read(self) -> None:
        self._frames += self._receive()
        while (size := _frame_size(self._frames)) is not None:
            head, whole = size
            frame, self._frames = self._frames[head:whole], self._frames[whole:]
            for line in frame.splitlines():
                self._show(json.loads(line))

    def ask(self, kind: str, **fields: object) -> None:
        if kind == "hello":
            self._type(json.dumps({"type": kind, "id": 1, "name": self.name, "key": token_key(self.name).hex()}))
        elif kind == "watch":
            self._type(f"watch {fields['table']}")
        else:
            super().ask(kind, **fields)

    def _show(self, parts: dict[str, object]) -> None:
        for row in str(parts.get("log", "")).split("</div>"):
            self._read_row(_TAG.sub("", row))
        if "choices" in parts:
            self._lines = _ACTION.findall(str(parts["choices"]))
        if ("board" in parts or "question" in parts) and self._lines and not self._waiting:
            self._waiting = True
            self.accepted += 1  # a button's line is legal
            self._type(html.unescape(self._lines[self._chance() % len(self._lines)]))

    def _read_row(self, row: str) -> None:
        self._waiting = self._waiting and not row
        if row.startswith("! "):
            self.accepted -= 1
        elif row.startswith(("Welcome, ", "The match is over. ")):
            self.wake(self, "")
        elif row.startswith("You have seat ") and self._open:
            self.wake(self, self._table.decode())
        elif found := _TABLE.match(row):
            self._table, self._open = found[1].encode(), found[2] == "open"


class WatchingPage(PagePlayer):
    """A spectator's page: it only reads."""

    def _show(self, parts: dict[str, object]) -> None:
        pass


def _frame_size(data: bytes) -> tuple[int, int] | None:
    """Returns where the content of the first WebSocket frame begins and ends, or None if it is not all there."""
    if len(data) < 2:
        return None
    length, head = data[1] & 127, 2
    if length > 125:
        head = 4 if length == 126 else 10
        length = int.from_bytes(data[2:head], "big")
    return (head, head + length) if len(data) >= head + length else None
