"""The guided match of one person: its lessons, at the table where they are told. Pure."""

from __future__ import annotations

from games.api import Action, Line, action_from
from matches.turn import Turn
from people.lessons import Tutor
from people.text.where import Ask
from protocol import messages as m


class Guided:
    """Says nothing before `begin`, and nothing about another table."""

    def __init__(self) -> None:
        self._wanted: Tutor | None = None  # of a match whose table is not open yet
        self._tutor: Tutor | None = None
        self._table = ""  # "" for whichever table it is
        self._turn: Turn | None = None  # the last one
        self._sent: Action | None = None  # for that turn, and not accepted yet

    def prepare(self, tutor: Tutor) -> list[Ask]:
        """What to ask for the guided match that the tutor knows."""
        self._wanted = tutor
        return [Ask(m.Open, {"game": tutor.game, "guided": True})]

    def refused(self) -> None:
        """No table is opened for a guided match."""
        self._wanted = None

    def opened(self, table: str) -> list[Ask]:
        """The person has a table of their own: what to ask if it was opened for a guided match."""
        if self._wanted is None:
            return []
        self.begin(table, self._wanted)
        return [Ask(m.Start, {"table": table})]

    def begin(self, table: str, tutor: Tutor) -> None:
        """A guided match begins there; "" if it is the only table."""
        self._tutor, self._table, self._turn, self._sent, self._wanted = tutor, table, None, None, None

    def end(self, table: str) -> None:
        """The match there is over."""
        if table == self._table:
            self._tutor, self._table = None, ""

    def at(self, table: str) -> Tutor | None:
        """The tutor, if the guided match is played there."""
        return self._tutor if self._table in ("", table) else None

    def before(self, table: str, turn: Turn) -> list[Line]:
        """What is said before a decision there."""
        tutor = self.at(table)
        if tutor is None:
            return []
        self._turn = turn
        return tutor.before(turn)

    def note_sent(self, ask: Ask) -> None:
        """That was sent; a decision may be the one that a lesson is about."""
        if ask.kind is m.Act and self._turn is not None and self.at(ask.fields["table"]) is not None:
            self._sent = action_from(self._turn.game, ask.fields["action"])

    def after(self) -> list[Line]:
        """What is said once the decision was accepted."""
        sent, self._sent = self._sent, None
        if self._tutor is None or self._turn is None or sent is None:
            return []
        return self._tutor.after(self._turn, sent)

    def again(self, table: str) -> list[Line]:
        """What is said to a person who typed there what cannot be done."""
        tutor = self.at(table)
        return tutor.again(self._turn) if tutor is not None and self._turn is not None else []

    def read(self) -> None:
        """Something was typed since the lesson was told."""
        if self._tutor is not None:
            self._tutor.read()
