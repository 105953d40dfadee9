"""One connection: reads requests, answers them, and sends the messages of tables. All output goes through its
outbox."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import trio

from languages import ENGLISH, speaking
from protocol.connection import NEED_DATA, PEER_CLOSED, ServerConnection
from protocol.errors import Refusal
from protocol.messages import Accepted, Message, Quit, Request, TurnUpdate
from protocol.messages.exchanges import EXCHANGES
from protocol.telnet import TelnetAnswer, TypedLine, UnfinishedKeys
from server.address import Origin
from server.answers import error_message, goodbye_message
from server.desk.context import Steps
from server.desk.desk import Desk
from server.desk.lobby import Lobby
from server.desk.text_session import TextSession
from server.failures import log_failure
from server.fair_share import WorkShare
from server.language import _
from server.log_fields import extra_fields
from server.net.connection_limits import ConnectionLimits
from server.net.liveness import Liveness, LivenessAction
from server.net.outbox import Outbox
from server.net.pending_connections import PendingConnection
from server.net.person_face import PersonFace, without_outdated_turns
from server.net.text_face import TextFace
from server.net.wire import Wire
from server.net.write_coalescing import WriteCoalescer, can_be_delayed
from server.player import Player
from server.time_budget import TimeBudget

log = logging.getLogger("magehall.session")

TURNED_AWAY_SECONDS = 5.0  # time limit for a banned peer to send a line, after which the connection is closed
# most requests handled in one time slice, which ends earlier if they take long; then other peers are served
REQUESTS_A_SLICE = 16
# cost of a wrong proof in plain requests, so that an address can try about 80 proofs per second over all names
GUESS_COST = 10.0
ANSWER_COST = 0.1  # cost of answering a telnet option, in plain requests


def new_challenge() -> str:
    """Returns new random bytes as text, which the peer's proof of its name must include."""
    return secrets.token_hex(16)


