"""A player's connection to a server, kept up across losses: nothing is missed and nothing is done twice.

A bot's runner and a person's client are both built on it. Requests are answered, or repeated under the same id on the
next connection; numbered messages are told in order, each once, whatever happens to the connections below.
"""

from __future__ import annotations

import math
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal, NoReturn, Protocol, TypeAlias, TypeVar

import trio

from bots.sdk.catch_up import CatchUp
from bots.sdk.tokens import Tokens
from protocol import VERSION
from protocol.connection import NEED_DATA, PEER_CLOSED, ClientConnection, Greeting
from protocol.errors import RemoteProtocolError
from protocol.messages import (
    Bye,
    Error,
    Hello,
    Join,
    Leave,
    Log,
    Message,
    Open,
    Ping,
    Reply,
    Request,
    Resume,
    Resumed,
    Story,
    Watch,
    Watching,
    Welcome,
)
from protocol.proof import proof

READ_BYTES = 65_536
HANDSHAKE_SECONDS = 15.0
QUIET_SECONDS = 45.0  # nothing heard for so long: ask for a sign of life
SIGN_SECONDS = 15.0  # and for so long wait for it
FIRST_WAIT, LONGEST_WAIT = 0.25, 30.0  # between attempts to reconnect, doubled each time
GIVE_UP_SECONDS = 600.0

Dial: TypeAlias = Callable[[], Awaitable[trio.abc.Stream]]
Face: TypeAlias = Literal["json", "msgpack"]
R = TypeVar("R", bound=Reply)


class Refused(Exception):
    """The server refused a request; `error` is its answer."""

    def __init__(self, error: Error) -> None:
        super().__init__(error.text)
        self.error = error


class LinkFailed(Exception):
    """There is no connection and there will be none; the text says why."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection is lost; the next attempt comes in `seconds`."""

    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Back:
    """The connection is there again; what was missed follows."""


@dataclass(frozen=True, slots=True)
class Gone:
    """A table where we sat or watched is no longer there for us."""

    table: str


Heard: TypeAlias = Message | Lost | Back | Gone


class Hearer(Protocol):
    """Who is told what comes, by plain calls from the link's task; both may call `Link.post`."""

    def hear(self, link: Link, message: Heard) -> None:
        """One message that answers no request, in order."""
        ...

    def settled(self, link: Link) -> None:
        """All that has arrived was heard, and nothing missed is still on its way: the moment to think."""
        ...


@dataclass(frozen=True, slots=True)
class Identity:
    """Who says hello. `server` is only the key under which the token is kept: `host:port`."""

    name: str
    server: str = ""
    bot: bool = False
    games: tuple[str, ...] = ()
    client: str = ""


def tcp(host: str, port: int) -> Dial:
    """Connects over TCP. The stream is told not to wait with small packets."""

    async def dial() -> trio.abc.Stream:
        stream: trio.abc.Stream = await trio.open_tcp_stream(host, port)
        return stream

    return dial


@asynccontextmanager
async def open_link(
    dial: Dial,
    identity: Identity,
    tokens: Tokens | None = None,
    *,
    face: Face = "msgpack",
    hearer: Hearer | None = None,
    give_up: float = GIVE_UP_SECONDS,
) -> AsyncIterator[Link]:
    """A link that has said hello; closed when the block is left. Without a hearer, iterate over the link.

    Raises LinkFailed when there is no server or it is none of ours, Refused when it does not take the name.
    """
    link = Link(dial, identity, tokens or Tokens(), face, hearer, give_up)
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        await nursery.start(link._run)
        try:
            link.check()
            yield link
        except Exception as error:  # carried past the nursery, which would wrap it in a group
            failure = error
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure


