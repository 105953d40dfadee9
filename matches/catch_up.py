"""What a player has heard of each table, and what a new connection has to ask for. Pure."""

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
    Message,
    Over,
    Reply,
    Resumed,
    Seated,
    Started,
    Story,
    TableInfo,
    TableReply,
    Turn,
    Watching,
)

_Told: Any = Union[TOLD]  # noqa: UP007 (made from a tuple)


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps for a new connection. `resume` maps each table to the number of its last message; `rewound` lists the
    tables whose latest messages the server has lost."""

    resume: tuple[tuple[str, int], ...]
    watch: tuple[str, ...]
    gone: tuple[str, ...]
    rewound: tuple[str, ...] = ()


class CatchUp:
    """Mutable. Every numbered message passes through `take` or `told` and comes out once, in order; but for turns that
    were decided long ago, where nothing is to be decided now."""

    def __init__(self, *, gaps: bool = False) -> None:
        self._gaps = gaps  # the server counts events without telling them
        self._last: dict[str, int] = {}  # the number of the last message heard, by table
        self._seats: set[str] = set()  # where we sit, as far as we know
        self._watched: set[str] = set()
        self._left: set[str] = set()  # left on purpose: not taken up again
        self._ended: set[str] = set()  # our matches that were heard to their end
        self._questions: dict[int, str] = {}  # request ids of this connection's own questions
        self._over: set[str] = set()  # our seats at these are listed, and nothing more is expected of them
        self._until: dict[str, int | None] = {}  # resumed: up to where messages are old ones; None before the answer
        self._clock: dict[str, float] = {}  # resumed: seconds left for our decision
        self._held: dict[str, list[Message]] = {}  # watched again: new messages, while the log is on its way

    @property
    def behind(self) -> bool:
        """Whether messages that were missed are still on their way."""
        return bool(self._until or self._held)

    def last(self, table: str) -> int:
        """The number of the last message heard of a table."""
        return self._last.get(table, 0)

    # -- what is heard -------------------------------------------------------------------------------------------------

    def take(self, message: Message) -> tuple[Message, ...]:
        """What can be passed on now that this message came. Raises RemoteProtocolError if one before it is missing."""
        number = getattr(message, "n", 0)
        if not number:
            if type(message) is Seated:
                self._sit(message.info.table)
            return (message,)
        table: str = message.table  # type: ignore[attr-defined]  # whatever is numbered belongs to a table
        if table in self._held:
            self._held[table].append(message)
            return ()
        last = self._last.get(table, 0)
        if number <= last or table in self._left:  # told already, or on its way when we left
            return ()
        if number != last + 1 and not self._gaps:
            raise RemoteProtocolError(
                "bad_cursor", _("Message {number} of table {table} is missing.", number=last + 1, table=table)
            )
        decided = isinstance(message, Turn) and self._until.get(table) is not None and table not in self._clock
        self._advance(table, number, message)
        return () if decided else (message,)

    def note(self, reply: Reply) -> None:
        """Remembers what the answer to a request of ours tells about tables."""
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
        """Forgets the table; it is not taken up again."""
        for mine in (self._seats, self._watched):
            mine.discard(table)
        for kept in (self._until, self._held, self._clock, self._last):
            kept.pop(table, None)
        self._left.add(table)

    def _sit(self, table: str) -> None:
        self._seats.add(table)
        self._left.discard(table)
        self._ended.discard(table)  # a server that was restored gives the names of lost tables again

    def _advance(self, table: str, number: int, message: Message) -> None:
        self._last[table] = number
        kind = type(message)
        if kind is Started and message.you:  # type: ignore[attr-defined]
            self._sit(table)
        elif isinstance(message, Turn) and table in self._clock:
            message.left = self._clock[table]  # as of now, not as of when it was first sent
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

    def reconnected(self, seats: Iterable[TableInfo]) -> Plan:
        """What to do about each table, given those that the welcome lists."""
        self._questions.clear()
        listed = {info.table: info.state for info in seats}
        gone = [table for table in sorted(self._seats) if table not in listed]
        for table in gone:
            self.leave(table)
            self._left.discard(table)  # not on purpose: we may have asked for a seat there again
        rewound = [table for table, state in listed.items() if self._is_rewound(table, state)]
        for table in rewound:
            self.rewind(table)
            self._ended.discard(table)
            self._left.discard(table)  # that it was left is lost as well
        resume = [
            (table, self.last(table))
            for table, state in listed.items()
            if table not in self._left and (state == "playing" or (state == "over" and table in self._seats))
        ]
        self._until = dict.fromkeys((table for table, _after in resume), None)
        self._over = {table for table, state in listed.items() if state == "over"} - self._until.keys()
        self._clock.clear()
        self._held = {table: [] for table in sorted(self._watched)}
        return Plan(tuple(resume), tuple(self._held), tuple(gone), tuple(rewound))

    def _is_rewound(self, table: str, state: str) -> bool:
        """Whether that state of one of our tables is earlier than what was heard of it, as after a restore."""
        ended = table in self._ended
        return (state == "playing" and ended) or (state == "open" and (ended or self.last(table) > 0))

    def missed(self, reply: Reply) -> str:
        """The table to be taken up since an old answer, told again, says that we sit there, though its match is over
        meanwhile and not one word of it was heard; "" for none."""
        if type(reply) is not TableReply or not reply.seat or reply.info.table not in self._over:
            return ""
        self._over.discard(reply.info.table)
        self._until[reply.info.table] = None
        return reply.info.table

    def asked(self, request_id: int, table: str) -> None:
        """A question of this connection's own was sent."""
        self._questions[request_id] = table

    def answers(self, request_id: int) -> str | None:
        """The table that the answer with this id is about, if the question was this connection's own."""
        return self._questions.pop(request_id, None)

    def resumed(self, reply: Resumed) -> None:
        """The missed messages of a seat follow."""
        table = reply.table
        if reply.n <= self.last(table):
            self._until.pop(table, None)
            return
        self._until[table] = reply.n
        for clock in reply.clocks:
            if clock.seat == reply.seat and clock.running:
                self._clock[table] = clock.left

    def rewind(self, table: str) -> bool:
        """Forgets what was heard of a table whose latest messages the server lost.

        Returns:
            Whether anything had been heard. If not, there is nothing to forget.
        """
        self._clock.pop(table, None)
        return self._last.pop(table, 0) > 0

    def watching_again(self, reply: Watching) -> bool:
        """Watches on; True when messages were missed and the log has to be asked for."""
        if reply.n > self.last(reply.table):
            return True
        self._held.pop(reply.table, None)
        return False

    def stops_watching(self, table: str) -> bool:
        """The server refused to go on with what was asked of that table. Returns whether it was watched only; then it
        is no more."""
        if table not in self._watched:
            return False
        self.leave(table)
        self._left.discard(table)  # not on purpose
        return True

    def told(self, reply: Story) -> list[Message]:
        """What can be passed on from a part of the log, and after its last part what came meanwhile."""
        told: list[Message] = []
        table = reply.table
        held = self._held.pop(table, [])
        for plain in reply.messages:
            told += self.take(converted(plain, _Told))
        if reply.more:
            self._held[table] = held
        elif table in self._watched:  # else the log went on to the end, and all that was held is in it
            for message in held:
                told += self.take(message)
        return told
