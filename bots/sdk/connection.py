"""One connection to a server, from the greeting to its end; a link is a series of these."""

from __future__ import annotations

import os
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import msgspec
import trio

from bots.language import N_, _
from bots.sdk.sockets import READ_BYTES, DirectStream, TlsStream
from bots.sdk.tls import NotTrusted, Tls, secured
from bots.sdk.tokens import Tokens
from languages import ENGLISH, language
from protocol import VERSION
from protocol.connection import NEED_DATA, PEER_CLOSED, SPEAKS_TLS, ClientConnection, Greeting
from protocol.errors import RemoteProtocolError
from protocol.messages import Error, Hello, Lang, Message, Operator, Request, Welcome
from protocol.messages.parts import LIVE, WANTS, Hears, Wants
from protocol.printable import escape
from protocol.proof import OPERATOR, key, proof

QUIET_SECONDS = 45.0  # nothing heard for so long: ask for a sign of life
SIGN_SECONDS = 15.0  # and for so long wait for it

ASKS_FOR_SIGN = b"are_you_there"  # in both faces

Dial: TypeAlias = Callable[[], Awaitable[trio.abc.Stream]]
Face: TypeAlias = Literal["json", "msgpack"]


class Refused(Exception):
    """The server refused a request; `error` is its answer, with its text in one line of what can be printed."""

    def __init__(self, error: Error) -> None:
        self.error = msgspec.structs.replace(error, text=escape(error.text))
        super().__init__(self.error.text)


class LinkFailed(Exception):
    """There is no connection and there will be none; the text says why, in one line of what can be printed."""

    def __init__(self, text: str) -> None:
        super().__init__(escape(text))


class Ended(Exception):
    """A connection is over; the text says why. The next one may do better, after `wait` seconds at least."""

    def __init__(self, text: str, wait: float = 0.0) -> None:
        super().__init__(escape(text))  # it may quote the server
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Identity:
    """Who says hello. `server` is only the key under which the token is kept: `host:port`. `tables`: owners of tables
    may seat it while it plays at fewer than that. A `code` of the operator's gives the name a new token."""

    name: str
    server: str = ""
    bot: bool = False
    games: tuple[str, ...] = ()
    client: str = ""
    tables: int = 0
    code: str = ""
    wants: Wants = WANTS  # with turns
    hears: Hears = LIVE  # what others do at once, with turns, or never


def tcp(host: str, port: int, tls: Tls | None = None) -> Dial:
    """Connects over TCP, and within TLS if it says how the server proves who it is.

    Args:
        host: The server's machine.
        port: Its port.
        tls: Which certificates are trusted; None: the connection is in plain text.

    Returns:
        What `open_link` calls for each connection.
    """

    async def connect() -> DirectStream:
        return DirectStream(await trio.open_tcp_stream(host, port))

    async def connect_securely() -> trio.abc.Stream:
        assert tls is not None
        try:
            return await secured(connect, host, port, tls)
        except NotTrusted as error:
            raise LinkFailed(str(error)) from None

    return connect if tls is None else connect_securely