class Link:
    """Made by `open_link`."""

    def __init__(
        self, dial: Dial, identity: Identity, tokens: Tokens, face: Face, hearer: Hearer | None, give_up: float
    ) -> None:
        self.identity = identity
        self.welcome: Welcome  # the answer to the latest hello
        self.failure: Exception | None = None
        self.closed = trio.Event()  # set with `failure`, when there will be no connection any more
        self._dial, self._tokens, self._face, self._hearer = dial, tokens, face, hearer
        self._give_up = give_up
        self._session = secrets.token_hex(8)
        self._rng = random.Random(self._session)  # only spreads reconnections
        self._last_id = 0
        self._pending: dict[int, tuple[Request, Callable[[Reply], None]]] = {}
        self._connection: ClientConnection | None = None  # None while there is none that has said hello
        self._outbox = bytearray()
        self._flushing = self._reading = False
        self._wake = trio.Event()
        self._attempts = 0  # to connect again, since a connection was of use
        self._up_since = math.inf  # when the latest hello was welcomed
        self._welcomed = False
        self._tables = CatchUp()
        self._told_in, self._told_out = trio.open_memory_channel[Heard](math.inf)

    # -- asking --------------------------------------------------------------------------------------------------------

    async def ask(self, request: Request, answer: type[R]) -> R:
        """Sends a request, whose id the link sets, and returns its answer. Raises Refused, LinkFailed.

        While there is no connection it waits for the next one. If cancelled, the request may still be carried out.
        """
        self.check()
        came = trio.Event()
        replies: list[Reply] = []

        def take(reply: Reply) -> None:
            replies.append(reply)
            came.set()

        self.post(request, take)
        await came.wait()
        self.check()
        reply = replies[0]
        if isinstance(reply, Error):
            raise Refused(reply)
        assert isinstance(reply, answer), reply
        return reply

    def post(self, request: Request, take: Callable[[Reply], None]) -> None:
        """Sends a request without waiting; `take` is called once with the answer, which may be an Error."""
        self._number(request)
        if self._connection is not None:
            self._outbox += self._connection.send(request)
        self._pending[request.id] = (request, take)
        if isinstance(request, Leave):
            self._tables.leave(request.table)  # even if the connection is lost before the answer comes
        if not self._reading:
            self._wake.set()

    # -- hearing, without a hearer -------------------------------------------------------------------------------------

    def __aiter__(self) -> Link:
        return self

    async def __anext__(self) -> Heard:
        """The next message that answers no request. Raises LinkFailed or Refused when no more can come."""
        try:
            return await self._told_out.receive()
        except trio.EndOfChannel:
            self.check()
            raise StopAsyncIteration from None

    def check(self) -> None:
        """Raises why there will be no connection any more, if so."""
        if self.failure is not None:
            raise self.failure

    # -- connections ---------------------------------------------------------------------------------------------------

    async def _run(self, *, task_status: trio.TaskStatus[None]) -> None:
        """The link's task: one connection after the other. Ends by itself only with `failure` set."""
        try:
            lost_since = -math.inf
            while True:
                reason = await self._connect_and_read(task_status)
                now = trio.current_time()
                if now - self._up_since > LONGEST_WAIT:
                    self._attempts = 0
                self._up_since = math.inf
                if self._attempts == 0:
                    lost_since = now
                wait = min(LONGEST_WAIT, FIRST_WAIT * 2**self._attempts) * self._rng.uniform(0.5, 1.0)
                self._attempts += 1
                if now + wait - lost_since > self._give_up:
                    raise LinkFailed(f"The connection is lost ({reason}); no server for {self._give_up:.0f} seconds.")
                self._tell(Lost(reason, wait))
                await trio.sleep(wait)
        except (LinkFailed, Refused) as error:
            self._fail(error)
            if not self._welcomed:
                task_status.started()

    async def _connect_and_read(self, task_status: trio.TaskStatus[None]) -> str:
        """One connection, start to end; returns why it ended."""
        try:
            stream = await self._dial()
        except OSError as error:
            if not self._welcomed:
                raise LinkFailed(f"No server answers at {self.identity.server}: {error}") from None
            return str(error)
        async with stream:
            connection = ClientConnection(self._face)
            try:
                with trio.fail_after(HANDSHAKE_SECONDS):
                    self.welcome = await self._say_hello(stream, connection)
            except (_Ended, trio.TooSlowError) as error:
                reason = str(error) or "no answer to hello"
                if not self._welcomed:
                    raise LinkFailed(f"There is no magehall server at {self.identity.server}: {reason}") from None
                return reason
            first = not self._welcomed
            self._welcomed = True
            self._up_since = trio.current_time()
            self._take_up(connection)
            if first:
                task_status.started()
            end: _Ended | LinkFailed
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._write, stream)
                try:
                    await self._read(stream, connection)
                except (_Ended, LinkFailed) as error:  # carried past the nursery, which would wrap it in a group
                    end = error
                finally:
                    self._connection = None
                    self._reading = False
                nursery.cancel_scope.cancel()
            if isinstance(end, LinkFailed):
                raise end
            return str(end)

    async def _say_hello(self, stream: trio.abc.Stream, connection: ClientConnection) -> Welcome:
        """Takes the name, with a token if there is one. A server that forgot the name gets it anew."""
        greeting = await self._next(stream, connection)
        if not isinstance(greeting, Greeting):
            raise _Ended("it did not greet")
        if greeting.version != VERSION:
            raise LinkFailed(f"The server speaks version {greeting.version} of the protocol, this client {VERSION}.")
        me = self.identity
        token = self._tokens.get(me.server, me.name)
        while True:
            hello = Hello(
                id=1,
                name=me.name,
                session=self._session,
                proof=proof(token, greeting.challenge, me.name) if token else "",
                bot=me.bot,
                games=me.games,
                client=me.client,
            )
            self._number(hello)
            try:
                await stream.send_all(connection.send(hello))
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                raise _Ended("the connection broke") from None
            reply = await self._next(stream, connection)
            if isinstance(reply, Welcome):
                if reply.token:
                    self._tokens.put(me.server, me.name, reply.token)
                return reply
            if not isinstance(reply, Error):
                raise _Ended("it did not answer hello")
            if reply.code == "bad_proof" and token:
                token = ""
            elif self._welcomed and reply.again and reply.code != "name_taken":
                raise _Ended(reply.text)
            else:
                raise Refused(reply)

    def _take_up(self, connection: ClientConnection) -> None:
        """The new connection repeats what was not answered and asks for what was missed."""
        self._connection = connection
        self._outbox.clear()
        self._wake.set()
        if self._attempts:
            self._tell(Back())
        listed = {info.table for info in self.welcome.seats}
        anew = []
        for request, take in list(self._pending.values()):
            unknown = bool(self.welcome.token)  # a server that forgot us has done nothing yet, and counts ids anew
            if unknown or isinstance(request, Open) or (isinstance(request, Join) and request.table not in listed):
                del self._pending[request.id]  # a seat at an open table went with the connection: the old answer
                anew.append((request, take))  # would lie, so this is asked as a new question
            else:
                self._outbox += connection.send(request)
        for request, take in anew:
            self.post(request, take)
        plan = self._tables.reconnected(self.welcome.seats)
        for table in plan.gone:
            self._tell(Gone(table))
        for table, after in plan.resume:
            self._ask_again(Resume(id=1, table=table, after=after), table)
        for table in plan.watch:
            self._ask_again(Watch(id=1, table=table), table)

    def _ask_again(self, request: Request, table: str) -> None:
        """A request that belongs to this connection alone: the next one asks anew."""
        assert self._connection is not None
        self._number(request)
        self._outbox += self._connection.send(request)
        self._tables.asked(request.id, table)

    # -- reading -------------------------------------------------------------------------------------------------------

    async def _read(self, stream: trio.abc.Stream, connection: ClientConnection) -> NoReturn:
        """Takes what comes until the connection ends. Raises _Ended, or LinkFailed when there shall be no other."""
        self._reading = True
        while True:
            try:
                event = connection.next_event()
            except RemoteProtocolError as error:
                raise _Ended(f"the server broke the protocol: {error.text}") from None
            if event is NEED_DATA:
                if self._hearer is not None and not self._tables.behind:
                    self._hearer.settled(self)
                await self._flush(stream)
                self._reading = False
                data = await self._receive(stream)
                self._reading = True
                connection.receive_data(data)
            elif event is PEER_CLOSED:
                raise _Ended("the server closed the connection")
            elif isinstance(event, Reply):
                self._answer(event)
            elif isinstance(event, Bye):
                self._goodbye(event)
            elif isinstance(event, Message):
                try:
                    messages = self._tables.take(event)
                except RemoteProtocolError as error:
                    raise _Ended(error.text) from None
                for message in messages:
                    self._attempts = 0
                    self._tell(message)

    async def _next(self, stream: trio.abc.Stream, connection: ClientConnection) -> object:
        """The next event of the handshake."""
        while True:
            try:
                event = connection.next_event()
            except RemoteProtocolError as error:
                raise _Ended(error.text) from None
            if event is PEER_CLOSED:
                raise _Ended("it closed the connection")
            if event is not NEED_DATA:
                return event
            connection.receive_data(await self._receive(stream))

    async def _receive(self, stream: trio.abc.Stream) -> bytes:
        """Some bytes; after a long silence it asks for a sign of life, so that a dead peer is noticed."""
        try:
            with trio.move_on_after(QUIET_SECONDS):
                return bytes(await stream.receive_some(READ_BYTES))
            if self._connection is not None:
                self.post(Ping(id=1), _ignore)
            with trio.move_on_after(SIGN_SECONDS):
                return bytes(await stream.receive_some(READ_BYTES))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise _Ended("the connection broke") from None
        raise _Ended("the server is silent")

    def _answer(self, reply: Reply) -> None:
        table = self._tables.answers(reply.re)
        if table is not None:
            self._caught_up(reply, table)
            return
        waiting = self._pending.pop(reply.re, None)
        if waiting is not None:
            self._tables.note(reply)
            waiting[1](reply)

    def _caught_up(self, reply: Reply, table: str) -> None:
        """The answer to a question of our own about a table that was taken up again."""
        if isinstance(reply, Resumed):
            self._tables.resumed(reply)
        elif isinstance(reply, Watching):
            if self._tables.watching_again(reply):
                self._ask_again(Log(id=1, table=table, after=self._tables.last(table)), table)
        elif isinstance(reply, Story):
            for message in self._tables.told(reply):
                self._tell(message)
            if reply.more:
                self._ask_again(Log(id=1, table=table, after=self._tables.last(table)), table)
        else:
            self._tables.leave(table)
            self._tell(Gone(table))

    def _goodbye(self, bye: Bye) -> None:
        if bye.reason == "replaced":
            raise LinkFailed(f"Somebody logged in as {self.identity.name} on another connection.")
        if bye.reason == "quit":
            raise LinkFailed(bye.text)
        self._tell(bye)
        raise _Ended(bye.text)

    # -- within --------------------------------------------------------------------------------------------------------

    def _number(self, request: Request) -> None:
        self._last_id += 1
        request.id = self._last_id

    def _tell(self, message: Heard) -> None:
        if self._hearer is not None:
            self._hearer.hear(self, message)
        else:
            self._told_in.send_nowait(message)

    async def _write(self, stream: trio.abc.Stream) -> None:
        """Sends what was posted by other tasks than the reading one."""
        while True:
            await self._wake.wait()
            self._wake = trio.Event()
            await self._flush(stream)

    async def _flush(self, stream: trio.abc.Stream) -> None:
        """Sends the outbox. A failure is left for the reader to find."""
        if self._flushing:
            return
        self._flushing = True
        try:
            while self._outbox:
                data = bytes(self._outbox)
                self._outbox.clear()
                await stream.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            await trio.aclose_forcefully(stream)
        finally:
            self._flushing = False

    def _fail(self, error: Exception) -> None:
        self.failure = error
        self._told_in.close()
        self.closed.set()
        waiting, self._pending = self._pending, {}
        failed = Error(code="internal", text=str(error))
        for _request, take in waiting.values():
            take(failed)


class _Ended(Exception):
    """The connection is over; the text says why. The next one may do better."""


def _ignore(_reply: Reply) -> None:
    pass
