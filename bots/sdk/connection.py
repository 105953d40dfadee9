"""One connection to a server, from the server's greeting to the end. A `Link` uses one such connection after
another."""

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
from bots.sdk.tls import ServerNotTrusted, Tls, connect_tls
from bots.sdk.tokens import Tokens
from languages import ENGLISH, current_language
from protocol import VERSION
from protocol.connection import NEED_DATA, PEER_CLOSED, SPEAKS_TLS, ClientConnection, Greeting
from protocol.errors import RemoteProtocolError
from protocol.messages import Error, Hello, Lang, Message, Operator, Request, Welcome
from protocol.messages.parts import LIVE, WANTS, Hears, Wants
from protocol.printable import escape_text
from protocol.proof import OPERATOR, make_proof, token_key

QUIET_SECONDS = 45.0  # after receiving nothing for this time, the client sends a request to see if the server answers
SIGN_SECONDS = 15.0  # the time that the server has to answer that request before the connection counts as lost

ASKS_FOR_SIGN = b"are_you_there"  # the type of a server's request for a sign of life, as in the bytes of both faces

Dial: TypeAlias = Callable[[], Awaitable[trio.abc.Stream]]
Face: TypeAlias = Literal["json", "msgpack"]


class Refused(Exception):
    """Raised when the server refused a request.

    Args:
        error: The server's answer. The exception escapes its text to one printable line.
    """

    def __init__(self, error: Error) -> None:
        self.error = msgspec.structs.replace(error, text=escape_text(error.text))
        super().__init__(self.error.text)


class LinkFailed(Exception):
    """Raised when a link has no connection and does not try to reconnect. The exception's text, one printable line,
    says why."""

    def __init__(self, text: str) -> None:
        super().__init__(escape_text(text))


class ConnectionEnded(Exception):
    """Raised when one connection has ended. The exception's text says why.

    Args:
        text: The reason, which may quote the server.
        wait: The least number of seconds to wait before the next attempt to connect.
    """

    def __init__(self, text: str, wait: float = 0.0) -> None:
        super().__init__(escape_text(text))  # escaped, because the text may quote the server
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Identity:
    """The player as whom a link logs in.

    Attributes:
        name: The player's name, which the link takes if it is free, or proves with its token.
        server: `host:port`, the key of the name's token in `Tokens`. The address to connect to is not taken from it.
        bot: True for a program, False for a person.
        games: The ids of the games that the program plays; empty for all.
        client: The client's name and version, for the server's log.
        tables: The most tables at which the program plays at once. Below it, owners of tables may seat the program.
        code: A code from the server's operator, with which the name gets a new token; "" for none.
        wants: The parts of a turn that the server includes; see `Hello.wants`.
        hears: When the server sends messages about other players; see `Hello.hear`.
    """

    name: str
    server: str = ""
    bot: bool = False
    games: tuple[str, ...] = ()
    client: str = ""
    tables: int = 0
    code: str = ""
    wants: Wants = WANTS
    hears: Hears = LIVE


def tcp(host: str, port: int, tls: Tls | None = None) -> Dial:
    """Returns a function that connects to a server over TCP, or over TLS.

    Args:
        host: The server's host name or address.
        port: The server's port.
        tls: How the server has to prove its identity; None for a connection without TLS.

    Returns:
        The function that `open_link` calls for each connection.
    """

    async def connect() -> DirectStream:
        return DirectStream(await trio.open_tcp_stream(host, port))

    async def connect_securely() -> trio.abc.Stream:
        assert tls is not None
        try:
            return await connect_tls(connect, host, port, tls)
        except ServerNotTrusted as error:
            raise LinkFailed(str(error)) from None

    return connect if tls is None else connect_securely


