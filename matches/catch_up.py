"""Tracks which messages of each table were received, and what a new connection must request. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Union

from games.unions import converted
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

_Told: Any = Union[TOLD]  # noqa: UP007 (made from a tuple)


@dataclass(frozen=True, slots=True)
class CatchUpPlan:
    """The steps for a new connection.

    Attributes:
        resume: Tables to resume, each with the number of the last message received.
        watch: Tables to watch again.
        gone: Tables where the player no longer has a seat.
        rewound: Tables whose latest messages the server has lost.
    """

    resume: tuple[tuple[str, int], ...]
    watch: tuple[str, ...]
    gone: tuple[str, ...]
    rewound: tuple[str, ...] = ()


class CatchUp:
    """Turns messages with gaps and repetitions into a complete sequence. Mutable.

    Every numbered message goes in by `take` or `told` and comes out once, in order. Only outdated turns are dropped
    while a seat without a current decision is resumed.
    """

    def __init__(self, *, gaps: bool = False) -> None:
        self._gaps = gaps  # the server counts events that it does not send
        self._last: dict[str, int] = {}  # number of the last message received, by table
        self._seats: set[str] = set()  # tables where the player sits, as far as known
        self._watched: set[str] = set()
        self._left: set[str] = set()  # tables left on purpose, which are not resumed
        self._ended: set[str] = set()  # the player's matches whose end was received
        self._questions: dict[int, str] = {}  # table by request id, for questions of this connection
        self._over: set[str] = set()  # finished tables that the welcome lists and that need no resume
        # resumed tables: number of the last old message; None before the answer
        self._until: dict[str, int | None] = {}
        self._clock: dict[str, float] = {}  # resumed tables: seconds left for the current decision
        self._held: dict[str, list[Message]] = {}  # tables watched again: new messages, until the missed ones have come

    @property
    def behind(self) -> bool:
        """Whether missed messages are still to come."""
        return bool(self._until or self._held)

    def last(self, table: str) -> int:
        """Returns the number of the last message received from a table."""
        return self._last.get(table, 0)

    # -- received messages ---------------------------------------------------------------------------------------------

    def take(self, message: Message) -> tuple[Message, ...]:
        """Returns the messages that can be passed on now. Raises RemoteProtocolError if an earlier message is
        missing."""
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

    def note(self, reply: Reply) -> None:
        """Updates the state from the answer to a request."""
        if type(reply) is TableReply and reply.seat and reply.info.state != "over":
            self._sit(reply.info.table)
        elif type(reply) is Watching:
            self._watched.add(reply.table)
            self._left.discard(reply.table)
            self._last[reply.table] = reply.n
        elif type(reply) is Left:
            self.leave(reply.table)
        elif type(reply) is Resumed:
            self._sit(reply.table)
            self._last[reply.table] = reply.after
            self.resumed(reply)

    def leave(self, table: str) -> None:
        """Forgets the table, which is then not resumed."""
        for mine in (self._seats, self._watched):
            mine.discard(table)
        for kept in (self._until, self._held, self._clock, self._last):
            kept.pop(table, None)
        self._left.add(table)

    def _sit(self, table: str) -> None:
        self._seats.add(table)
        self._left.discard(table)
        self._ended.discard(table)  # a restored server may use the id of a lost table again

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

    def reconnected(self, seats: Iterable[TableInfo]) -> CatchUpPlan:
        """Returns the plan for a new connection, given the tables that the welcome lists."""
        self._questions.clear()
        listed = {info.table: info.state for info in seats}
        gone = [table for table in sorted(self._seats) if table not in listed]
        for table in gone:
            self.leave(table)
            self._left.discard(table)  # not left on purpose: a request for a seat there may be pending
        rewound = [table for table, state in listed.items() if self._is_rewound(table, state)]
        for table in rewound:
            self.rewind(table)
            self._ended.discard(table)
            self._left.discard(table)  # the server has lost this, too
        resume = [
            (table, self.last(table))
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
        return (state == "playing" and ended) or (state == "open" and (ended or self.last(table) > 0))

    def missed(self, reply: Reply) -> str:
        """Returns the table that must be resumed after this answer; "" if there is none.

        This is a repeated answer about a seat at a table whose match has meanwhile ended, without any message received.
        """
        if type(reply) is not TableReply or not reply.seat or reply.info.table not in self._over:
            return ""
        self._over.discard(reply.info.table)
        self._until[reply.info.table] = None
        return reply.info.table

    def asked(self, request_id: int, table: str) -> None:
        """Records a question of this connection about a table."""
        self._questions[request_id] = table

    def answers(self, request_id: int) -> str | None:
        """Returns the table of the question with this id; None if this connection did not ask it."""
        return self._questions.pop(request_id, None)

    def resumed(self, reply: Resumed) -> None:
        """Handles the answer to a resume. The missed messages of the seat follow."""
        table = reply.table
        if reply.n <= self.last(table):
            self._until.pop(table, None)
            return
        self._until[table] = reply.n
        for clock in reply.clocks:
            if clock.seat == reply.seat and clock.running:
                self._clock[table] = clock.left

    def rewind(self, table: str) -> bool:
        """Forgets the messages of a table whose latest messages the server lost.

        Returns:
            Whether any message had been received.
        """
        self._clock.pop(table, None)
        return self._last.pop(table, 0) > 0

    def watching_again(self, reply: Watching) -> bool:
        """Handles the answer to watching again. Returns True if messages were missed, so that the log must be
        requested."""
        if reply.n > self.last(reply.table):
            return True
        self._held.pop(reply.table, None)
        return False

    def stops_watching(self, table: str) -> bool:
        """Handles a refused request about a table. If the table was only watched, forgets it and returns True."""
        if table not in self._watched:
            return False
        self.leave(table)
        self._left.discard(table)  # not left on purpose
        return True

    def told(self, reply: PastMessages) -> list[Message]:
        """Returns the messages of a part of the log that can be passed on; after the last part also the newer ones."""
        told: list[Message] = []
        table = reply.table
        held = self._held.pop(table, [])
        for plain in reply.messages:
            told += self.take(converted(plain, _Told))
        if reply.more:
            self._held[table] = held
        elif table in self._watched:  # otherwise the match has ended, and the log contained all held messages
            for message in held:
                told += self.take(message)
        return told
