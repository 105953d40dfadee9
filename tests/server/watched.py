"""A client of one of two worlds, which keeps all that it was sent; and what its server logs and does meanwhile."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from games.api import Game, to_map
from protocol.proof import key, proof
from tests.helpers.chance import CODE, TOKEN
from tests.helpers.hall import Hall
from tests.helpers.streams import MemoryStream
from tests.helpers.wire import Face, encoded

ROOT = Path(__file__).parents[2]
OURS = tuple(f"tests/server/{name}.py" for name in ("watched", "world", "two_worlds", "forked"))
NOT_COUNTED = tuple(str(ROOT / part) for part in (".venv", "games", "tests/helpers", *OURS))


@dataclass
class Ledger:
    """What one server wrote into its log, and how many lines of code it ran outside the game's engine."""

    log: bytearray = field(default_factory=bytearray)
    lines: int = 0

    @contextmanager
    def open(self) -> Iterator[None]:
        """Tasks that are started meanwhile, and by those in turn, write here."""
        token = _CURRENT.set(self)
        try:
            yield
        finally:
            _CURRENT.reset(token)


_CURRENT: ContextVar[Ledger] = ContextVar("ledger")  # of the server whose task runs


class _Writer(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        ledger = _CURRENT.get(None)
        if ledger is not None:
            ledger.log += f"{record.name}: {self.format(record)}\n".encode()


@contextmanager
def logs_recorded() -> Iterator[None]:
    """Every server's log goes into its ledger."""
    logger, writer = logging.getLogger("magehall"), _Writer()
    before = logger.level
    logger.addHandler(writer)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.removeHandler(writer)
        logger.setLevel(before)


@contextmanager
def work_counted() -> Iterator[None]:
    """Every line of ours that a server runs is counted in its ledger; what the game's engine does is not."""
    counted: dict[str, bool] = {}

    def lines(_frame: FrameType, event: str, _arg: object) -> Any:
        if event == "line":
            ledger = _CURRENT.get(None)
            if ledger is not None:
                ledger.lines += 1
        return lines

    def calls(frame: FrameType, _event: str, _arg: object) -> Any:
        path = frame.f_code.co_filename
        if path not in counted:
            counted[path] = path.startswith(f"{ROOT}/") and not path.startswith(NOT_COUNTED)
        return lines if counted[path] else None

    before = sys.gettrace()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("server.slices.perf_counter", lambda: 0.0)  # real time decides who is served next,
        # and so does the order of tasks, which trio draws
        patch.setattr("trio._core._run._r", SimpleNamespace(random=lambda: 1.0, shuffle=lambda _tasks: None))
        sys.settrace(calls)
        try:
            yield
        finally:
            sys.settrace(before)


class Client:
    """A client in one of the faces; `shown` holds every byte it ever got, over all its connections."""

    def __init__(self, hall: Hall, name: str, face: Face, game: Game, ledger: Ledger) -> None:
        self.hall, self.name, self.face, self._game, self._ledger = hall, name, face, game, ledger
        self.shown = bytearray()
        self._id = 0
        self._stream: MemoryStream
        self._scope = trio.CancelScope()

    async def connect(self, *, again: bool = False) -> None:
        """A new connection and a hello."""
        with self._ledger.open():
            self._stream, self._scope = self.hall.dial(), trio.CancelScope()
        self.hall.nursery.start_soon(self._record, self._stream, self._scope)
        if self.face == "text":
            await self.line(f"hello {self.name} {CODE}" if again else f"hello {self.name}")
        else:
            fields = {"proof": proof(TOKEN, TOKEN, self.name)} if again else {"key": key(TOKEN).hex()}
            hear = "with_turn" if self.face == "msgpack" else "live"
            await self.ask("hello", name=self.name, wants=("view", "legal", "knowledge"), hear=hear, **fields)

    async def cut(self) -> None:
        """The connection is gone."""
        self._scope.cancel()
        await trio.aclose_forcefully(self._stream)
        await trio.testing.wait_all_tasks_blocked()

    async def _record(self, stream: trio.abc.Stream, scope: trio.CancelScope) -> None:
        with scope:
            try:
                while data := await stream.receive_some(65_536):
                    self.shown += data
            except trio.BrokenResourceError:
                return

    async def line(self, text: str) -> None:
        self._stream.send_now(encoded("text", text))
        await trio.testing.wait_all_tasks_blocked()

    async def ask(self, kind: str, **fields: Any) -> None:
        """A request, in this client's face; what has no words for people is not asked there."""
        self.put(kind, **fields)
        await trio.testing.wait_all_tasks_blocked()

    def put(self, kind: str, **fields: Any) -> None:
        """A request that nobody waits for."""
        if self.face == "text":
            typed = self._typed(kind, fields)
            if typed:
                self._stream.send_now(encoded("text", typed))
            return
        self._id += 1
        plain = {"type": kind, "id": self._id, **fields}
        if "action" in plain:
            plain["action"] = to_map(plain["action"])
        self._stream.send_now(encoded(self.face, plain))

    def _typed(self, kind: str, fields: dict[str, Any]) -> str:
        match kind:
            case "open":
                later = f" delay={fields['delay']}s" if fields.get("delay") else ""
                return f"open {fields['game']} {fields['seats']}{later}"
            case "act":
                return self._game.words.write(fields["action"])
            case "why":
                return "why " + self._game.words.write(fields["action"])
            case "join" | "watch":
                return f"{kind} t1"
            case "say":
                return f"say {fields['text']}"
            case "log":
                return f"log {fields.get('after', 0)}"
            case "replay":
                return "replay t1"
            case "resume":
                return ""
        return kind