class Connection:
    """A connection with an outbox, which collects the bytes of requests until they are sent. The task that reads sends
    the outbox with `flush`; other code calls `wake`, after which the task `write` sends it.

    Only `next` and `receive` report the end of the connection, by raising ConnectionEnded.
    """

    def __init__(self, stream: trio.abc.Stream, face: Face, *, unread_turns: bool) -> None:
        self._stream = stream
        self._peer = ClientConnection(face, unread_turns=unread_turns)
        self._outbox = bytearray()
        self._challenge = ""  # the challenge in the server's greeting, from which proofs are computed
        self._flushing = False
        self._wake = trio.Event()
        self._heard: float  # trio's time at which bytes last arrived
        self.reading = trio.CancelScope()  # the scope of the reading task, cancelled when the server stays silent
        self.took_name: bool  # set by `log_in`; True if it took the name, which the server did not know before

    # -- sending requests ----------------------------------------------------------------------------------------------

    def add_request(self, request: Request) -> None:
        """Adds a request to the outbox. In a request with the operator's word, a proof replaces the word, so that the
        word itself is never sent. Raises LocalProtocolError for a request that exceeds the size limit."""
        if isinstance(request, Operator) and request.word:
            proved = make_proof(request.word, self._challenge, OPERATOR)
            request = msgspec.structs.replace(request, word="", proof=proved)
        self._outbox += self._peer.send(request)

    def wake_writer(self) -> None:
        """Makes the task that runs `write` send the outbox soon."""
        self._wake.set()

    async def run_writer(self) -> None:
        """Sends the outbox after every `wake`. Runs until it is cancelled."""
        while True:
            await self._wake.wait()
            self._wake = trio.Event()
            await self.send_outbox()

    async def send_outbox(self) -> None:
        """Sends the outbox. If sending fails, closes the stream, so that the reading task finds out that the connection
        is broken."""
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

    # -- methods for another thread, while the reading task is blocked by a call of the bot ----------------------------

    @property
    def is_shared(self) -> bool:
        """Whether the stream allows other threads to send, and to look at bytes that are not read yet."""
        return isinstance(self._stream, (DirectStream, TlsStream))

    def count_sign_requests(self) -> int:
        """Returns how many requests for a sign of life are among the bytes that are not read yet."""
        return (
            self._stream.peek_unread().count(ASKS_FOR_SIGN)
            if isinstance(self._stream, (DirectStream, TlsStream))
            else 0
        )

    def send_at_once(self, request: Request) -> None:
        """Sends the outbox and the request in the calling thread. Does nothing while another send is running."""
        if not self._flushing and isinstance(self._stream, (DirectStream, TlsStream)):
            self.add_request(request)
            del self._outbox[: self._stream.send_at_once(bytes(self._outbox))]

    # -- reading messages ----------------------------------------------------------------------------------------------

    def next_message(self) -> Greeting | Message | None:
        """Returns the next message that has arrived completely, or None if more bytes are needed. Raises
        ConnectionEnded."""
        try:
            event = self._peer.next_event()
        except RemoteProtocolError as error:
            raise ConnectionEnded(_("the server broke the protocol: {text}", text=error.text)) from None
        if event is PEER_CLOSED:
            raise ConnectionEnded(_("the server closed the connection"))
        return None if event is NEED_DATA else event

    async def receive_bytes(self) -> None:
        """Waits until more bytes have arrived. Raises ConnectionEnded."""
        try:
            data = await self._stream.receive_some(READ_BYTES)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise ConnectionEnded(_("the connection broke")) from None
        self._heard = trio.current_time()
        self._peer.receive_data(bytes(data))

    async def watch_for_silence(self, ask_for_a_sign: Callable[[], None]) -> None:
        """Watches for silence: calls `ask_for_a_sign` after receiving nothing for QUIET_SECONDS, and cancels `reading`
        if the server still sends nothing. One task does this for all reads, because a timeout for each read would slow
        a bot down."""
        while not self.reading.cancel_called:
            heard = self._heard
            await trio.sleep_until(heard + QUIET_SECONDS)
            if self._heard == heard:
                ask_for_a_sign()
                await trio.sleep(SIGN_SECONDS)
                if self._heard == heard:
                    self.reading.cancel()

    # -- logging in ----------------------------------------------------------------------------------------------------

    async def log_in(
        self, me: Identity, session: str, tokens: Tokens, number: Callable[[Request], None], *, known: bool
    ) -> Welcome:
        """Logs in. Proves the name with its stored token, or without one takes the name with the key of a new token. If
        the server does not know the name (any more), takes the name with the key of another new token, or of the same
        token if it was assigned.

        Args:
            me: The player.
            session: A random word by which the server recognizes the connections of the same link.
            tokens: The tokens of all names.
            number: A function that sets the id of a request.
            known: True if an earlier connection of the link has logged in. A refusal that is only temporary then raises
                ConnectionEnded instead of Refused.

        Returns:
            The server's welcome.

        Raises:
            ConnectionEnded: The connection ended; a new one may succeed.
            LinkFailed: The server speaks TLS, or another version of the protocol, so that reconnecting is useless.
            Refused: The server refused the name.
        """
        greeting = await self._expect()
        assert isinstance(greeting, Greeting)  # the greeting always comes first
        self._challenge = greeting.challenge
        if greeting.text == SPEAKS_TLS:
            raise LinkFailed(_("The server at {server} speaks TLS: add --tls.", server=me.server))
        if greeting.is_rejection:
            raise ConnectionEnded(greeting.text)
        if greeting.version != VERSION:
            raise LinkFailed(
                _(
                    "The server speaks version {version} of the protocol, this client {ours}.",
                    version=greeting.version,
                    ours=VERSION,
                )
            )
        if not me.bot and current_language() != ENGLISH:  # each connection begins in English
            lang = Lang(id=1, lang=current_language())
            number(lang)
            self.add_request(lang)
            await self.send_outbox()
            await self._expect()
        code = "" if known else me.code
        token = secrets.token_hex(16) if code else tokens.get(me.server, me.name)
        made = "" if token else secrets.token_hex(16)
        token = token or tokens.put(me.server, me.name, made)
        # False if another process has stored a token first, and may have taken the name with it
        is_fresh = token == made
        self.took_name = is_fresh or bool(code)
        earlier = ""  # the stored token that a new one has replaced; "" if none was replaced
        while True:
            hello = Hello(
                id=1,
                name=me.name,
                session=session,
                code=code,
                key=token_key(token).hex() if self.took_name else "",
                proof="" if self.took_name else make_proof(token, greeting.challenge, me.name),
                bot=me.bot,
                games=me.games,
                client=me.client,
                tables=me.tables,
                wants=me.wants,
                hear=me.hears,
            )
            number(hello)
            self.add_request(hello)
            await self.send_outbox()
            reply = await self._expect()
            if isinstance(reply, Welcome) and reply.name != me.name:
                raise ConnectionEnded(_("the server broke the protocol: {text}", text=f"name {reply.name}"))
            if isinstance(reply, Welcome):
                if code:
                    tokens.drop(me.server, me.name)
                    tokens.put(me.server, me.name, token)
                return reply
            if not isinstance(reply, Error):
                raise ConnectionEnded(_("the server did not answer hello"))
            if reply.code == "unknown_name" and not self.took_name:
                self.took_name = True
                if not tokens.assigned:
                    # the key and a proof of the same token would together reveal the token
                    earlier, token = token, secrets.token_hex(16)
                    tokens.drop(me.server, me.name)
                    # stored before it is used, as the server's answer may be lost
                    tokens.put(me.server, me.name, token)
            elif (known or (me.bot and reply.wait)) and reply.again:
                raise ConnectionEnded(reply.text, reply.wait)
            else:
                # after "storage" the server may still have the name
                if (is_fresh or earlier) and reply.code != "storage":
                    tokens.drop(me.server, me.name)
                    if earlier:
                        tokens.put(me.server, me.name, earlier)
                raise Refused(reply)

    async def _expect(self) -> Greeting | Message:
        while (event := self.next_message()) is None:
            await self.receive_bytes()
        return event


# The most frequent error messages of the operating system for connections. Only these are translated.
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


def system_error_text(error: OSError) -> str:
    """Returns the operating system's message, such as "Connection refused", for an error of trio. The error may contain
    a group with one error for each address that was tried."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return _(os.strerror(cause.errno) if cause.errno and cause.errno > 0 else cause.strerror)
        cause = cause.exceptions[-1] if isinstance(cause, BaseExceptionGroup) else cause.__cause__
    return str(error)
