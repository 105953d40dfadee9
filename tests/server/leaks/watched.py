"""A client of one of two worlds, which keeps all that it was sent; and what its server writes and does meanwhile."""

from __future__ import annotations

import io
import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from heapq import heappush
from itertools import count
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any, TextIO

import pytest
import trio
import trio.testing

from games.api import Game, to_map
from protocol.proof import make_proof, token_key
from tests.helpers.chance import CODE, TOKEN
from tests.helpers.hall import Hall
from tests.helpers.streams import MemoryStream
from tests.helpers.wire import TYPED, Face, encoded

ROOT = Path(__file__).parents[3]
CHALLENGE = TOKEN  # of all connections
OWN = (
    "watched",
    "world",
    "page_reader",
    "two_worlds",
    "forked",
    "town",
    "twins",
    "probing",
    "gate_scenes",
    "other_secrets",
    "plants",
)
OURS = tuple(f"tests/server/leaks/{name}.py" for name in OWN)
NOT_COUNTED = tuple(str(ROOT / part) for part in (".venv", "games", "examples", "tests/helpers", *OURS))


@dataclass
class Ledger:
    """What one server wrote into its log, and how many lines of code it ran outside the game's engine."""

    log: bytearray = field(default_factory=bytearray)
    lines: int = 0
    busy: float = 0.0  # seconds of a processor, whatever they were spent on
    slept: float = 0.0  # seconds for which the server's process stood still on purpose
    world: int = 0  # of the two that are compared
    writes: list[tuple[float, str, int]] = field(default_factory=list)  # each to whom and how long; 0: its end

    @contextmanager
    def open(self) -> Iterator[None]:
        """Tasks that are started meanwhile, and by those in turn, write here."""
        token = _CURRENT.set(self)
        try:
            yield
        finally:
            _CURRENT.reset(token)


_CURRENT: ContextVar[Ledger] = ContextVar("ledger")  # of the server whose task runs


def this_world() -> int:
    """Which of two worlds runs now; the first one outside of both."""
    ledger = _CURRENT.get(None)
    return 0 if ledger is None else ledger.world