class Connection:
    """Requests are put into an outbox; `flush` sends it from the reading task, `write` for all others.

    Nothing but `next` and `receive` tells that the connection has ended, by raising Ended.
    """

    def __init__(self, stream: trio.abc.Stream, face: Face, *, unread_turns: bool) -> None:
        self._stream = stream
        self._peer = ClientConnection(face, unread_turns=unread_turns)
        self._outbox = bytearray()
        self._challenge = ""  # of the greeting, for proofs
        self._flushing = False
        self._wake = trio.Event()
        self._heard: float  # when bytes came last
        self.reading = trio.CancelScope()  # cancelled when nothing is heard for too long
        self.took_name: bool  # since the hello: the server did not know the name before it

    # -- sending -------------------------------------------------------------------------------------------------------

    def put(self, request: Request) -> None:
        """Raises LocalProtocolError for a request that no server would take. The operator's word does not cross the
        wire: a proof for this connection goes in its place."""
        if isinstance(request, Operator) and request.word:
            proved = proof(request.word, self._challenge, OPERATOR)
            request = msgspec.structs.replace(request, word="", proof=proved)
        self._outbox += self._peer.send(request)

    def wake(self) -> None:
        """Has `write` send what was put."""
        self._wake.set()

    async def write(self) -> None:
        """Sends whenever it is woken, for ever."""
        while True:
            await self._wake.wait()
            self._wake = trio.Event()
            await self.flush()

    async def flush(self) -> None:
        """Sends the outbox. A failure is left for the reader to find."""
        if self._flushing:
            return
        self._flushing = True
        try:
            while self._outbox:
                data = bytes(self._outbox)
                self._outbox.clear()
                await self._stream.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            await trio.aclose_forcefully(self._stream)
        finally:
            self._flushing = False

    # -- from another thread, while the reading task waits for a call to return --------------------------------------

    @property
    def is_shared(self) -> bool:
        """Whether another thread can send and look at what comes."""
        return isinstance(self._stream, (DirectStream, TlsStream))

    def asked_for_signs(self) -> int:
        """How often the server has asked for a sign of life in what is still to be read."""
        return self._stream.unread().count(ASKS_FOR_SIGN) if isinstance(self._stream, (DirectStream, TlsStream)) else 0

    def send_at_once(self, request: Request) -> None:
        """Sends the outbox with that request, unless it is being sent."""
        if not self._flushing and isinstance(self._stream, (DirectStream, TlsStream)):
            self.put(request)
            del self._outbox[: self._stream.send_at_once(bytes(self._outbox))]

    # -- reading -------------------------------------------------------------------------------------------------------

    def next(self) -> Greeting | Message | None:
        """What came next; None when that is still to be received."""
        try:
            event = self._peer.next_event()
        except RemoteProtocolError as error:
            raise Ended(_("the server broke the protocol: {text}", text=error.text)) from None
        if event is PEER_CLOSED:
            raise Ended(_("the server closed the connection"))
        return None if event is NEED_DATA else event

    async def receive(self) -> None:
        """Waits for more bytes."""
        try:
            data = await self._stream.receive_some(READ_BYTES)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise Ended(_("the connection broke")) from None
        self._heard = trio.current_time()
        self._peer.receive_data(bytes(data))

    async def listen_for_silence(self, ask_for_a_sign: Callable[[], None]) -> None:
        """After a long silence it asks for a sign of life, so that a dead peer is noticed. One task for all that is
        received: a limit on every single wait costs a bot's decision more."""
        while not self.reading.cancel_called:
            heard = self._heard
            await trio.sleep_until(heard + QUIET_SECONDS)
            if self._heard == heard:
                ask_for_a_sign()
                await trio.sleep(SIGN_SECONDS)
                if self._heard == heard:
                    self.reading.cancel()

    # -- hello ---------------------------------------------------------------------------------------------------------

    async def say_hello(
        self, me: Identity, session: str, tokens: Tokens, number: Callable[[Request], None], *, known: bool
    ) -> Welcome:
        """Proves the name with its token, or takes it with the key of a new one. A server that does not know the name
        (any more) gets the key of the same token: so a welcome that was lost costs nothing.

        `number` gives requests their ids; `known` says that this link was welcomed before, so that being turned away
        for the moment is no failure. Raises Ended, LinkFailed, Refused.
        """
        greeting = await self._expect()
        assert isinstance(greeting, Greeting)  # nothing else comes first
        self._challenge = greeting.challenge
        if greeting.text == SPEAKS_TLS:
            raise LinkFailed(_("The server at {server} speaks TLS: add --tls.", server=me.server))
        if greeting.is_farewell:
            raise Ended(greeting.text)
        if greeting.version != VERSION:
            raise LinkFailed(
                _(
                    "The server speaks version {version} of the protocol, this client {ours}.",
                    version=greeting.version,
                    ours=VERSION,
                )
            )
        if not me.bot and language() != ENGLISH:  # each connection begins in English
            lang = Lang(id=1, lang=language())
            number(lang)
            self.put(lang)
            await self.flush()
            await self._expect()
        code = "" if known else me.code
        token = secrets.token_hex(16) if code else tokens.get(me.server, me.name)
        made = "" if token else secrets.token_hex(16)
        token = token or tokens.put(me.server, me.name, made)
        is_fresh = token == made  # else another process was first, and may have taken the name already
        self.took_name = is_fresh or bool(code)
        while True:
            hello = Hello(
                id=1,
                name=me.name,
                session=session,
                code=code,
                key=key(token).hex() if self.took_name else "",
                proof="" if self.took_name else proof(token, greeting.challenge, me.name),
                bot=me.bot,
                games=me.games,
                client=me.client,
                tables=me.tables,
                wants=me.wants,
                hear=me.hears,
            )
            number(hello)
            self.put(hello)
            await self.flush()
            reply = await self._expect()
            if isinstance(reply, Welcome) and reply.name != me.name:
                raise Ended(_("the server broke the protocol: {text}", text=f"name {reply.name}"))
            if isinstance(reply, Welcome):
                if code:
                    tokens.drop(me.server, me.name)
                    tokens.put(me.server, me.name, token)
                return reply
            if not isinstance(reply, Error):
                raise Ended(_("the server did not answer hello"))
            if reply.code == "unknown_name" and not self.took_name:
                self.took_name = True
            elif (known or (me.bot and reply.wait)) and reply.again:
                raise Ended(reply.text, reply.wait)
            else:
                if is_fresh and reply.code != "storage":  # after which the name may yet be on the disk
                    tokens.drop(me.server, me.name)
                raise Refused(reply)

    async def _expect(self) -> Greeting | Message:
        while (event := self.next()) is None:
            await self.receive()
        return event


# What the system says most often of a connection; the rest stays in its own words.
OF_THE_SYSTEM = (
    N_("Address already in use"),
    N_("Cannot assign requested address"),
    N_("Connection refused"),
    N_("Connection reset by peer"),
    N_("Connection timed out"),
    N_("Name or service not known"),
    N_("Network is unreachable"),
    N_("No address associated with hostname"),
    N_("No route to host"),
    N_("Permission denied"),
    N_("Temporary failure in name resolution"),
)


def plainly(error: OSError) -> str:
    """The system's words, such as "Connection refused", out of trio's error, which has one for each address."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return _(os.strerror(cause.errno) if cause.errno and cause.errno > 0 else cause.strerror)
        cause = cause.exceptions[-1] if isinstance(cause, BaseExceptionGroup) else cause.__cause__
    return str(error)
