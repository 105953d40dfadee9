"""A player's connection to a server, kept up across losses: nothing is missed and nothing is done twice.

A bot's runner and a person's client are both built on it. Requests are answered, or repeated under the same id on the
next connection; numbered messages are told in order, each once, whatever happens to the connections below.
"""

from __future__ import annotations

import math
import random
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import NoReturn, Protocol, TypeAlias, TypeVar

import msgspec
import trio

from bots.language import _
from bots.sdk.connection import Connection, Dial, Ended, Face, Identity, LinkFailed, Refused, plainly, tcp
from bots.sdk.nursery import nursery_for_block
from bots.sdk.repeats import Repeats, for_storage
from bots.sdk.tokens import Tokens
from matches.admission import Gone, Rewound
from matches.catch_up import CatchUp
from protocol.errors import RemoteProtocolError
from protocol.messages import (
    AreYouThere,
    Bye,
    Error,
    Join,
    Leave,
    Left,
    Log,
    Message,
    Open,
    Ping,
    Reply,
    Request,
    Resume,
    Resumed,
    Seated,
    SentAway,
    Story,
    TableChanged,
    TableInfo,
    Watch,
    Watching,
    Welcome,
)
from protocol.messages.asking import EXCHANGES
from protocol.messages.parts import TURNS

__all__ = [
    "Back", "Dial", "Face", "Gone", "Heard", "Hearer", "Identity", "Link", "LinkFailed", "Lost", "Refused", "Rewound",
]  # fmt: skip
__all__ += ["open_link", "tcp"]

HANDSHAKE_SECONDS = 15.0
FIRST_WAIT, LONGEST_WAIT = 0.25, 30.0  # between attempts to reconnect, doubled each time
GIVE_UP_SECONDS = 600.0

R = TypeVar("R", bound=Reply)


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection is lost; the next attempt comes in `seconds`."""

    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Back:
    """The connection is there again; what was missed follows."""


Heard: TypeAlias = Message | Lost | Back | Gone | Rewound


class Hearer(Protocol):
    """Who is told what comes, by plain calls from the link's task; both may call `Link.post`."""

    def hear(self, link: Link, message: Heard) -> None:
        """One message that answers no request, in order. With `reads_turns`, turns come by msgpack as UnreadTurn."""
        ...

    def settled(self, link: Link) -> None:
        """All that has arrived was heard, and nothing missed is still on its way: the moment to think."""
        ...


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
    async with nursery_for_block() as nursery:
        await nursery.start(link._run)
        link.check()
        yield link


