"""A link: a player's connection to a server that reconnects after a lost connection, without losing or repeating
requests and messages.

The runner of bots and the client for people use it. A request that was not answered when the connection was lost is
sent again with the same id on the next connection. Messages with a number are delivered in order and exactly once.
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
from bots.sdk.connection import (
    Connection,
    ConnectionEnded,
    Dial,
    Face,
    Identity,
    LinkFailed,
    Refused,
    system_error_text,
    tcp,
)
from bots.sdk.nursery import nursery_for_block
from bots.sdk.repeats import RetryQueue, is_storage_refusal
from bots.sdk.tokens import Tokens
from matches.admission import MatchRewound, TableLeft
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
    PastMessages,
    Ping,
    Reply,
    Request,
    Resume,
    Resumed,
    Seated,
    SentAway,
    TableChanged,
    TableInfo,
    Watch,
    Watching,
    Welcome,
)
from protocol.messages.exchanges import EXCHANGES
from protocol.messages.parts import TURNS

__all__ = [
    "Dial",
    "Face",
    "Heard",
    "Identity",
    "Link",
    "LinkFailed",
    "LinkLost",
    "LinkRestored",
    "LinkSubscriber",
    "MatchRewound",
    "Refused",
    "TableLeft",
]  # fmt: skip
__all__ += ["open_link", "tcp"]

HANDSHAKE_SECONDS = 15.0
FIRST_WAIT, LONGEST_WAIT = 0.25, 30.0  # seconds before the first attempt to reconnect, doubled for each next one
GIVE_UP_SECONDS = 600.0

R = TypeVar("R", bound=Reply)


@dataclass(frozen=True, slots=True)
class LinkLost:
    """Delivered when the connection is lost. The link tries to reconnect in `seconds`."""

    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class LinkRestored:
    """Delivered when the link is connected again. The messages that it has missed follow."""


Heard: TypeAlias = Message | LinkLost | LinkRestored | TableLeft | MatchRewound


class LinkSubscriber(Protocol):
    """Receives the messages of a link. The link's task calls both methods; they may call `Link.post`, and must not
    block."""

    def on_message(self, link: Link, message: Heard) -> None:
        """Receives a message that is not the answer to a request. Messages arrive in order.

        Args:
            link: The link.
            message: The message. If the subscriber has a true attribute `reads_turns`, turns in msgpack arrive as
                UnreadTurn.
        """
        ...

    def on_caught_up(self, link: Link) -> None:
        """Called when all messages that have arrived are delivered, and no message is still missing after a
        reconnection. A player should make decisions only then.

        Args:
            link: The link.
        """
        ...


@asynccontextmanager
async def open_link(
    dial: Dial,
    identity: Identity,
    tokens: Tokens | None = None,
    *,
    face: Face = "msgpack",
    hearer: LinkSubscriber | None = None,
    give_up: float = GIVE_UP_SECONDS,
) -> AsyncIterator[Link]:
    """Connects to a server and logs in. An async context manager, which closes the link at the end of its block.

    Args:
        dial: A function that makes one connection; see `tcp`.
        identity: The player as whom the link logs in.
        tokens: The tokens that prove names; by default a new one in memory.
        face: The encoding of all messages.
        hearer: Receives all messages that are not answers. If it is None, iterate over the link to receive them.
        give_up: The seconds without a server after which the link fails.

    Yields:
        The link, logged in.

    Raises:
        LinkFailed: No magehall server answers.
        Refused: The server refuses the name.
    """
    link = Link(dial, identity, tokens or Tokens(), face, hearer, give_up)
    async with nursery_for_block() as nursery:
        await nursery.start(link._run)
        link.raise_if_failed()
        yield link


class Link:
    """A player's connection to a server, made by `open_link`.

    Attributes:
        identity: The player as whom the link logs in.
        welcome: The server's answer to the latest hello.
        failure: The exception with which the link failed; None while it works.
        closed: An event that is set when the link has failed.
        asks_again: True to send requests again that the server refused because it could not write to its disk.
    """

    def __init__(
        self, dial: Dial, identity: Identity, tokens: Tokens, face: Face, hearer: LinkSubscriber | None, give_up: float
    ) -> None:
        self.identity = identity
        self.welcome: Welcome  # set by each hello
        self.failure: Exception | None = None
        self.closed = trio.Event()  # set at the same time as `failure`
        self._dial, self._tokens, self._face, self._hearer, self._give_up = dial, tokens, face, hearer, give_up
        self._session = secrets.token_hex(8)
        self._rng = random.Random(self._session)  # used only to randomize the times of reconnections
        self._last_id = 0
        self._pending: dict[int, tuple[Request, Callable[[Reply], None]]] = {}
        self._repeats = RetryQueue(self.post)
        self.asks_again = identity.bot  # False for people, who repeat such a request themselves
        self._connection: Connection | None = None  # None while no connection is logged in
        self._reading = False  # True while the reading task processes messages, after which it sends the outbox
        self._attempts = 0  # the number of attempts to connect since a connection last delivered a message
        self._up_since = math.inf  # trio's time of the latest welcome; infinite without a connection
        self._welcomed = False
        self._tables = CatchUp(gaps=identity.hears == TURNS)
        self._told_in, self._told_out = trio.open_memory_channel[Heard](math.inf)

    # -- sending requests ----------------------------------------------------------------------------------------------

    async def ask(self, request: Request, answer: type[R]) -> R:
        """Sends a request and waits for its answer.

        While the link is disconnected, the request waits for the next connection. If the caller is cancelled, the
        server may still carry the request out.

        Args:
            request: The request. The link sets its id.
            answer: The type of the answer.

        Returns:
            The answer.

        Raises:
            Refused: The server refused the request.
            LinkFailed: The link failed.
        """
        self.raise_if_failed()
        came = trio.Event()
        replies: list[Reply] = []

        def take(reply: Reply) -> None:
            replies.append(reply)
            came.set()

        self.post(request, take)
        await came.wait()
        self.raise_if_failed()
        reply = replies[0]
        if isinstance(reply, Error):
            raise Refused(reply)
        assert isinstance(reply, answer), reply
        return reply

    def post(self, request: Request, take: Callable[[Reply], None]) -> None:
        """Sends a request without waiting for its answer.

        Args:
            request: The request. The link sets its id.
            take: A function that is called once with the answer, which may be an Error.
        """
        self._number(request)
        if self._connection is not None:
            self._connection.add_request(request)
            if not self._reading:
                self._connection.wake_writer()
        self._pending[request.id] = (request, take)
        if isinstance(request, Leave):
            self._tables.forget_table(
                request.table
            )  # at once, because the connection may be lost before the answer comes

    def resume_seat(self, info: TableInfo, seat: int) -> None:
        """Delivers the message `seated` for a seat that the player already has at an open table, as if the server had
        just assigned the seat.

        Args:
            info: The table, as the welcome lists it.
            seat: The number of the seat.
        """
        seated = Seated(info=info, seat=seat)
        self._tables.process_message(seated)
        self._tell(seated)

    # -- receiving messages without a subscriber -----------------------------------------------------------------------

    def __aiter__(self) -> Link:
        return self

    async def __anext__(self) -> Heard:
        """Returns the next message that is not an answer to a request. Raises LinkFailed or Refused when the link has
        failed."""
        try:
            return await self._told_out.receive()
        except trio.EndOfChannel:
            assert self.failure is not None
            raise self.failure from None

    def raise_if_failed(self) -> None:
        """Raises the exception `failure` if the link has failed."""
        if self.failure is not None:
            raise self.failure

    # -- opening connections -------------------------------------------------------------------------------------------

    async def _run(self, *, task_status: trio.TaskStatus[None]) -> None:
        """The task of the link: opens one connection after another, and returns only after it has set `failure`."""
        try:
            lost_since, wait = -math.inf, 0.0
            while True:
                end = await self._connect_and_read(task_status)
                now = trio.current_time()
                if now - self._up_since > wait:  # after a shorter connection, the server may be dropping all clients
                    self._attempts = 0
                self._up_since = math.inf
                if self._attempts == 0:
                    lost_since = now
                wait = min(LONGEST_WAIT, FIRST_WAIT * 2**self._attempts) * self._rng.uniform(0.5, 1.0)
                self._attempts += 1
                if end.wait:  # the server said when to try again
                    wait += end.wait
                    lost_since = now + wait
                if now + wait - lost_since > self._give_up:
                    text = _("The connection is lost ({reason}); no server for {seconds:.0f} seconds.")
                    raise LinkFailed(text.format(reason=end, seconds=self._give_up))
                self._tell(LinkLost(str(end), wait))
                await trio.sleep(wait)
        except (LinkFailed, Refused) as error:
            self._fail(error)
            if not self._welcomed:
                task_status.started()

    async def _connect_and_read(self, task_status: trio.TaskStatus[None]) -> ConnectionEnded:
        """Opens one connection, logs in, and reads until it ends. Returns the reason of its end. Raises LinkFailed or
        Refused if the link must not reconnect."""
        try:
            stream = await self._dial()
        except OSError as error:
            if not self._welcomed:
                text = _("No server answers at {server}: {why}.")
                raise LinkFailed(text.format(server=self.identity.server, why=system_error_text(error))) from None
            return ConnectionEnded(system_error_text(error))
        async with stream:
            connection = Connection(stream, self._face, unread_turns=getattr(self._hearer, "reads_turns", False))
            try:
                with trio.fail_after(HANDSHAKE_SECONDS):
                    self.welcome = await connection.log_in(
                        self.identity, self._session, self._tokens, self._number, known=self._welcomed
                    )
            except (ConnectionEnded, trio.TooSlowError) as error:
                reason = str(error) or _("the server does not answer hello")
                wait = error.wait if isinstance(error, ConnectionEnded) else 0.0
                if not (self._welcomed or wait):
                    text = _("No magehall server answered at {server}: {reason}")
                    raise LinkFailed(text.format(server=self.identity.server, reason=reason)) from None
                return ConnectionEnded(reason, wait)
            first = not self._welcomed
            self._welcomed = True
            self._up_since = trio.current_time()
            self._take_up(connection)
            if first:
                task_status.started()
            end: ConnectionEnded | LinkFailed = ConnectionEnded(_("the server is silent"))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(connection.run_writer)
                nursery.start_soon(connection.watch_for_silence, self._ask_for_a_sign)
                nursery.start_soon(self._repeats.run)
                try:
                    with connection.reading:
                        await self._read(connection)
                except (
                    ConnectionEnded,
                    LinkFailed,
                ) as error:  # it is raised after the nursery, which would otherwise wrap it in a group
                    end = error
                except msgspec.ValidationError as error:  # for example a view that does not fit the game
                    end = LinkFailed(_("The server said what cannot be read here: {error}", error=error))
                finally:
                    self._connection, self._reading = None, False
                nursery.cancel_scope.cancel()
            if isinstance(end, LinkFailed):
                raise end
            return end

    def _take_up(self, connection: Connection) -> None:
        """Sends the unanswered requests again on the new connection, and requests the messages that were missed."""
        self._connection = connection
        plan = self._tables.plan_catch_up(self.welcome.seats)
        listed = {info.table for info in self.welcome.seats}
        # whether the server has kept seats at open tables
        kept = any(info.state == "open" for info in self.welcome.seats)
        renumbered = []
        for request, take in list(self._pending.values()):
            # then the server does not know the session: no request was done, ids start again
            unknown = connection.took_name
            lapsed = isinstance(request, Open) and not kept
            # after a restore, the match goes on: stay there
            if isinstance(request, Leave) and request.table in plan.rewound:
                del self._pending[request.id]
                take(Left(re=request.id, table=request.table))
                continue
            if unknown or lapsed or (isinstance(request, Join) and request.table not in listed):
                # The seat was not kept, so the answer that the server has stored for this id would be wrong.
                del self._pending[request.id]
                renumbered.append((request, take))
            else:
                connection.add_request(request)
        for request, take in renumbered:
            self.post(request, take)
        if self._attempts:
            self._tell(
                LinkRestored()
            )  # after the old requests were sent again, since subscribers may send new ones now
        for table in plan.gone:
            self._tell(TableLeft(table))
        for table in plan.rewound:
            self._tell(MatchRewound(table))
        for info in self.welcome.seats:
            if info.state == "open":  # other players may have taken seats meanwhile
                self._tell(TableChanged(info=info))
        for table, after in plan.resume:
            self._ask_again(Resume(id=1, table=table, after=after), table)
        for table in plan.watch:
            self._ask_again(Watch(id=1, table=table), table)

    def _ask_again(self, request: Request, table: str) -> None:
        """Sends a request of the link itself about a table, to catch up. If this connection is lost, the request is not
        sent again, because the next connection catches up from the beginning."""
        assert self._connection is not None
        self._number(request)
        self._connection.add_request(request)
        self._tables.record_request(request.id, table)

    # -- reading messages ----------------------------------------------------------------------------------------------

    async def _read(self, connection: Connection) -> NoReturn:
        """Reads and processes messages until the connection ends. Raises ConnectionEnded, or LinkFailed if the link
        must not reconnect."""
        while True:
            event = connection.next_message()
            if event is None:
                if self._hearer is not None and not self._tables.is_behind:
                    self._hearer.on_caught_up(self)
                await connection.send_outbox()
                self._reading = False
                await connection.receive_bytes()
                self._reading = True
            elif isinstance(event, Reply):
                self._answer(event)
            elif isinstance(event, Bye):
                self._goodbye(event)
            elif isinstance(event, AreYouThere):
                self._ask_for_a_sign()
            elif isinstance(event, Message):
                try:
                    messages = self._tables.process_message(event)
                except RemoteProtocolError as error:
                    raise ConnectionEnded(error.text) from None
                if isinstance(event, SentAway) and event.table:
                    self._tables.forget_table(event.table)
                for message in messages:
                    self._attempts = 0
                    self._tell(message)

    def _ask_for_a_sign(self) -> None:
        self.post(Ping(id=1), lambda _reply: None)

    @property
    def can_send_signs(self) -> bool:
        """Whether another thread can use the connection; see `heartbeat.Living`."""
        return self._connection is not None and self._connection.is_shared

    def send_sign_of_life(self, asked_before: int, *, anyhow: bool) -> int:
        """Sends a sign of life from another thread; see `heartbeat.Living`."""
        connection = self._connection
        if connection is None:
            return asked_before
        asked = connection.count_sign_requests()
        if anyhow or asked > asked_before:
            ping = Ping(id=1)
            self._number(ping)
            connection.send_at_once(ping)  # its answer is ignored, because `_pending` does not have the request
        return asked

    def _answer(self, reply: Reply) -> None:
        table = self._tables.pop_request_table(reply.re)
        if table is not None:
            self._caught_up(reply, table)
            return
        asked = self._pending.get(reply.re)
        if asked is not None and not isinstance(reply, (EXCHANGES[type(asked[0])].answer, Error)):
            text = f"{reply.__struct_config__.tag} does not answer {asked[0].__struct_config__.tag}"
            raise ConnectionEnded(_("the server broke the protocol: {text}", text=text))
        if asked is not None and self.asks_again and is_storage_refusal(reply):
            self._repeats.add_request(*self._pending.pop(reply.re))
        elif asked is not None:
            self._tables.update_from_reply(reply)
            asked[1](reply)
            del self._pending[reply.re]  # after the call, so that the link's failure also reports an answer that raised
            if table := self._tables.table_to_resume(reply):
                self._ask_again(Resume(id=1, table=table), table)

    def _caught_up(self, reply: Reply, table: str) -> None:
        """Processes the answer to a request of `_ask_again`, with which the link catches up at a table."""
        if isinstance(reply, Error) and self._tables.handle_refusal(table):
            self._tell(TableLeft(table))
        elif isinstance(reply, Resumed):
            self._tables.handle_resumed(reply)
        elif isinstance(reply, Error) and reply.code == "bad_cursor" and self._tables.forget_messages(table):
            self._tell(MatchRewound(table))
            self._ask_again(Resume(id=1, table=table), table)
        elif isinstance(reply, Watching):
            if reply.n < self._tables.last_number(table):
                self._tables.forget_messages(table)
                self._tell(MatchRewound(table))
            if self._tables.handle_watching(reply):
                self._ask_again(Log(id=1, table=table, after=self._tables.last_number(table)), table)
        elif isinstance(reply, PastMessages):
            for message in self._tables.handle_past_messages(reply):
                self._tell(message)
            if reply.more:
                self._ask_again(Log(id=1, table=table, after=self._tables.last_number(table)), table)
        elif is_storage_refusal(reply):
            raise ConnectionEnded(_("the server cannot write to its disk"))
        else:
            self._tables.forget_table(table)
            self._tell(TableLeft(table))

    def _goodbye(self, bye: Bye) -> None:
        if bye.reason == "replaced":
            raise LinkFailed(_("Somebody logged in as {name} on another connection.", name=self.identity.name))
        if bye.reason in ("quit", "kicked"):
            raise LinkFailed(bye.text)
        self._tell(bye)
        raise ConnectionEnded(bye.text)

    # -- helpers -------------------------------------------------------------------------------------------------------

    def _number(self, request: Request) -> None:
        self._last_id += 1
        request.id = self._last_id

    def _tell(self, message: Heard) -> None:
        if self._hearer is not None:
            self._hearer.on_message(self, message)
        else:
            self._told_in.send_nowait(message)

    def _fail(self, error: Exception) -> None:
        self.failure = error
        self._told_in.close()
        self.closed.set()
        waiting, self._pending = self._pending, {}
        for _request, take in waiting.values():
            take(Error(code="internal", text=str(error)))
