"""The guided match of one person: connects the tutor, who has the lessons, with the table of the match. Pure."""

from __future__ import annotations

from games.api import Action, StyledLine, action_from
from matches.turn import Turn
from people.lessons import Tutor
from people.text.typing_context import RequestDraft
from protocol import messages as m


class GuidedMatch:
    """The state of one person's guided match. It adds no lines before `begin`, nor at any other table."""

    def __init__(self) -> None:
        self._wanted: Tutor | None = None  # the tutor of a guided match whose table was requested but is not open yet
        self._tutor: Tutor | None = None
        self._table = ""  # the id of the guided match's table; "" if the program has only one table
        self._turn: Turn | None = None  # the person's latest turn in the guided match
        self._sent: Action | None = None  # the action that was sent for that turn, until the server accepts it

    def open_table_requests(self, tutor: Tutor) -> list[RequestDraft]:
        """Returns the request that opens a table for the tutor's guided match."""
        self._wanted = tutor
        return [RequestDraft(m.Open, {"game": tutor.game, "guided": True})]

    def cancel(self) -> None:
        """Cancels the guided match after the server refused to open its table."""
        self._wanted = None

    def on_table_opened(self, table: str) -> list[RequestDraft]:
        """Begins the guided match if this new table was opened for one. Returns the request that starts the match, or
        []."""
        if self._wanted is None:
            return []
        self.begin_match(table, self._wanted)
        return [RequestDraft(m.Start, {"table": table})]

    def begin_match(self, table: str, tutor: Tutor) -> None:
        """Begins a guided match at that table; "" if the program has only one table."""
        self._tutor, self._table, self._turn, self._sent, self._wanted = tutor, table, None, None, None

    def end_match(self, table: str) -> None:
        """Ends the guided match if it is at that table."""
        if table == self._table:
            self._tutor, self._table = None, ""

    def tutor_at(self, table: str) -> Tutor | None:
        """Returns the tutor if the guided match is at that table, otherwise None."""
        return self._tutor if self._table in ("", table) else None

    def lines_before(self, table: str, turn: Turn) -> list[StyledLine]:
        """Returns the lesson's lines to show before a decision at that table; [] if it is not the guided match's."""
        tutor = self.tutor_at(table)
        if tutor is None:
            return []
        self._turn = turn
        return tutor.lines_before(turn)

    def note_sent(self, ask: RequestDraft) -> None:
        """Notes a request that the person sent. If it is a decision in the guided match, `after` comments on it."""
        if ask.kind is m.Act and self._turn is not None and self.tutor_at(ask.fields["table"]) is not None:
            self._sent = action_from(self._turn.game, ask.fields["action"])

    def lines_after(self) -> list[StyledLine]:
        """Returns the lesson's lines to show after the server has accepted the sent decision."""
        sent, self._sent = self._sent, None
        if self._tutor is None or self._turn is None or sent is None:
            return []
        return self._tutor.lines_after(self._turn, sent)

    def repeat_lines(self, table: str) -> list[StyledLine]:
        """Returns the lines that repeat the lesson's proposal after an action or a line at that table was refused."""
        tutor = self.tutor_at(table)
        return tutor.repeat_lines(self._turn) if tutor is not None and self._turn is not None else []

    def mark_read(self) -> None:
        """Marks the current lesson as read, because the person has typed a line since it was shown."""
        if self._tutor is not None:
            self._tutor.mark_read()