class Link:
    """Made by `open_link`."""

    def __init__(
        self, dial: Dial, identity: Identity, tokens: Tokens, face: Face, hearer: Hearer | None, give_up: float
    ) -> None:
        self.identity = identity
        self.welcome: Welcome  # the answer to the latest hello
        self.failure: Exception | None = None
        self.closed = trio.Event()  # set with `failure`, when there will be no connection any more
        self._dial, self._tokens, self._face, self._hearer, self._give_up = dial, tokens, face, hearer, give_up
        self._session = secrets.token_hex(8)
        self._rng = random.Random(self._session)  # only spreads reconnections
        self._last_id = 0
        self._pending: dict[int, tuple[Request, Callable[[Reply], None]]] = {}
        self._repeats = Repeats(self.post)
        self.asks_again = identity.bot  # what the server could not write to its disk; a person does so in person
        self._connection: Connection | None = None  # None while there is none that has said hello
        self._reading = False  # whether the reading task is running, which sends by itself what is put
        self._attempts = 0  # to connect again since a connection last brought something
        self._up_since = math.inf  # when the latest hello was welcomed
        self._welcomed = False
        self._tables = CatchUp(gaps=identity.hears == TURNS)
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
            self._connection.put(request)
            if not self._reading:
                self._connection.wake()
        self._pending[request.id] = (request, take)
        if isinstance(request, Leave):
            self._tables.leave(request.table)  # even if the connection is lost before the answer comes

    def take_up(self, info: TableInfo, seat: int) -> None:
        """A seat at an open table that the welcome lists is used again, as if it had just been given to us."""
        seated = Seated(info=info, seat=seat)
        self._tables.take(seated)
        self._tell(seated)

    # -- hearing, without a hearer -------------------------------------------------------------------------------------

    def __aiter__(self) -> Link:
        return self

    async def __anext__(self) -> Heard:
        """The next message that answers no request. Raises LinkFailed or Refused when no more can come."""
        try:
            return await self._told_out.receive()
        except trio.EndOfChannel:
            assert self.failure is not None
            raise self.failure from None

    def check(self) -> None:
        """Raises `failure` if there will be no connection any more."""
        if self.failure is not None:
            raise self.failure

    # -- connections ---------------------------------------------------------------------------------------------------

    async def _run(self, *, task_status: trio.TaskStatus[None]) -> None:
        """The link's task: one connection after the other. Ends by itself only with `failure` set."""
        try:
            lost_since, wait = -math.inf, 0.0
            while True:
                end = await self._connect_and_read(task_status)
                now = trio.current_time()
                if now - self._up_since > wait:  # else a server may be there that drops whoever comes
                    self._attempts = 0
                self._up_since = math.inf
                if self._attempts == 0:
                    lost_since = now
                wait = min(LONGEST_WAIT, FIRST_WAIT * 2**self._attempts) * self._rng.uniform(0.5, 1.0)
                self._attempts += 1
                if end.wait:  # the server is there, and says when to come again
                    wait += end.wait
                    lost_since = now + wait
                if now + wait - lost_since > self._give_up:
                    text = _("The connection is lost ({reason}); no server for {seconds:.0f} seconds.")
                    raise LinkFailed(text.format(reason=end, seconds=self._give_up))
                self._tell(Lost(str(end), wait))
                await trio.sleep(wait)
        except (LinkFailed, Refused) as error:
            self._fail(error)
            if not self._welcomed:
                task_status.started()

    async def _connect_and_read(self, task_status: trio.TaskStatus[None]) -> Ended:
        """One connection, start to end; returns how it ended."""
        try:
            stream = await self._dial()
        except OSError as error:
            if not self._welcomed:
                text = _("No server answers at {server}: {why}.")
                raise LinkFailed(text.format(server=self.identity.server, why=plainly(error))) from None
            return Ended(plainly(error))
        async with stream:
            connection = Connection(stream, self._face, unread_turns=getattr(self._hearer, "reads_turns", False))
            try:
                with trio.fail_after(HANDSHAKE_SECONDS):
                    self.welcome = await connection.say_hello(
                        self.identity, self._session, self._tokens, self._number, known=self._welcomed
                    )
            except (Ended, trio.TooSlowError) as error:
                reason = str(error) or _("the server does not answer hello")
                wait = error.wait if isinstance(error, Ended) else 0.0
                if not (self._welcomed or wait):
                    text = _("No magehall server answered at {server}: {reason}")
                    raise LinkFailed(text.format(server=self.identity.server, reason=reason)) from None
                return Ended(reason, wait)
            first = not self._welcomed
            self._welcomed = True
            self._up_since = trio.current_time()
            self._take_up(connection)
            if first:
                task_status.started()
            end: Ended | LinkFailed = Ended(_("the server is silent"))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(connection.write)
                nursery.start_soon(connection.listen_for_silence, self._ask_for_a_sign)
                nursery.start_soon(self._repeats.run)
                try:
                    with connection.reading:
                        await self._read(connection)
                except (Ended, LinkFailed) as error:  # carried past the nursery, which would wrap it in a group
                    end = error
                except msgspec.ValidationError as error:  # a view, say, that is none of the game's
                    end = LinkFailed(_("The server said what cannot be read here: {error}", error=error))
                finally:
                    self._connection, self._reading = None, False
                nursery.cancel_scope.cancel()
            if isinstance(end, LinkFailed):
                raise end
            return end

    def _take_up(self, connection: Connection) -> None:
        """The new connection repeats what was not answered and asks for what was missed."""
        self._connection = connection
        plan = self._tables.reconnected(self.welcome.seats)
        listed = {info.table for info in self.welcome.seats}
        kept = any(info.state == "open" for info in self.welcome.seats)  # seats at open tables, which wait a while
        anew = []
        for request, take in list(self._pending.values()):
            unknown = connection.took_name  # a server that forgot us has done nothing yet, and counts ids anew
            lapsed = isinstance(request, Open) and not kept
            if isinstance(request, Leave) and request.table in plan.rewound:  # its match is not over any more
                del self._pending[request.id]
                take(Left(re=request.id, table=request.table))
                continue
            if unknown or lapsed or (isinstance(request, Join) and request.table not in listed):
                del self._pending[request.id]  # a seat at an open table that was not kept: the old answer would
                anew.append((request, take))  # lie, so this is asked as a new question
            else:
                connection.put(request)
        for request, take in anew:
            self.post(request, take)
        if self._attempts:
            self._tell(Back())  # what is asked from now on has later ids
        for table in plan.gone:
            self._tell(Gone(table))
        for table in plan.rewound:
            self._tell(Rewound(table))
        for info in self.welcome.seats:
            if info.state == "open":  # it may have filled meanwhile
                self._tell(TableChanged(info=info))
        for table, after in plan.resume:
            self._ask_again(Resume(id=1, table=table, after=after), table)
        for table in plan.watch:
            self._ask_again(Watch(id=1, table=table), table)

    def _ask_again(self, request: Request, table: str) -> None:
        """A request that belongs to this connection alone: the next one asks anew."""
        assert self._connection is not None
        self._number(request)
        self._connection.put(request)
        self._tables.asked(request.id, table)

    # -- reading -------------------------------------------------------------------------------------------------------

    async def _read(self, connection: Connection) -> NoReturn:
        """Takes what comes until the connection ends. Raises Ended, or LinkFailed when there shall be no other."""
        while True:
            event = connection.next()
            if event is None:
                if self._hearer is not None and not self._tables.behind:
                    self._hearer.settled(self)
                await connection.flush()
                self._reading = False
                await connection.receive()
                self._reading = True
            elif isinstance(event, Reply):
                self._answer(event)
            elif isinstance(event, Bye):
                self._goodbye(event)
            elif isinstance(event, AreYouThere):
                self._ask_for_a_sign()
            elif isinstance(event, Message):
                try:
                    messages = self._tables.take(event)
                except RemoteProtocolError as error:
                    raise Ended(error.text) from None
                if isinstance(event, SentAway) and event.table:
                    self._tables.leave(event.table)
                for message in messages:
                    self._attempts = 0
                    self._tell(message)

    def _ask_for_a_sign(self) -> None:
        self.post(Ping(id=1), lambda _reply: None)

    @property
    def can_give_signs(self) -> bool:
        """See Living."""
        return self._connection is not None and self._connection.is_shared

    def give_sign(self, asked_before: int, *, anyhow: bool) -> int:
        """See Living."""
        connection = self._connection
        if connection is None:
            return asked_before
        asked = connection.asked_for_signs()
        if anyhow or asked > asked_before:
            ping = Ping(id=1)
            self._number(ping)
            connection.send_at_once(ping)  # its answer is passed over
        return asked

    def _answer(self, reply: Reply) -> None:
        table = self._tables.answers(reply.re)
        if table is not None:
            self._caught_up(reply, table)
            return
        asked = self._pending.get(reply.re)
        if asked is not None and not isinstance(reply, (EXCHANGES[type(asked[0])].answer, Error)):
            text = f"{reply.__struct_config__.tag} does not answer {asked[0].__struct_config__.tag}"
            raise Ended(_("the server broke the protocol: {text}", text=text))
        if asked is not None and self.asks_again and for_storage(reply):
            self._repeats.put(*self._pending.pop(reply.re))
        elif asked is not None:
            self._tables.note(reply)
            asked[1](reply)
            del self._pending[reply.re]  # only now: who waits for what cannot be read is told how the link ended
            if table := self._tables.missed(reply):
                self._ask_again(Resume(id=1, table=table), table)

    def _caught_up(self, reply: Reply, table: str) -> None:
        """The answer to a question of our own about a table that was taken up again."""
        if isinstance(reply, Error) and self._tables.stops_watching(table):
            self._tell(Gone(table))
        elif isinstance(reply, Resumed):
            self._tables.resumed(reply)
        elif isinstance(reply, Error) and reply.code == "bad_cursor" and self._tables.rewind(table):
            self._tell(Rewound(table))
            self._ask_again(Resume(id=1, table=table), table)
        elif isinstance(reply, Watching):
            if reply.n < self._tables.last(table):
                self._tables.rewind(table)
                self._tell(Rewound(table))
            if self._tables.watching_again(reply):
                self._ask_again(Log(id=1, table=table, after=self._tables.last(table)), table)
        elif isinstance(reply, Story):
            for message in self._tables.told(reply):
                self._tell(message)
            if reply.more:
                self._ask_again(Log(id=1, table=table, after=self._tables.last(table)), table)
        elif for_storage(reply):
            raise Ended(_("the server cannot write to its disk"))
        else:
            self._tables.leave(table)
            self._tell(Gone(table))

    def _goodbye(self, bye: Bye) -> None:
        if bye.reason == "replaced":
            raise LinkFailed(_("Somebody logged in as {name} on another connection.", name=self.identity.name))
        if bye.reason in ("quit", "kicked"):
            raise LinkFailed(bye.text)
        self._tell(bye)
        raise Ended(bye.text)

    # -- within --------------------------------------------------------------------------------------------------------

    def _number(self, request: Request) -> None:
        self._last_id += 1
        request.id = self._last_id

    def _tell(self, message: Heard) -> None:
        if self._hearer is not None:
            self._hearer.hear(self, message)
        else:
            self._told_in.send_nowait(message)

    def _fail(self, error: Exception) -> None:
        self.failure = error
        self._told_in.close()
        self.closed.set()
        waiting, self._pending = self._pending, {}
        for _request, take in waiting.values():
            take(Error(code="internal", text=str(error)))
