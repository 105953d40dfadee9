"""The guided match of a person on a telnet line: its lessons stand between the board and the question."""

from __future__ import annotations

from games.api import Action, Line, action_from
from matches.turn import Turn
from people.lessons import Tutor
from people.render import plain_text
from people.text.where import Ask
from protocol import messages as m
from server.table.in_words import TableInWords


class Guided:
    """Belongs to one session; without a match that `begin` has told of, it says nothing."""

    def __init__(self) -> None:
        self._tutor: Tutor | None = None
        self._table = ""
        self._turn: Turn | None = None  # the last one
        self._action: Action | None = None  # what was sent for it

    def begin(self, table: str, tutor: Tutor) -> None:
        """A guided match begins there."""
        self._tutor, self._table, self._turn, self._action = tutor, table, None, None

    def end(self, table: str) -> None:
        """The match there is over."""
        if table == self._table:
            self._tutor, self._table, self._turn = None, "", None

    def before(self, table: TableInWords, told: m.Turn) -> list[str]:
        """What is said before that decision."""
        if self._tutor is None or table.id != self._table:
            return []
        self._turn = Turn(table.game, 1, told.view, told.legal, told.turn)
        return _plain(self._tutor.before(self._turn))

    def ask(self, ask: Ask) -> None:
        """Notes what is sent for the decision."""
        if self._turn is not None and ask.kind is m.Act and ask.fields["table"] == self._table:
            self._action = action_from(self._turn.game, ask.fields["action"])

    def after(self) -> list[str]:
        """What is said once the decision was accepted."""
        action, self._action = self._action, None
        if self._tutor is None or self._turn is None or action is None:
            return []
        return _plain(self._tutor.after(self._turn, action))

    def again(self, here: TableInWords | None) -> list[str]:
        """What is said to a person who typed what cannot be done."""
        if self._tutor is None or self._turn is None or here is None or here.id != self._table:
            return []
        return _plain(self._tutor.again(self._turn))


def _plain(lines: list[Line]) -> list[str]:
    return [plain_text(line) for line in lines]
