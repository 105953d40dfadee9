"""The guided match of one person: its lessons and its table. Pure."""

from __future__ import annotations

from games.api import Action, Line, action_from
from matches.turn import Turn
from people.lessons import Tutor
from people.text.where import Ask
from protocol import messages as m


class Guided:
    """The state of the guided match. Silent before `begin`, and at other tables."""

    def __init__(self) -> None:
        self._wanted: Tutor | None = None  # for a match whose table is not open yet
        self._tutor: Tutor | None = None
        self._table = ""  # "" means the only table
        self._turn: Turn | None = None  # the latest one
        self._sent: Action | None = None  # for that turn, and not accepted yet

    def prepare(self, tutor: Tutor) -> list[Ask]:
        """Returns the requests that open the tutor's guided match."""
        self._wanted = tutor
        return [Ask(m.Open, {"game": tutor.game, "guided": True})]

    def refused(self) -> None:
        """Cancels the guided match after its table was refused."""
        self._wanted = None

    def opened(self, table: str) -> list[Ask]:
        """Returns the requests that follow if the person's new table was opened for a guided match."""
        if self._wanted is None:
            return []
        self.begin(table, self._wanted)
        return [Ask(m.Start, {"table": table})]

    def begin(self, table: str, tutor: Tutor) -> None:
        """Begins a guided match at that table; "" for the only table."""
        self._tutor, self._table, self._turn, self._sent, self._wanted = tutor, table, None, None, None

    def end(self, table: str) -> None:
        """Ends the guided match if it is at that table."""
        if table == self._table:
            self._tutor, self._table = None, ""

    def at(self, table: str) -> Tutor | None:
        """Returns the tutor if the guided match is at that table."""
        return self._tutor if self._table in ("", table) else None

    def before(self, table: str, turn: Turn) -> list[Line]:
        """Returns the lines to show before a decision there."""
        tutor = self.at(table)
        if tutor is None:
            return []
        self._turn = turn
        return tutor.before(turn)

    def note_sent(self, ask: Ask) -> None:
        """Notes a sent request, which may be the decision of a lesson."""
        if ask.kind is m.Act and self._turn is not None and self.at(ask.fields["table"]) is not None:
            self._sent = action_from(self._turn.game, ask.fields["action"])

    def after(self) -> list[Line]:
        """Returns the lines to show after the accepted decision."""
        sent, self._sent = self._sent, None
        if self._tutor is None or self._turn is None or sent is None:
            return []
        return self._tutor.after(self._turn, sent)

    def again(self, table: str) -> list[Line]:
        """Returns the lines to show after a mistake at that table."""
        tutor = self.at(table)
        return tutor.again(self._turn) if tutor is not None and self._turn is not None else []

    def read(self) -> None:
        """Marks the lesson as read."""
        if self._tutor is not None:
            self._tutor.read()