class Session:
    """One connection, from the greeting to the goodbye. `run` is its task. Tables and the desk call the other
    methods."""

    def __init__(
        self,
        wire: Wire,
        lobby: Lobby,
        nursery: trio.Nursery,
        server: str,
        lingering: WriteCoalescer,
        *,
        share: WorkShare,
        place: PendingConnection | None = None,
        greeted: tuple[str, float] | None = None,
        origin: Origin = Origin(),  # noqa: B008 (a default that is created once, which is safe because it is immutable)
        refusal: Refusal | None = None,
        connection: ServerConnection | None = None,
        make_face: Callable[[TextSession, Session], PersonFace] = TextFace,
    ) -> None:
        self.player: Player | None = None
        self.origin, self.address = origin, origin.address
        self.number = next(lobby.session_numbers)  # identifies the session in the log
        self.is_operator, self.language, self.said_language = False, ENGLISH, False
        self.challenge, self._since = greeted or (new_challenge(), trio.current_time())
        self._is_greeted = greeted is not None
        self.ended = ""  # why the session has ended; "" while it runs
        self._wire, self._lobby, self._nursery, self._server = wire, lobby, nursery, server
        # the reason for not admitting the peer, which is sent after the peer's first line; None for an admitted peer
        self._refusal = refusal
        self._connection, self._make_face = connection or ServerConnection(), make_face
        self._desk = Desk(lobby, self, server)
        self._outbox = Outbox(wire, lobby.config, nursery, self, lobby.journal, lingering)
        # the journal batch with the session's hello, and the number of journal writes when the current request came
        self._named_in = self._written = 0
        self._answering: Request | None = None
        self._steps: tuple[Request, Steps] | None = None  # a request whose long answer is being computed in steps
        self._account = ConnectionLimits(
            lobby.limits.new_bucket(), lobby.limits.stranger_buckets(origin.address), trio.current_time(), lobby.config
        )
        self._share, self._place = share, place
        self._sign, self.catches_up = Liveness(trio.current_time()), self._outbox.must_delay_catch_up
        self._came: float  # when the latest bytes arrived
        self._rest: float  # seconds until the next step of a long answer
        self._price: float  # cost of the current request, in plain requests; an accepted action costs nothing
        # whether the peer had received everything, including a new code, when its latest bytes arrived
        self._told_before = False
        # whether the current typed line became a request, and whether input is left that was already read
        self._charged = self._more = False
        self._scope = trio.CancelScope()  # its deadline is the time limit for a hello
        # calls scheduled by `later`, and whether they are being made; a tuple, because an empty list per session takes
        # memory
        self._later, self._does_later = tuple[Callable[[], None], ...](), False

    # -- the task of the session ---------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Serves the peer until one side ends the connection. Raises only trio.Cancelled."""
        if self._place is not None:
            self._place.turn_away = self._turn_away
        try:
            if not self._is_greeted:
                self._outbox.send_bytes(self._connection.greeting_line(self._server, self.challenge))
            patience = TURNED_AWAY_SECONDS if self._refusal else self._lobby.config.login_seconds
            self._scope.deadline = self._since + patience
            with self._scope:
                await self._serve()
            if not self.ended and self._refusal:
                self._refuse(self._refusal)
            elif not self.ended:
                self.end("login_timeout")
        except Exception:
            self._fail()
        finally:
            self._leave()
            with trio.CancelScope(shield=True):
                await self._close()
            self._outbox.discard_bytes()

    async def _serve(self) -> None:
        while not self.ended:
            await self._wire.deliver_input(self._take)
            # if the session ends, this loop is cancelled
            while (self._more or self._account.is_overdrawn) and not self._wire.broken:
                await self._pause()
                async with self._lobby.queue.held_for(self._share):
                    self._more = self._handle_events()

    def _take(self, data: bytes) -> bool:
        """Handles bytes that have arrived. Returns False if reading must stop for now, because the session has ended,
        input is left, or the peer's allowance is overdrawn."""
        if self.ended:
            return False
        self._came = now = trio.current_time()
        self._sign.record_input(now)
        if self.player is not None and self.player.codes.is_unseen:
            self._told_before = not len(self._outbox) and self._wire.is_all_acknowledged
        self._account.record_bytes_read(len(data), now)
        self._connection.receive_data(data)
        self._more = self._handle_events()
        if self._wire.broken:
            self.ended = self.ended or "lost"
        return not (self._more or self.ended or self._account.is_overdrawn)

    def _handle_events(self) -> bool:
        """Handles input that was received, for one time slice. Returns True if some may be left."""
        self._outbox.start_batching()
        try:
            part: TimeBudget | None = None  # created after the first event, because most reads contain only one request
            for _number in range(REQUESTS_A_SLICE):
                with speaking(self.language):  # the previous event may have changed the language
                    # the session may have ended while this task waited for the lock
                    if self._steps is not None and not self.ended:
                        self._take_step()
                        if self._steps is not None:
                            return True
                    if self.ended or self._one_event() or (self._steps is None and self._connection.is_input_empty):
                        self._account.charge_for_bytes()
                        return False
                if self._account.is_overdrawn or (part is not None and part.is_over):
                    return True
                part = part or TimeBudget()
            return True
        finally:
            self._outbox.release()

    async def _pause(self) -> None:
        """Lets other tasks run, and waits until the peer's allowance is not overdrawn any more."""
        rest = self._rest if self._steps is not None else 0.0
        await trio.sleep(max(rest, self._account.seconds_to_wait(trio.current_time())))

    def charge(self, work: float) -> None:
        """Charges work to this peer, in plain requests."""
        self._account.charge(work)

    def _one_event(self) -> bool:
        """Handles the next event of the input. Returns True if there is none now."""
        try:
            event = self._connection.next_event()
            if event is NEED_DATA:
                return True
            if event is PEER_CLOSED:
                self.end("closed")
            elif isinstance(event, TelnetAnswer):
                self.charge(ANSWER_COST)
                self._outbox.send_bytes(event.data)
            elif self._refusal and not isinstance(event, UnfinishedKeys):
                self._refusal.re = getattr(event, "id", 0)
                raise self._refusal
            elif isinstance(event, TypedLine):
                self._note_arrival()
                self._line(event.text)
            elif isinstance(event, UnfinishedKeys):
                self._account.count_empty_input()
            else:
                self._note_arrival()
                self.handle_request(event)
        except Refusal as error:
            self._refuse(error)
        return False

    def _note_arrival(self) -> None:
        """Records that the peer has received all messages, including a new code. Called when the peer sends a further
        request.

        Bytes that arrive right after the hello prove nothing, because the peer may have sent them before it got the
        welcome.
        """
        if self._told_before and self.player is not None and not self._lobby.journal.failing:
            self._told_before = False
            self.player.confirm_welcome()

    def check_liveness(self, now: float) -> None:
        """Pings a peer that has been silent for long. Ends the session if the peer has not answered a ping."""
        if self.player is None or self.ended:
            return
        config = self._lobby.config
        step = self._sign.next_action(self._connection, config, now)
        if step is LivenessAction.GIVE_UP:
            self.end("silent")
        elif step is LivenessAction.ASK:
            try:
                self._outbox.send_bytes(self._connection.encode_are_you_there(config.sign_seconds))
            except Exception:
                self._fail()

    # -- requests ------------------------------------------------------------------------------------------------------

    def _line(self, text: str) -> None:
        self._charged = False
        refused = self._text.handle_line(text)
        if refused is not None:
            self._lobby.refusals.count_refusal(refused.code.name, self.address)
            self.charge(1)
        elif not self._charged:  # the line was empty, or needed no request
            self._account.count_empty_input()

    def send_text(self, text: str) -> None:
        """Sends a text that answers no request to a person who types."""
        if text:
            self._outbox.send_bytes(self._connection.send_text(text))

    @cached_property
    def _text(self) -> PersonFace:
        return self._make_face(TextSession(self._lobby, self), self)

    def handle_request(self, request: Request) -> None:
        """Answers a request, or sends the reason why it was refused."""
        self._account.record_request()
        self._charged = True
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
        if player is None:
            self._account.count_stranger_request(request.id)
        else:
            earlier = player.find_stored_answer(request.id, request)
            if earlier is not None:
                self._emit((self._desk.repeat_answer(earlier),), request.id)
                return
        self._answering, self._written = request, self._lobby.journal.writes
        try:
            if self._lobby.journal.failing and not EXCHANGES[type(request)].question and type(request) is not Quit:
                raise Refusal("storage")
            answer = self._desk.answer(request)
            if isinstance(answer, Message):
                self.send_answer(answer)
            elif answer is not None:
                self._steps = request, answer
        except Refusal as error:
            # lowers the price, because a pasted page would otherwise delay the next typed line for long
            if error.code.name == "talk_too_fast":
                self._price = self._lobby.config.refused_talk
            error.re = error.re or request.id
            self._refuse(error)
        finally:
            self._answering = None

    def _take_step(self) -> None:
        """Takes the next step of a long answer. Other requests wait until the answer is complete."""
        assert self._steps is not None
        request, steps = self._steps
        self._answering, self._written = request, self._lobby.journal.writes
        try:
            self._rest = next(steps)
        except StopIteration:
            self._steps = None
        except Refusal as error:
            self._steps = None
            error.re = error.re or request.id
            self._refuse(error)
        finally:
            self._answering = None

    def send_answer(self, answer: Message) -> None:
        """Sends the answer to the current request, and stores it in case the request is repeated."""
        player, request = self.player, self._answering
        if player is not None and request is not None:
            player.store_answer(request.id, request, answer)
        if self._lobby.journal.writes != self._written:
            self.hold_until_committed(self._lobby.journal.last_position)
        if accepted := type(answer) is Accepted:
            self._price = 0.0
            self._lobby.health.record_decision(self._came)
        lingers = accepted and player is not None and player.batches_all
        self._emit((answer,), request.id if request is not None else 0, lingers=lingers)

    def _refuse(self, error: Refusal) -> None:
        code = error.code
        self._lobby.refusals.count_refusal(code.name, self.address)
        closes = code.closes
        if code.name in ("bad_proof", "slow_down"):
            self.charge(GUESS_COST)
            closes = self._account.count_wrong_proof()
        self.send_answer(
            error_message(error, clock_runs=self._is_asked() and not self._lobby.journal.failing, closes=closes)
        )
        if self._answering is None:  # the input was no valid request
            self.charge(1)
            people = self._connection.face == "text"  # people may mistype any number of times
            if not people and self._account.count_parse_error() and not code.closes:
                text = _(
                    "{count} messages could not be read, which is the limit of a connection. Fix the program that "
                    "sends them and connect again.",
                    count=self._lobby.config.protocol_errors,
                )
                self._emit((error_message(Refusal("too_many_errors", text)),))
                self.end("error")
        if closes:
            self.end("error")

    def _turn_away(self, refusal: Refusal) -> None:
        """Refuses a connection without a name that must make room for another one."""
        if not self.ended:
            with speaking(self.language):
                self._refuse(refusal)

    def _is_asked(self) -> bool:
        return (me := self.player) is not None and any(
            table.deciding_seat(me) for table in self._lobby.tables.tables_of_player(me)
        )

    def set_player(self, player: Player) -> None:
        """Attaches the session to its player after a successful hello."""
        self.player, player.address = player, self.address
        self._named_in = self._lobby.journal.last_position
        player.meter = self._account.assign_to_name(
            player.meter, self._lobby.limits.address_buckets(self.address), player.tables
        )
        self._share.key, self._share.seats = player, player.tables
        if self._place is not None:
            self._place.free_place()
            self._place = None
        self._scope.deadline = float("inf")
        log.info("%s is here, as a %s", player.name, player.kind, extra=self._fields("session_began"))

    def _fields(self, event: str, reason: str = "", **more: object) -> dict[str, Any]:
        """Returns the fields of a log line about this session."""
        name, kind = (self.player.name, self.player.kind) if self.player is not None else ("", "")
        who = {"session": self.number, "name": name, "kind": kind, "address": self.address}
        return extra_fields(event, **who, reason=reason, **more)

    @property
    def columns(self) -> int:
        """The width of the peer's terminal in columns; 0 if the peer did not send it."""
        return self._connection.terminal_columns

    @property
    def is_busy(self) -> bool:
        """Whether a long answer is being computed, so that other requests have to wait."""
        return self._steps is not None

    def call_soon(self, do: Callable[[], None]) -> None:
        """Schedules a call of `do` for this session after the messages that are being sent now."""
        self._later += (do,)
        if not self._does_later:
            self._does_later = True
            self._nursery.start_soon(self._do_later)

    def call_at(self, time: float, do: Callable[[], None]) -> None:
        """Schedules a call of `do` for this session at that time, in seconds of trio's clock."""
        self._nursery.start_soon(self._wait_until, time, do)

    async def _wait_until(self, time: float, do: Callable[[], None]) -> None:
        await trio.sleep_until(time)
        if not self.ended:
            self._came = time
            self.call_soon(do)

    async def _do_later(self) -> None:
        while (self._later or self._steps is not None) and not self.ended:
            await self._pause()
            async with self._lobby.queue.held_for(self._share):
                try:
                    with speaking(self.language):
                        self._do_one()
                except Exception:
                    self._fail()
        self._does_later = False

    def _do_one(self) -> None:
        """Takes the next step of a long answer, or else makes the next call that was scheduled."""
        if self._steps is not None and not self.ended:
            self._take_step()
        elif self._later and not self.ended:  # the session may have ended while this task waited for the lock
            do, self._later = self._later[0], self._later[1:]
            try:
                do()
            except Refusal as error:
                self._refuse(error)

    # -- output --------------------------------------------------------------------------------------------------------

    def push(self, messages: Sequence[Message], *, live: bool = True, kept: bool = False) -> None:
        """Sends messages to the peer. Never waits. If this fails, the session ends, and the caller gets no
        exception."""
        if not self.ended:
            try:
                patient = not live and (player := self.player) is not None and player.batches_events
                self._emit(messages, lingers=patient and can_be_delayed(messages), kept=kept)
            except Exception:
                self._fail()

    def _fail(self) -> None:
        """Logs an unexpected exception under an incident number, and ends the session."""
        incident = secrets.token_hex(4)
        log_failure(log, "incident %s: session ended", incident, incident=incident, session=self.number)
        self.end("internal")

    def send_missed_messages(self, table: str, messages: Sequence[Message], turn: TurnUpdate | None) -> None:
        """Sends all messages that the player missed at a table, beyond the outbox's limit. `turn` is the decision that
        is open now; None if there is none."""
        before = len(self._outbox)
        self._emit(messages if self._connection.face != "text" else without_outdated_turns(messages, turn))
        self._outbox.raise_limit(table, len(self._outbox) - before)

    def end(self, reason: str, re: int = 0, *, why: str = "") -> None:
        """Sends a goodbye with the code `reason` and the operator's explanation `why`, and cancels the task, which
        closes the connection."""
        if self.ended:
            return
        if reason != "slow_reader":
            self._emit((goodbye_message(reason, re, self.language, why),))
        self.ended = reason
        self._scope.cancel()

    def hold_until_committed(self, position: int) -> None:
        """Holds back all further output until batch `position` of the journal is on disk."""
        self._outbox.hold_until_committed(position)

    def end_slow_connection(self) -> None:
        """Ends the session without a goodbye, because a peer that reads too slowly would not receive one."""
        self.end("slow_reader")

    def refuse_lost_requests(self, requests: list[int]) -> None:
        """Answers requests with a `storage` error, because their changes could not be stored and were undone.
        `requests` has their ids."""
        if self._steps is not None:
            requests, self._steps = [*requests, self._steps[0].id], None
        if not self.ended:
            with speaking(self.language):
                self._emit([error_message(Refusal("storage"), re) for re in requests])
            if self._connection.face == "text":
                self._text.show_open_decisions()
            if self._named_in > self._lobby.journal.durable:
                self.end("error")

    def _emit(self, messages: Iterable[Message], re: int = 0, *, lingers: bool = False, kept: bool = False) -> None:
        if self._connection.face not in ("", "text"):
            self._outbox.send_bytes(self._connection.send_all(messages), re, lingers=lingers, kept=kept)
            return
        text = self._text.render(messages)
        if text or re:  # even an empty answer may have to wait for the disk, and be lost
            self._outbox.send_bytes(self._connection.send_text(text), re, kept=kept)

    # -- the end of the session ----------------------------------------------------------------------------------------

    def _leave(self) -> None:
        """Detaches the player from this session, and logs the end of the session."""
        try:
            reason = self.ended or "lost"
            if self._is_over_for_all:
                if self.player is not None:
                    self._lobby.presence.disconnect_player(self.player, self, "away")
                return
            if self.player is not None:
                self._lobby.presence.disconnect_player(self.player, self, "left" if reason == "quit" else "away")
                told = self._fields("session_ended", reason)
                log.info("session ended: %s (%s)", self.player.name, reason, extra=told)
                return
            self._lobby.subscriptions.remove_session(self)
            if times := self._lobby.strangers.count_if_due(self.address, trio.current_time()):
                more = f", one of {times} since the last such line" if times > 1 else ""
                told = self._fields("stranger_left", reason, count=times)
                log.info("session ended: stranger (%s%s)", reason, more, extra=told)
        except Exception:
            log_failure(log, "leaving failed")

    async def _close(self) -> None:
        if self.ended == "slow_reader" or self._wire.broken:
            await self._wire.abort()
            return
        await self._outbox.send_remaining()
        if self._is_over_for_all:
            self._wire.send_eof()
            await self._lobby.service.goodbye_is_read.wait()
            await self._wire.abort()
            return
        await self._wire.close_gracefully()

    @property
    def _is_over_for_all(self) -> bool:
        """Whether the session ends because the server shuts down.

        Thousands of sessions may then end at the same time, so they log no line and do not wait for their peers.
        """
        return self.ended == "shutdown" and self._lobby.service.closing
