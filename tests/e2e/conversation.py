"""Runs the conversations on the pages of the protocol: a client that knows nothing but the page.

A block opens with ```wire json, ```wire text or ```wire hex, and perhaps a word for what went before: `named`, `open`
or `playing` (see Stage). In it, `>` is sent and `<` is received, by Ada or by whoever stands before the sign; a line
that begins with spaces goes on with the one before; `#` is a remark. Received lines come in exactly that order, except
that `...` stands for anything: lines, the rest of a text line, a value, the rest of a list or map. `$word` keeps a
value, `"<= 330.0"` is that number or a smaller one.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import trio

from protocol.proof import token_key
from tests.helpers.peer import Peer
from tests.helpers.wire import CLOSED, Face

ANYTHING = "..."
READY, LAST = 9, 2**53 - 1  # ids of pings: before the block, whose ids begin with 10 then, and after it

_BLOCK = re.compile(r"^```wire (json|text|hex) ?([a-z]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_AT_MOST = re.compile(r"<= [0-9.]+")
_STEP = re.compile(r"([A-Z][a-z]+)?([<>]) ?(.*)")


@dataclass(frozen=True)
class Step:
    who: str
    sent: bool
    text: str


@dataclass(frozen=True)
class Block:
    notation: str  # json, text or hex
    before: str
    steps: tuple[Step, ...]
    line: int

    @property
    def name(self) -> str:
        return f"line {self.line}, {self.notation} {self.before}".rstrip()


def blocks(page: str) -> Iterator[Block]:
    """The page's conversations."""
    for found in _BLOCK.finditer(page):
        line = page.count("\n", 0, found.start()) + 1
        yield Block(found[1], found[2], tuple(_steps(found[3])), line)


def _steps(text: str) -> Iterator[Step]:
    whole = re.sub(r"\n +", " ", text)
    for line in whole.splitlines():
        if not line.startswith("#"):
            found = _STEP.fullmatch(line)
            assert found, f"neither sent nor received: {line}"
            yield Step(found[1] or "Ada", found[2] == ">", found[3])


