"""One peer: reads its requests, has them answered, tells it what tables say. What it is told goes to its outbox."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial

import trio

from protocol import limits
from protocol.connection import NEED_DATA, PEER_CLOSED, ServerConnection
from protocol.errors import Refusal
from protocol.exchanges import EXCHANGES
from protocol.messages import Accepted, AreYouThere, Message, Request
from protocol.text.telnet import Answer, Keys, Line
from server.answers import error_message, goodbye
from server.desk.context import Steps
from server.desk.desk import Desk
from server.desk.lobby import Lobby
from server.desk.typist import Typist
from server.net.outbox import Outbox
from server.net.slices import Slice
from server.net.text_face import TextFace
from server.net.wire import Wire
from server.player import Player

log = logging.getLogger("magehall.session")

TURNED_AWAY_SECONDS = 5.0  # for a peer that says nothing to a full server
REQUESTS_A_SLICE = 16  # then others get their turn; earlier, if these take long
ANSWER_COST = 0.1  # of a request: telnet asks for an option, and is answered


class Session:
    """One connection from greeting to goodbye. `run` is its task; everything else is called by tables and the desk."""

    # A dictionary of so many attributes would be the largest part of an idle session.
    __slots__ = (  # noqa: SIM905  # a list would take thirty lines
        "_answering _asked _bad_proofs _before_hello _charged _connection _desk _errors _full _heard _later _lobby "
        "_login _meters _more _nothing _nursery _outbox _price _scope _server _sign_until _steps _text _unpaid _wire address "
        "challenge ended is_operator player"
    ).split()

    def __init__(
        self,
        wire: Wire,
        lobby: Lobby,
        nursery: trio.Nursery,
        server: str,
        *,
        address: Hashable = None,
        full: bool = False,
    ) -> None:
        self.player: Player | None = None
        self.is_operator = False
        self.challenge = secrets.token_hex(16)
        self.ended = ""  # the reason once the session ends
        self._wire, self._lobby, self._nursery = wire, lobby, nursery
        self._server = server
        self._full = full  # the server is full: the peer is told so when it says something
        self._connection = ServerConnection()
        self._desk = Desk(lobby, self, server)
        self._text: TextFace | None = None
        self._outbox = Outbox(wire, lobby.config, nursery, partial(self.end, "slow_reader"))
        self._answering: Request | None = None
        self._steps: tuple[Request, Steps] | None = None  # a long answer that is being worked out
        self._errors = self._bad_proofs = 0
        self._before_hello = 0  # requests
        self._meters = [lobby.meter(), lobby.address_meter(address)]  # its own until it has a name, and its address's
        self.address = address
        self._heard = trio.current_time()  # when anything came last
        self._asked, self._sign_until = False, 0.0  # for a sign of life since then, and until when
        self._nothing = 0  # times in a row that lines or keys came which ask nothing
        self._unpaid = 0  # bytes read that were not charged yet
        self._price = 0.0  # of the current request, in plain requests; an accepted action costs nothing
        self._charged = False  # whether the current typed line became a request
        self._more = False  # requests are waiting that were read already
        self._scope = trio.CancelScope()
        self._login = trio.CancelScope()
        self._later: list[Callable[[], None]] = []

    # -- the task ------------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Serves the peer until one side ends it. Raises nothing but cancellation."""
        try:
            self._outbox.put(self._connection.greeting(self._server, self.challenge))
            with self._scope:
                patience = TURNED_AWAY_SECONDS if self._full else self._lobby.config.login_seconds
                self._login.deadline = trio.current_time() + patience
                with self._login:
                    await self._serve()
                if self._login.cancelled_caught and self._full:
                    self._refuse(Refusal("server_full"))
                elif self._login.cancelled_caught:
                    self.end("login_timeout")
        except Exception:
            self._fail()
        finally:
            self._leave()
            with trio.CancelScope(shield=True, deadline=trio.current_time() + 2):
                await self._close()

    async def _serve(self) -> None:
        while not self.ended:
            await self._wire.pass_on(self._take)
            while (self._more or self._is_overdrawn()) and not (self.ended or self._wire.broken):
                await self._pause()
                async with self._lobby.queue:
                    self._more = self._handle_events()

    def _take(self, data: bytes) -> bool:
        """Takes bytes that came. False if reading has to wait, because the session ends or others come first."""
        if self.ended:
            return False
        now = trio.current_time()
        if now > self._heard + 1:
            self._nothing = 0
        self._heard, self._asked = now, False
        self._connection.receive_data(data)
        self._unpaid += len(data)
        self._more = self._handle_events()
        if self._wire.broken:
            self.ended = self.ended or "lost"
        return not (self._more or self.ended or self._is_overdrawn())

    def _handle_events(self) -> bool:
        """Handles part of what has been received; True if there may be more."""
        self._outbox.hold()
        try:
            part = Slice()
            for _ in range(REQUESTS_A_SLICE):
                if self._steps is not None:
                    self._take_step()
                    if self._steps is not None:
                        return True
                if self.ended or self._one_event() or (self._steps is None and self._connection.is_empty):
                    self._pay_for_bytes()
                    return False
                if self._is_overdrawn() or part.is_over:
                    return True
            return True
        finally:
            self._outbox.release()

    async def _pause(self) -> None:
        """Lets others run, and waits until the peer has some of its allowance again."""
        now = trio.current_time()
        await trio.sleep(max(meter.wait(now) for meter in self._meters))

    def _is_overdrawn(self) -> bool:
        own, address = self._meters
        return own.overdrawn or address.overdrawn

    def _pay_for_bytes(self) -> None:
        """Charges bytes that belong to no request, or to a long one."""
        if self._unpaid > 0:
            self.charge(self._unpaid / limits.BYTES_A_REQUEST)
        self._unpaid = 0

    def charge(self, work: float) -> None:
        """This peer caused so much work, in plain requests."""
        own, address = self._meters
        own.charge(work)
        address.charge(work)

    def _one_event(self) -> bool:
        """Handles the next event; True when there is none to handle yet."""
        try:
            event = self._connection.next_event()
            if event is NEED_DATA:
                return True
            if event is PEER_CLOSED:
                self.end("closed")
            elif isinstance(event, Answer):
                self.charge(ANSWER_COST)
                self._outbox.put(event.data)
            elif isinstance(event, Line):
                self._line(event.text)
            elif isinstance(event, Keys):
                self._ask_nothing()
            else:
                self.carry_out(event)
        except Refusal as error:
            self._refuse(error)
        return False

    def ask_for_a_sign(self, now: float) -> None:
        """Asks a program that has been silent for long whether it is there, and ends a session that did not answer.

        People may think as long as they like; of a line that is dead the kernel's keepalive tells.
        """
        config, silent = self._lobby.config, now - self._heard
        if self.player is None or self._connection.face == "text" or silent < config.silent_seconds:
            return
        if not self._asked:
            self._asked = True
            self._sign_until = now + config.sign_seconds
            self.push((AreYouThere(seconds=config.sign_seconds),))
        elif now >= self._sign_until:
            self.end("silent")

    # -- requests ------------------------------------------------------------------------------------------------------

    def _line(self, text: str) -> None:
        if self._full:
            raise Refusal("server_full")
        self._charged = False
        shown = (self._text or self._text_face()).typed(text)
        if shown:
            self._outbox.put(self._connection.send_text(shown))
        if not self._charged:  # an empty line, or one that is answered here
            self._ask_nothing()

    def _ask_nothing(self) -> None:
        self.charge(1)
        self._nothing += 1
        if self._nothing > limits.NOTHING_ASKED:
            raise Refusal("too_many_errors", "Too many keys or lines that ask nothing.")

    def _text_face(self) -> TextFace:
        if self._text is None:
            self._text = TextFace(Typist(self._lobby, self), self)
        return self._text

    def carry_out(self, request: Request) -> None:
        """Answers a request, or says why not."""
        self._unpaid -= limits.BYTES_A_REQUEST
        self._charged = True
        self._nothing = 0
        self._price = EXCHANGES[type(request)].weight
        try:
            self._answer(request)
        finally:
            if self._price:
                self.charge(self._price)
        if self._steps is not None:
            self._take_step()

    def _answer(self, request: Request) -> None:
        player = self.player
        if self._full:
            raise Refusal("server_full", re=request.id)
        if player is None:
            self._before_hello += 1
            if self._before_hello > limits.REQUESTS_BEFORE_HELLO:
                raise Refusal("too_many_errors", "Too many requests without a hello.", re=request.id)
        else:
            earlier = player.earlier(request.id, request)
            if earlier is not None:
                self._emit((earlier,))
                return
        self._answering = request
        try:
            answer = self._desk.answer(request)
            if isinstance(answer, Message):
                self.give(answer)
            elif answer is not None:
                self._steps = request, answer
        except Refusal as error:
            error.re = error.re or request.id
            self._refuse(error)
        finally:
            self._answering = None

    def _take_step(self) -> None:
        """Continues a long answer; nothing else is answered before it is given."""
        assert self._steps is not None
        request, steps = self._steps
        self._answering = request
        try:
            next(steps)
        except StopIteration:
            self._steps = None
        except Refusal as error:
            self._steps = None
            error.re = error.re or request.id
            self._refuse(error)
        finally:
            self._answering = None

    def give(self, answer: Message) -> None:
        """Answers the current request. The answer is kept in case the request is repeated."""
        player, request = self.player, self._answering
        if player is not None and request is not None:
            player.answered(request.id, request, answer)
        if type(answer) is Accepted:
            self._price = 0.0
        self._emit((answer,))

    def _refuse(self, error: Refusal) -> None:
        code = error.code
        message = error_message(error, clock_runs=self._is_asked())
        self.give(message)
        if self._answering is None:  # nothing that could be read as a request
            self.charge(1)
            self._errors += self._connection.face != "text"  # people may mistype as often as they like
            if self._errors >= limits.PROTOCOL_ERRORS and not code.closes:
                self._emit((error_message(Refusal("too_many_errors")),))
                self.end("error")
        if code.name == "bad_proof":
            self._bad_proofs += 1
            if self._bad_proofs >= limits.BAD_PROOFS:
                self.end("error")
        if code.closes:
            self.end("error")

    def _is_asked(self) -> bool:
        player = self.player
        return player is not None and any(table.awaited(player) for table in self._lobby.tables_of(player))

    def logged_in(self, player: Player) -> None:
        """From now on this session speaks for the player."""
        self.player, player.address = player, self.address
        player.meter = player.meter or self._meters[0]  # from now on the name's, on this connection and the next ones
        self._meters[0] = player.meter
        self._login.deadline = float("inf")

    @property
    def answering(self) -> bool:
        """Whether a request of this peer is being carried out right now."""
        return self._answering is not None

    def later(self, do: Callable[[], None]) -> None:
        """Does something for this session once the messages that are being told now are out."""
        self._later.append(do)
        if len(self._later) == 1:
            self._nursery.start_soon(self._do_later)

    async def _do_later(self) -> None:
        while self._later and not self.ended:
            await self._pause()
            try:
                async with self._lobby.queue:
                    try:
                        self._later[0]()
                    except Refusal as error:
                        self._refuse(error)
                while self._steps is not None and not self.ended:
                    async with self._lobby.queue:
                        self._take_step()
            except Exception:
                self._fail()
            self._later.pop(0)

    # -- telling -------------------------------------------------------------------------------------------------------

    def push(self, messages: Iterable[Message]) -> None:
        """Tells the peer something. Never waits; an error here ends this session, not the caller's."""
        if not self.ended:
            try:
                self._emit(messages)
            except Exception:
                self._fail()

    def _fail(self) -> None:
        """An error of ours that concerns this peer alone."""
        log.exception("incident %s: session ended", secrets.token_hex(4))
        self.end("internal")

    def catch_up(self, table: str, messages: Sequence[Message]) -> None:
        """Tells everything that was missed at a table, however much it is."""
        before = len(self._outbox)
        self._emit(messages)
        self._outbox.owe(table, len(self._outbox) - before)

    def end(self, reason: str, re: int = 0) -> None:
        """Says goodbye and lets the task close the connection."""
        if self.ended:
            return
        if reason != "slow_reader":
            self._emit((goodbye(reason, re),))
        self.ended = reason
        self._scope.cancel()

    def _emit(self, messages: Iterable[Message]) -> None:
        if self._connection.face not in ("", "text"):
            self._outbox.put(self._connection.send_all(messages))
            return
        text = (self._text or self._text_face()).render(messages)
        if text:
            self._outbox.put(self._connection.send_text(text))

    # -- the end -------------------------------------------------------------------------------------------------------

    def _leave(self) -> None:
        """Seats and tables learn that this connection is gone."""
        try:
            if self.player is not None:
                self._lobby.depart(self.player, self)
            else:
                self._lobby.forget_spectator(self)
            self._note_the_end()
        except Exception:
            log.exception("leaving failed")

    def _note_the_end(self) -> None:
        reason = self.ended or "lost"
        if self.player is not None:
            log.info("session ended: %s (%s)", self.player.name, reason)
        elif times := self._lobby.strangers.times(self.address, trio.current_time()):
            more = f", one of {times} since the last such line" if times > 1 else ""
            log.info("session ended: stranger (%s%s)", reason, more)

    async def _close(self) -> None:
        if self.ended == "slow_reader" or self._wire.broken:
            await self._wire.cut()
            return
        await self._outbox.finish()
        await self._wire.finish()