class _Writer(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        ledger = _CURRENT.get(None)
        if ledger is not None:
            ledger.log += f"{record.name}: {self.format(record)}\n".encode()


class _Copied(io.TextIOBase):
    """A standard stream; what a server writes there is kept as well."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        ledger = _CURRENT.get(None)
        if ledger is not None:
            ledger.log += text.encode()
        return self._stream.write(text)

    def flush(self) -> None:
        self._stream.flush()


@contextmanager
def logs_recorded() -> Iterator[None]:
    """All that a server logs, by whatever logger, or prints goes into its ledger."""
    loggers, writer = (logging.getLogger(), logging.getLogger("magehall")), _Writer()
    before = [logger.level for logger in loggers]
    loggers[0].addHandler(writer)
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    try:
        with redirect_stdout(_Copied(sys.stdout)), redirect_stderr(_Copied(sys.stderr)):
            yield
    finally:
        loggers[0].removeHandler(writer)
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


_TIES = count()
_REAL_TIME = time.time


def _virtual_time() -> float:
    """As time.time, going on with trio's clock."""
    try:
        return 1.7e9 + trio.current_time()
    except RuntimeError:  # outside of trio
        return _REAL_TIME()


def _first_come(deadlines: Any, deadline: float, scope: trio.CancelScope) -> None:
    """As Deadlines.add, where the address in memory decides which of two that end at the same moment is first."""
    heappush(deadlines._heap, (deadline, next(_TIES), scope))
    deadlines._active += 1


@contextmanager
def in_order() -> Iterator[None]:
    """Neither real time decides who is served next, nor the order of tasks, which trio draws."""
    with pytest.MonkeyPatch.context() as patch:
        for name, module in list(sys.modules.items()):
            if name.startswith("server.") and hasattr(module, "perf_counter"):
                patch.setattr(module, "perf_counter", lambda: 0.0)
        patch.setattr("time.time", _virtual_time)
        patch.setattr("trio._core._run._r", SimpleNamespace(random=lambda: 1.0, shuffle=lambda _tasks: None))
        patch.setattr("trio._core._run.Deadlines.add", _first_come)
        yield


class BusyCounted(trio.abc.Instrument):
    """What a processor does for each server, down to the work of functions that no line of ours is in."""

    def __init__(self) -> None:
        self._begun = 0.0

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self._begun = time.thread_time()

    def after_task_step(self, task: trio.lowlevel.Task) -> None:
        ledger = task.context.get(_CURRENT)
        if ledger is not None:
            ledger.busy += time.thread_time() - self._begun


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

    def sleep(seconds: float) -> None:
        ledger = _CURRENT.get(None)
        if ledger is not None:
            ledger.slept += seconds

    def calls(frame: FrameType, _event: str, _arg: object) -> Any:
        path = frame.f_code.co_filename
        if path not in counted:
            counted[path] = path.startswith(f"{ROOT}/") and not path.startswith(NOT_COUNTED)
        return lines if counted[path] else None

    before = sys.gettrace()
    with in_order(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("time.sleep", sleep)
        sys.settrace(calls)
        try:
            yield
        finally:
            sys.settrace(before)


class Client:
    """A client in one of the faces; `shown` holds every byte it ever got, over all its connections, and `times` how
    many these were at each moment."""

    def __init__(
        self,
        hall: Hall,
        name: str,
        face: Face,
        game: Game,
        ledger: Ledger,
        address: str | None = None,
        token: str = TOKEN,
        **hello: Any,
    ) -> None:
        self.hall, self.name, self.face, self._game, self._ledger = hall, name, face, game, ledger
        self.address, self.token, self._hello = address, token, hello
        self.shown = bytearray()
        self.times: dict[float, int] = {}
        self._id = 0
        self._stream: MemoryStream
        self._scope = trio.CancelScope()

    @property
    def asked(self) -> int:
        """How many requests it has sent, which is the same in both worlds."""
        return self._id

    async def dial(self) -> None:
        """A new connection; nothing is said."""
        with self._ledger.open():
            self._stream, self._scope = self.hall.dial(self.address, self.face), trio.CancelScope()
        self._stream.notice(lambda size: self._ledger.writes.append((trio.current_time(), self.name, size)))
        self.hall.nursery.start_soon(self._record, self._stream, self._scope)

    async def connect(self, *, again: bool = False) -> None:
        """A new connection and a hello."""
        await self.dial()
        if self.face == "text":
            await self.line(f"hello {self.name} {CODE}" if again else f"hello {self.name}")
        else:
            proves = (
                {"proof": make_proof(self.token, CHALLENGE, self.name)}
                if again
                else {"key": token_key(self.token).hex()}
            )
            fields = {**self._hello, **proves}
            hear = "with_turn" if self.face == "msgpack" else "live"
            await self.ask("hello", name=self.name, wants=("view", "legal", "knowledge"), hear=hear, **fields)

    async def cut(self) -> None:
        """The connection is gone."""
        self._scope.cancel()
        await trio.aclose_forcefully(self._stream)
        await trio.testing.wait_all_tasks_blocked()

    async def half_close(self) -> None:
        """Says that nothing more will come."""
        await self._stream.send_eof()

    async def _record(self, stream: trio.abc.Stream, scope: trio.CancelScope) -> None:
        with scope:
            try:
                while data := await stream.receive_some(65_536):
                    self.shown += data
                    self.times[trio.current_time()] = len(self.shown)
            except trio.BrokenResourceError:
                return

    def put_raw(self, data: bytes) -> None:
        """Bytes as they are; for a connection that is closed by now, none."""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            self._stream.send_now(data)

    def put_plain(self, *plain: dict[str, Any]) -> None:
        """Requests in one write; they get their ids here."""
        data = b""
        for one in plain:
            self._id += 1
            data += encoded(self.face, {**one, "id": self._id} if "id" not in one else one)
        self.put_raw(data)

    async def line(self, text: str) -> None:
        self.put_raw(encoded("text", text))
        await trio.testing.wait_all_tasks_blocked()

    async def ask(self, kind: str, **fields: Any) -> None:
        """A request, in this client's face; what has no words for people is not asked there."""
        self.put(kind, **fields)
        await trio.testing.wait_all_tasks_blocked()

    def put(self, kind: str, **fields: Any) -> None:
        """A request that nobody waits for."""
        if self.face in TYPED and kind != "hello":
            typed = self._typed(kind, fields)
            if typed:
                self.put_raw(encoded("text", typed))
            return
        self._id += 1
        plain = {"type": kind, "id": self._id, **fields}
        if "action" in plain:
            plain["action"] = to_map(plain["action"])
        self.put_raw(encoded(self.face, plain))

    def _typed(self, kind: str, fields: dict[str, Any]) -> str:
        match kind:
            case "open":
                later = f" delay={fields['delay']}s" if fields.get("delay") else ""
                return f"open {fields['game']} {fields['seats']}{later}"
            case "act":
                return self._game.words.format_action(fields["action"])
            case "why":
                return "why " + self._game.words.format_action(fields["action"])
            case "join" | "watch":
                return f"{kind} {fields['table']}"
            case "say":
                return f"say {fields['text']}"
            case "tell":
                return f"tell {fields['to']} {fields['text']}"
            case "lang":
                return f"lang {fields['lang']}"
            case "cup_enter":
                return f"enter {fields['cup']}"
            case "follow":
                return f"follow {fields['cup']}"
            case "log":
                return f"log {fields.get('after', 0)}"
            case "replay":
                return f"replay {fields['table']}"
            case "resume":
                return ""
        return kind


def allowance(hall: Hall, name: str) -> dict[str, Any]:
    """What is left of the allowances on which that player's connection draws, and whatever else is counted of it."""
    for session in hall.app.sessions:
        if session.player is not None and session.player.name == name and not session.ended:
            return _numbers(session._account, 3)
    return {}


def _numbers(thing: object, depth: int) -> dict[str, Any]:
    """All numbers in an object of the server, and in those that it holds."""
    kind = type(thing)
    if not kind.__module__.startswith("server.net") and not kind.__module__.startswith("server.token_bucket"):
        return {}
    names = [name for one in kind.__mro__ for name in vars(one).get("__slots__", ())] + list(
        getattr(thing, "__dict__", ())
    )
    found: dict[str, Any] = {}
    for name in names:
        value = getattr(thing, name, None)
        if isinstance(value, int | float):
            found[name] = round(value, 9)
        elif depth:
            found[name] = _numbers(value, depth - 1)
    return found
