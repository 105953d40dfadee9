"""Tracks which numbered messages of each table the client has received, and what it must request after it has connected
again. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Union

from games.unions import convert_union
from matches.language import _
from protocol.errors import RemoteProtocolError
from protocol.messages import (
    TOLD,
    Left,
    MatchStarted,
    Message,
    Over,
    PastMessages,
    Reply,
    Resumed,
    Seated,
    TableInfo,
    TableReply,
    TurnUpdate,
    Watching,
)

_Told: Any = Union[TOLD]  # noqa: UP007 (the union is made from a tuple)


@dataclass(frozen=True, slots=True)
class CatchUpPlan:
    """The requests that a client must send after it has connected again, and the tables that it must give up.

    Attributes:
        resume: The player's tables to resume, each with the number of the last message received.
        watch: Tables to watch again.
        gone: Tables where the player no longer has a seat.
        rewound: Tables whose latest messages the server has lost.
    """

    resume: tuple[tuple[str, int], ...]
    watch: tuple[str, ...]
    gone: tuple[str, ...]
    rewound: tuple[str, ...] = ()


class CatchUp:
    """Turns the messages of several connections, with gaps and repetitions, into one complete sequence for each table.

    Callers pass each numbered message to `take`, or each page of a table's log to `told`. Both return every message
    once, in order. While a seat is resumed that has nothing to decide now, its turn messages are dropped, because these
    decisions are already made.
    """

    def __init__(self, *, gaps: bool = False) -> None:
        self._gaps = gaps  # numbers may be missing, because the server also counts events that it does not send
        self._last: dict[str, int] = {}  # number of the last message received, by table
        self._seats: set[str] = set()  # tables where the player sits, as far as the client knows
        self._watched: set[str] = set()
        self._left: set[str] = set()  # tables left on purpose, which are not resumed
        self._ended: set[str] = set()  # the player's matches whose end was received
        self._questions: dict[int, str] = {}  # table by request id, for requests sent on this connection
        self._over: set[str] = set()  # finished tables in the `welcome` message that need no resume
        # resumed tables: number of the last message that is sent again; None until the server has answered `resume`
        self._until: dict[str, int | None] = {}
        self._clock: dict[str, float] = {}  # resumed tables: seconds left for the seat's current decision
        # tables watched again: new messages, held until the missed ones have come from the log
        self._held: dict[str, list[Message]] = {}

    @property
    def is_behind(self) -> bool:
        """Whether the client still waits for messages that it missed while it was disconnected."""
        return bool(self._until or self._held)

    def last_number(self, table: str) -> int:
        """Returns the number of the last message received from a table."""
        return self._last.get(table, 0)

    # -- received messages ---------------------------------------------------------------------------------------------

    def process_message(self, message: Message) -> tuple[Message, ...]:
        """Returns the messages that the caller can process now: this message, or none if it is a repetition, is held,
        or is an outdated turn. Raises RemoteProtocolError if an earlier message is missing."""
        number = getattr(message, "n", 0)
        if not number:
            if type(message) is Seated:
                self._sit(message.info.table)
            return (message,)
        table: str = message.table  # type: ignore[attr-defined]  # every numbered message has a table
        if table in self._held:
            self._held[table].append(message)
            return ()
        last = self._last.get(table, 0)
        if number <= last or table in self._left:  # a repetition, or sent before the server knew that the player left
            return ()
        if number != last + 1 and not self._gaps:
            raise RemoteProtocolError(
                "bad_cursor", _("Message {number} of table {table} is missing.", number=last + 1, table=table)
            )
        decided = isinstance(message, TurnUpdate) and self._until.get(table) is not None and table not in self._clock
        self._advance(table, number, message)
        return () if decided else (message,)

    def update_from_reply(self, reply: Reply) -> None:
        """Updates the tables where the player sits or watches from the server's answer to a request."""
        if type(reply) is TableReply and reply.seat and reply.info.state != "over":
            self._sit(reply.info.table)
        elif type(reply) is Watching:
            self._watched.add(reply.table)
            self._left.discard(reply.table)
            self._last[reply.table] = reply.n
        elif type(reply) is Left:
            self.forget_table(reply.table)
        elif type(reply) is Resumed:
            self._sit(reply.table)
            self._last[reply.table] = reply.after
            self.handle_resumed(reply)

    def forget_table(self, table: str) -> None:
        """Forgets a table that the player left, so that it is not resumed after a new connection."""
        for mine in (self._seats, self._watched):
            mine.discard(table)
        for kept in (self._until, self._held, self._clock, self._last):
            kept.pop(table, None)
        self._left.add(table)

    def _sit(self, table: str) -> None:
        self._seats.add(table)
        self._left.discard(table)
        self._ended.discard(table)  # a server restored from a backup may give the id of a lost table to a new one

    def _advance(self, table: str, number: int, message: Message) -> None:
        self._last[table] = number
        kind = type(message)
        if kind is MatchStarted and message.you:  # type: ignore[attr-defined]
            self._sit(table)
        elif isinstance(message, TurnUpdate) and table in self._clock:
            message.left = self._clock[table]  # the time left now, not when the turn was first sent
        elif kind is Over:
            if table in self._seats:
                self._ended.add(table)
            self._seats.discard(table)
            self._watched.discard(table)
            self._last.pop(table)
        if table in self._until:
            until = self._until[table]
            if kind is Over or (until is not None and number >= until):
                del self._until[table]
                self._clock.pop(table, None)

    # -- a new connection ----------------------------------------------------------------------------------------------

    def plan_catch_up(self, seats: Iterable[TableInfo]) -> CatchUpPlan:
        """Returns what to do on a new connection, given the tables that the server's `welcome` message lists."""
        self._questions.clear()
        listed = {info.table: info.state for info in seats}
        gone = [table for table in sorted(self._seats) if table not in listed]
        for table in gone:
            self.forget_table(table)
            self._left.discard(table)  # not left on purpose: a request for a seat there may be pending
        rewound = [table for table, state in listed.items() if self._is_rewound(table, state)]
        for table in rewound:
            self.forget_messages(table)
            self._ended.discard(table)
            self._left.discard(table)  # the server has also lost that the player left
        resume = [
            (table, self.last_number(table))
            for table, state in listed.items()
            if table not in self._left and (state == "playing" or (state == "over" and table in self._seats))
        ]
        self._until = dict.fromkeys((table for table, _after in resume), None)
        self._over = {table for table, state in listed.items() if state == "over"} - self._until.keys()
        self._clock.clear()
        self._held = {table: [] for table in sorted(self._watched)}
        return CatchUpPlan(tuple(resume), tuple(self._held), tuple(gone), tuple(rewound))

    def _is_rewound(self, table: str, state: str) -> bool:
        """Returns whether the listed state of a table is earlier than the messages received, as after a restore."""
        ended = table in self._ended
        return (state == "playing" and ended) or (state == "open" and (ended or self.last_number(table) > 0))

    def table_to_resume(self, reply: Reply) -> str:
        """Returns the table that must be resumed after this answer; "" if there is none.

        Such an answer was repeated after a lost connection. It gives the player a seat at a table whose match has begun
        and ended in the meantime, so that the client has received none of its messages.
        """
        if type(reply) is not TableReply or not reply.seat or reply.info.table not in self._over:
            return ""
        self._over.discard(reply.info.table)
        self._until[reply.info.table] = None
        return reply.info.table

    def record_request(self, request_id: int, table: str) -> None:
        """Records that a request about a table was sent on this connection, so that `answers` can tell its table."""
        self._questions[request_id] = table

    def pop_request_table(self, request_id: int) -> str | None:
        """Returns the table of the recorded request with this id, and forgets the request; None if there is none."""
        return self._questions.pop(request_id, None)

    def handle_resumed(self, reply: Resumed) -> None:
        """Handles the answer to `resume`, after which the server sends the missed messages of the seat."""
        table = reply.table
        if reply.n <= self.last_number(table):
            self._until.pop(table, None)
            return
        self._until[table] = reply.n
        for clock in reply.clocks:
            if clock.seat == reply.seat and clock.running:
                self._clock[table] = clock.left

    def forget_messages(self, table: str) -> bool:
        """Forgets the messages of a table whose latest messages the server lost.

        Returns:
            Whether any message had been received.
        """
        self._clock.pop(table, None)
        return self._last.pop(table, 0) > 0

    def handle_watching(self, reply: Watching) -> bool:
        """Handles the answer to a request to watch a table again. Returns True if the client missed messages, and must
        request them from the table's log."""
        if reply.n > self.last_number(reply.table):
            return True
        self._held.pop(reply.table, None)
        return False

    def handle_refusal(self, table: str) -> bool:
        """Handles a refused request about a table. If the player was a spectator there, forgets the table and returns
        True."""
        if table not in self._watched:
            return False
        self.forget_table(table)
        self._left.discard(table)  # not left on purpose
        return True

    def handle_past_messages(self, reply: PastMessages) -> list[Message]:
        """Returns the messages in one page of a table's log that are new to the client. With the last page, it also
        returns the newer messages that were held meanwhile."""
        told: list[Message] = []
        table = reply.table
        held = self._held.pop(table, [])
        for plain in reply.messages:
            told += self.process_message(convert_union(plain, _Told))
        if reply.more:
            self._held[table] = held
        elif table in self._watched:  # otherwise the match has ended, and the log contained all held messages
            for message in held:
                told += self.process_message(message)
        return told