class Stage:
    """The server's side of a block: makes connections, and plays what the block takes for granted.

    named: Ada has said hello with request 1, with the key of the page's token. open: and opened t1 for three with
    request 2. playing: Bob joined as seat 2 and a house bot as seat 3, the match began, and what was told so far was
    read. Bob's requests were 1 and 2.
    """

    def __init__(self, port: int, face: Face) -> None:
        self._port, self._face = port, face
        self.clients: dict[str, Peer] = {}
        self.everybody: list[Peer] = []  # those whose connection was lost too
        self.kept: dict[str, Any] = {}

    async def run(self, block: Block) -> None:
        """Raises AssertionError where the server does not do what the block says."""
        async with self.played(block.before):
            if block.notation == "hex":
                await self._run_hex(block)
            else:
                await self._run_steps(block)

    @asynccontextmanager
    async def played(self, before: str) -> AsyncIterator[None]:
        """What went before has happened; at the end all connections close."""
        try:
            await self._prepare(before)
            yield
        finally:
            for client in self.clients.values():
                await client.close()

    async def _run_steps(self, block: Block) -> None:
        loose: set[str] = set()
        for step in block.steps:
            client = self.clients.get(step.who) or await self._arrive(step.who, block)
            if step.sent:
                await self._send(client, step)
            elif step.text == ANYTHING:
                loose.add(step.who)
            else:
                await self._expect(client, step, step.who in loose)
                loose.discard(step.who)
        for who, client in self.clients.items():
            if not client.closed:
                rest = await client.flush(LAST)
                assert who in loose or not rest, f"{who} also received {rest}"

    async def _arrive(self, who: str, block: Block) -> Peer:
        """A new connection; the greeting is passed over unless the block shows it."""
        client = await self._connect(who)
        first = next((step.text for step in block.steps if step.who == who and not step.sent), "")
        if not first.startswith("magehall"):
            await client.receive()
        return client

    async def _connect(self, who: str) -> Peer:
        client = Peer(await trio.open_tcp_stream("127.0.0.1", self._port), self._face)
        self.clients[who] = client
        self.everybody.append(client)
        return client

    async def _send(self, client: Peer, step: Step) -> None:
        if step.text == "(closes)":
            await client.close()
            del self.clients[step.who]
        elif step.text == "(ends)":
            await client.end()
        elif client.face == "text":
            await client.send(self._filled(step.text))
        else:
            await client.send(self._filled(json.loads(step.text)))

    async def _expect(self, client: Peer, step: Step, loose: bool) -> None:
        text = client.face == "text" or not client.greeting
        wanted = step.text if text or step.text == CLOSED else json.loads(step.text)
        passed: list[Any] = []
        while True:
            got = await client.receive()
            if self._fits_line(wanted, got) if text else self._fits(wanted, got):
                break
            passed.append(got)
            if not loose or got == CLOSED:
                raise AssertionError(f"expected {step.text}\nreceived {json.dumps(passed)}")
        if got == CLOSED:
            client.closed = True

    def _fits(self, wanted: Any, got: Any) -> bool:
        if isinstance(wanted, str) and wanted.startswith("$"):
            return bool(self.kept.setdefault(wanted, got) == got)
        if wanted == ANYTHING:
            return True
        if isinstance(wanted, str) and _AT_MOST.fullmatch(wanted):
            return isinstance(got, float) and got <= float(wanted[3:])
        if isinstance(wanted, dict):
            more = ANYTHING in wanted
            named = {key: value for key, value in wanted.items() if key != ANYTHING}
            return (
                isinstance(got, dict)
                and (set(named) <= set(got) if more else set(named) == set(got))
                and all(self._fits(value, got[key]) for key, value in named.items())
            )
        if isinstance(wanted, list):
            if wanted and wanted[-1] == ANYTHING:
                wanted, got = wanted[:-1], got[: len(wanted) - 1] if isinstance(got, list) else got
            return (
                isinstance(got, list)
                and len(wanted) == len(got)
                and all(self._fits(one, other) for one, other in zip(wanted, got, strict=True))
            )
        return bool(wanted == got) and type(wanted) is type(got)

    def _fits_line(self, wanted: str, got: str) -> bool:
        pattern = re.sub(r"\\\$[a-z]+", lambda found: f"(?P<{found[0][2:]}>.+)", re.escape(wanted))
        found = re.fullmatch(pattern.replace(re.escape(ANYTHING), ".*"), got.rstrip())
        if found is None:
            return False
        self.kept.update({f"${key}": value for key, value in found.groupdict().items()})
        return True

    def _filled(self, sent: Any) -> Any:
        """What is sent, with kept values in their places."""
        if isinstance(sent, dict):
            return {key: self._filled(value) for key, value in sent.items()}
        if isinstance(sent, str) and self._face == "text":
            return re.sub(r"\$[a-z]+", lambda found: str(self.kept[found[0]]), sent)
        return self.kept.get(sent, sent) if isinstance(sent, str) else sent

    async def _run_hex(self, block: Block) -> None:
        """Bytes as they are; what follows a semicolon is a remark."""
        client = await self._connect("Ada")
        await client.receive()
        for step in block.steps:
            data = bytes.fromhex(step.text.partition(";")[0])
            if step.sent:
                await client.send_bytes(data)
            else:
                assert (await client.exactly(len(data))).hex(" ") == data.hex(" ")

    async def _prepare(self, before: str) -> None:
        if not before:
            return
        ada = await self._named("Ada")
        if before == "named":
            return
        await self._say(ada, "open ikasamage 3", "open", id=2, game="ikasamage", seats=3)
        if before == "playing":
            bob = await self._named("Bob")
            await self._say(bob, "join t1", "join", id=2, table="t1")
            await self._say(ada, "add greedy", "add", id=3, table="t1", bot="greedy")
            await self._say(ada, "start", "start", id=4, table="t1")
            await bob.flush(READY)
        await ada.flush(READY)

    async def _named(self, who: str) -> Peer:
        client = await self._connect(who)
        await client.receive()
        await self._say(client, f"hello {who}", "hello", id=1, name=who, key=token_key("correct-horse").hex())
        return client

    async def _say(self, client: Peer, line: str, kind: str, **fields: Any) -> None:
        if client.face == "text":
            await client.send(line)
            await client.flush(READY)
        else:
            answer = await client.ask(kind, **fields)
            assert answer["type"] != "error", answer
